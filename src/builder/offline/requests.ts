/** Reads explicit requests for changes of artifacts from a message, in English or Japanese, as calls of the artifact tools. */
import type { ArtifactToolName } from '../../domain/artifacts/artifact-calls.ts';
import { TOOL_CATEGORIES, type ToolCategory } from '../../experts/tool-categories.ts';

/** A call of an artifact tool that a message asks for. */
export type RequestedCall = { readonly tool: ArtifactToolName; readonly args: object };

/** What was understood of a message, in its order, and what was not. */
export type ReadRequests = { readonly calls: readonly RequestedCall[]; readonly rest: readonly string[] };

/** Whether a message is in Japanese, and so is the answer. */
export const isJapanese = (text: string): boolean => /[぀-ヿ㐀-鿿]/u.test(text);

type Rule = {
  readonly pattern: RegExp;
  /** Null where the words fit but mean nothing here. */
  readonly read: (groups: readonly string[]) => RequestedCall | null;
};

const QUOTED = '["“”\'`「]([^"“”\'`」]+)["“”\'`」]';
/** To the end of a sentence; a full stop within a name or a number is none. */
const TO_END = '([^\\n]+?)(?=\\.?(?:\\s*$|\\n|[.;]\\s))';

/** A name of a few words, to the end of its clause. */
const NAME = '([a-z][a-z ]*?)(?= and\\b| then\\b| please\\b|[^a-z ]|$)';

const NOTHING_SET = { llm: null, tools: null, clear: null };
const NOTHING_OF_LLM = { model: null, temperature: null, reasoning_level: null };
const llm = (set: object): RequestedCall => ({
  tool: 'update_config',
  args: { ...NOTHING_SET, llm: { ...NOTHING_OF_LLM, ...set } },
});
const edit = (oldText: string, newText: string): RequestedCall => ({
  tool: 'edit_instructions',
  args: { old_text: oldText, new_text: newText },
});
const section = (about: string): RequestedCall => ({
  tool: 'insert_instructions',
  args: { content: `\n## ${about.charAt(0).toUpperCase()}${about.slice(1)}\n`, line: null },
});
const describe = (content: string): RequestedCall => ({ tool: 'update_description', args: { content } });

const REASONING: Readonly<Record<string, string>> = {
  off: 'none',
  なし: 'none',
  低: 'low',
  中: 'medium',
  高: 'high',
};
const reasoning = (word: string): RequestedCall =>
  llm({ reasoning_level: REASONING[word.toLowerCase()] ?? word.toLowerCase() });

/** Words of a language without spaces, and of one with. */
const ja = (source: string): RegExp => new RegExp(source, 'giu');
const en = (source: string): RegExp => ja(`\\b${source}`);

