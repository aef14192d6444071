import type { ReasoningLevel } from '../../experts/expert.ts';
import type { Place, Request, Topic } from './request.ts';

/** The named groups of a match; undefined where one took no part. */
export type Groups = Readonly<Record<string, string | undefined>>;

/** A way to ask for something in one clause. */
export type Rule = {
  /** Matches a whole clause: words around it could change its meaning. */
  readonly pattern: RegExp;
  /** Null where the words match but mean nothing here. */
  readonly read: (groups: Groups) => Request | null;
};

/** A way to ask for something with a text that follows the clause. */
export type BodyRule = {
  readonly pattern: RegExp;
  readonly read: (groups: Groups, body: string) => Request;
};

/** How requests are put in one language. */
export type Grammar = {
  /** Earlier ones come first where two fit. */
  readonly rules: readonly Rule[];
  readonly bodyRules: readonly BodyRule[];
  /** Words without meaning before and after a request. */
  readonly fillers: readonly RegExp[];
  /** A sentence that requests nothing: a prohibition, a condition, or a doubt. */
  readonly isWithheld: (sentence: string) => boolean;
  /** Topics of a question about current settings; empty for any other sentence. */
  readonly asksAbout: (sentence: string) => readonly Topic[];
};

/** A pattern for a whole clause, from sources with named groups. */
export const whole = (...sources: readonly string[]): RegExp => new RegExp(`^(?:${sources.join('')})$`, 'iu');

/** A text in any kind of quotes, as the group `name`. */
export const quoted = (name: string): string => `["“'\`「『](?<${name}>[^"“”\`「」『』]+?)["”'\`」』]`;

/** Without quotes around it, and without the full stop that ended its sentence. */
export const bare = (text: string | undefined): string =>
  (text ?? '')
    .trim()
    .replaceAll(/^["“'`「『]+|["”'`」』]*[.。]?$/gu, '')
    .trim();

/** A number with a point or a comma. */
const numberOf = (text: string | undefined): number => Number((text ?? '').replace(',', '.'));

/** Names that are recognised as models without the word “model”. */
export const MODEL_NAME =
  '(?:gpt-|o[134](?:-|\\b)|claude-|gemini-|llama|qwen|mistral|mixtral|deepseek|gemma|phi-|grok)[\\w.:/-]*';

const LEVELS: readonly (readonly [RegExp, ReasoningLevel])[] = [
  [/^(?:none|no|off|zero|なし|無し|オフ)$/iu, 'none'],
  [/^(?:low|little|低.*)$/iu, 'low'],
  [/^(?:medium|middle|moderate|中.*)$/iu, 'medium'],
  [/^(?:high|高.*)$/iu, 'high'],
];

/** The reasoning level that a word names; null for none. */
const reasoningOf = (word: string | undefined): Request | null => {
  const level = LEVELS.find(([pattern]) => pattern.test(word ?? ''))?.[1];
  return level === undefined ? null : { type: 'reasoning', level };
};

/** A rule for a whole clause, from a reader and the sources of its pattern. */
export const rule = <Read>(read: Read, ...sources: readonly string[]) => ({
  pattern: whole(...sources),
  read,
});

/** A title on either side of the word “section”: group `name`, `<name>Quoted` or `<name>Other`. */
const titleIn = (groups: Groups, name = 'title'): string =>
  bare(groups[name] ?? groups[`${name}Quoted`] ?? groups[`${name}Other`]);

/** Where to insert; `isBefore` and `isStart` interpret the words of a language. */
export function placeIn(groups: Groups, isBefore: RegExp, isStart: RegExp): Place {
  const { side, line, anchor, textSide, beside, edge } = groups;
  const where = isBefore.test(side ?? textSide ?? '') ? 'BEFORE' : 'AFTER';
  if (line !== undefined) return { at: 'LINE', line: Number(line), side: where };
  const text = anchor ?? beside;
  if (text !== undefined) return { at: 'TEXT', text, side: where };
  if (edge !== undefined) return { at: isStart.test(edge) ? 'START' : 'END' };
  const title = titleIn(groups, 'inside');
  return title === '' ? { at: 'END' } : { at: 'SECTION', title };
}

/** Requests from the named groups that the rules of all languages use. */
export const READ = {
  temperature: ({ number }: Groups): Request => ({ type: 'temperature', value: numberOf(number) }),
  reasoning: ({ level }: Groups): Request | null => reasoningOf(level),
  model: ({ name = '' }: Groups): Request => ({ type: 'model', name }),
  describe: ({ text, plain }: Groups): Request => ({ type: 'describe', text: bare(text ?? plain) }),
  removeLines: ({ from, to = from }: Groups): Request => ({
    type: 'lines',
    from: Number(from),
    to: Number(to),
    by: null,
  }),
  replaceQuoted: ({ old = '', by = '', all, everywhere, also }: Groups): Request => ({
    type: 'replace',
    old,
    by,
    everywhere: (all ?? everywhere ?? also) !== undefined,
  }),
  removeQuoted: ({ old = '' }: Groups): Request => ({ type: 'replace', old, by: '', everywhere: false }),
  addSection: (groups: Groups, body = ''): Request => ({ type: 'add-section', title: titleIn(groups), body }),
  removeSection: (groups: Groups): Request => ({ type: 'remove-section', title: titleIn(groups) }),
  renameSection: (groups: Groups): Request => ({
    type: 'rename-section',
    title: titleIn(groups),
    to: titleIn(groups, 'to'),
  }),
  rewriteSection: (groups: Groups, body = groups['body'] ?? ''): Request => ({
    type: 'rewrite-section',
    title: titleIn(groups),
    body: body.trim(),
  }),
};

/** The topics whose words a question has. */
export const topicsIn = (
  sentence: string,
  words: readonly (readonly [RegExp, readonly Topic[]])[],
): readonly Topic[] => [...new Set(words.flatMap(([word, topics]) => (word.test(sentence) ? topics : [])))];