/** Earlier rules come first where two fit the same words. */
const RULES: readonly Rule[] = [
  { pattern: en(`replace ${QUOTED} (?:with|by) ${QUOTED}`), read: ([a = '', b = '']) => edit(a, b) },
  { pattern: en(`replace (\\S[^\\n]*?) with ${TO_END}`), read: ([a = '', b = '']) => edit(a, b) },
  {
    pattern: ja('「([^」]+)」を「([^」]*)」に(?:置き換|置換|変更|変え|直)[^。\\n]*'),
    read: ([a = '', b = '']) => edit(a, b),
  },
  { pattern: en(`(?:remove|delete) ${QUOTED}`), read: ([a = '']) => edit(a, '') },
  { pattern: ja('「([^」]+)」を(?:削除|消)[^。\\n]*'), read: ([a = '']) => edit(a, '') },
  {
    pattern: en(`add (?:a |an |another )?(?:new )?section (?:about|on|for|called|titled) ${TO_END}`),
    read: ([a = '']) => section(unquoted(a)),
  },
  {
    pattern: ja(
      '「?([^「」。、\\n]+?)」?(?:についての|に関する|の)(?:節|セクション|章)を(?:追加|加え)[^。\\n]*',
    ),
    read: ([a = '']) => section(a),
  },
  {
    pattern: en(`(?:describe (?:it|this|the job) as|(?:set|change) the description to)[: ]+${TO_END}`),
    read: ([a = '']) => describe(unquoted(a)),
  },
  { pattern: ja('説明を?「([^」]+)」(?:に|と|へ)[^。\\n]*'), read: ([a = '']) => describe(a) },
  {
    pattern: en(
      '(?:(?:set|change|put|lower|raise) )?(?:the )?temperature (?:to |at |= ?)?(-?\\d+(?:\\.\\d+)?)',
    ),
    read: ([a = '']) => llm({ temperature: Number(a) }),
  },
  {
    pattern: ja('温度を?\\s*(-?\\d+(?:\\.\\d+)?)\\s*(?:に|へ)[^。、\\n]*'),
    read: ([a = '']) => llm({ temperature: Number(a) }),
  },
  {
    pattern: en(
      '(?:(?:set|change|turn|switch) )?(?:the )?reasoning(?: level| effort)? (?:to )?(none|off|low|medium|high)',
    ),
    read: ([a = '']) => reasoning(a),
  },
  {
    pattern: ja('推論(?:レベル)?を?\\s*(なし|低|中|高|none|low|medium|high)[^。、\\n]*'),
    read: ([a = '']) => reasoning(a),
  },
  {
    pattern: en(
      '(?:use|set|choose|switch to|change to) (?:the )?model (?:to )?["“\'`]?([\\w.:/-]*\\w)["”\'`]?',
    ),
    read: ([a = '']) => llm({ model: a }),
  },
  {
    pattern: ja('モデルを?\\s*「?([\\w.:/-]*\\w)」?\\s*(?:に|へ|を)[^。、\\n]*'),
    read: ([a = '']) => llm({ model: a }),
  },
  {
    pattern: en(`(switch|turn|put) (on|off) (?:the )?${NAME}`),
    read: ([, way = '', name = '']) => toggle(name, way.toLowerCase() === 'on'),
  },
  {
    pattern: en(`(enable|disable) (?:the )?${NAME}`),
    read: ([way = '', name = '']) => toggle(name, way.toLowerCase() === 'enable'),
  },
  {
    pattern: ja('([^\\s。、「」]+?)を(?:オン|有効)[^。、\\n]*'),
    read: ([name = '']) => toggle(name, true),
  },
  {
    pattern: ja('([^\\s。、「」]+?)を(?:オフ|無効)[^。、\\n]*'),
    read: ([name = '']) => toggle(name, false),
  },
];

/** Reads a message. Words that belong to no request are given back as they stand. */
export function readRequests(message: string): ReadRequests {
  const found: { readonly at: number; readonly call: RequestedCall }[] = [];
  let left = message;
  for (const { pattern, read } of RULES) {
    left = left.replaceAll(pattern, (...match: unknown[]) => {
      const groups = match
        .filter((part): part is string | undefined => typeof part !== 'number')
        .slice(1, -1);
      const at = match.find((part) => typeof part === 'number') ?? 0;
      const call = read(groups.map((group) => (group ?? '').trim()));
      const words = String(match[0]);
      if (call === null) return words;
      found.push({ at, call });
      return GONE.repeat(words.length); // so that places stay what they were
    });
  }
  return {
    calls: found.toSorted((one, other) => one.at - other.at).map(({ call }) => call),
    rest: left.split(new RegExp(`${GONE}+|[.;。\\n]+\\s*`, 'u')).flatMap(meaning),
  };
}

/** Stands in the place of words that were understood; no message holds it, for it is no character. */
const GONE = '\uFFFF';

/** Words between requests that say nothing themselves. */
const FILLERS =
  /^(?:please|and|then|also|could you|can you|thanks?|thank you|そして|また|お願いします|ください|[\s,、。.!?！？]+)+$/iu;

function meaning(words: string): readonly string[] {
  const text = words.trim().replaceAll(/^[,、]\s*/gu, '');
  return text === '' || FILLERS.test(text) ? [] : [text];
}

const unquoted = (text: string): string => text.trim().replaceAll(/^["“'`「]+|["”'`」.]+$/gu, '');

/** What people call categories beside their names and titles. */
const ALSO: Readonly<Record<string, ToolCategory['name']>> = {
  web: 'research',
  'web search': 'research',
  'internet access': 'research',
  python: 'sandbox',
  charts: 'sandbox',
  ウェブ検索: 'research',
  ウェブ調査: 'research',
  検索: 'research',
  分析: 'sandbox',
  時系列: 'timeseries',
  来歴: 'provenance',
  ノート: 'notes',
  メモ: 'notes',
  引用: 'citation',
};

function toggle(spoken: string, isOn: boolean): RequestedCall | null {
  const words = spoken
    .toLowerCase()
    .trim()
    .replace(/ (?:tools|category)$/u, '');
  const category = TOOL_CATEGORIES.find(
    ({ name, title }) => name === words || title.toLowerCase() === words || name === ALSO[words],
  );
  if (category === undefined) return null;
  const tools = isOn ? category.tools.map(({ name }) => name) : [];
  return { tool: 'update_config', args: { ...NOTHING_SET, tools: [{ category: category.name, tools }] } };
}
