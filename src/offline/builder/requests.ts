/**
 * What a user explicitly asks for: each request with the call of an artifact tool that does it on the instructions as
 * they are by then, or with the reason why there is none.
 */
import { applyArtifactCall } from '../../domain/artifacts/apply-artifact-call.ts';
import type { ArtifactToolName } from '../../domain/artifacts/artifact-calls.ts';
import type { Artifacts } from '../../domain/artifacts/artifacts.ts';
import { readNumber } from '../../domain/questions/vocabulary.ts';
import type { Json } from '../../domain/visuals.ts';
import { CATEGORY_RULES } from '../../experts/tool-categories.ts';
import type { Values } from '../shared/messages.ts';
import { categoryOf, levelOf, type Topic } from './grammar.ts';
import { findSection, linesOf, sectionsOf, stepsOf, type LineRange, type Section } from './sections.ts';

/** A call of an artifact tool. */
type ArtifactCall = { readonly tool: ArtifactToolName; readonly args: object };

/** Why a request cannot be carried out, as the key of a message, and what that names or counts. */
type Obstacle = {
  readonly why: 'noSection' | 'noText' | 'noLine' | 'noStep' | 'noTools';
  readonly names?: readonly string[];
  readonly count?: number;
};

/** How a request is carried out on some instructions; null where no tool does it. */
type Plan = (instructions: string) => ArtifactCall | Obstacle | null;

/** A request as a form put it; `values` are those of its label. */
type Formed = { readonly values: Values; readonly plan: Plan };

/** One thing that is asked for. */
export type Request =
  ({ readonly type: FormedType } & Formed) | { readonly type: 'ask'; readonly about: readonly Topic[] };

/** A request with its call or obstacle; questions and undo have neither. */
export type Step = { readonly request: Request } & (
  | { readonly type: 'call'; readonly call: ArtifactCall }
  | { readonly type: 'obstacle'; readonly obstacle: Obstacle }
  /** `seen`: the artifacts after the requests before it. */
  | { readonly type: 'answer'; readonly seen: Artifacts }
);

/** Plans requests in order, each on the result of those before it. */
export function planSteps(requests: readonly Request[], artifacts: Artifacts): readonly Step[] {
  let current = artifacts;
  return requests.map((request): Step => {
    const planned = request.type === 'ask' ? null : request.plan(current.instructions ?? '');
    if (planned === null) return { request, type: 'answer', seen: current };
    if ('why' in planned) return { request, type: 'obstacle', obstacle: planned };
    const rules = { categories: CATEGORY_RULES, strict: false };
    current = applyArtifactCall(current, planned.tool, planned.args, rules).artifacts;
    return { request, type: 'call', call: planned };
  });
}

/** The named groups of a form, undefined where one took no part; `body` is the text that followed it. */
type Groups = Readonly<Record<string, string | undefined>>;

/** What each type of form asks for; null where its words fit but mean nothing here. */
const FORMS = {
  temperature: ({ number = '' }) => setting('temperature', Number(number.replace(',', '.'))),
  reasoning_level: ({ level = '' }) => setting('reasoning_level', levelOf(level)),
  model: ({ name = '' }) => setting('model', name),
  describe({ text }) {
    const content = bare(text);
    return { values: { text: content }, plan: () => ({ tool: 'update_description', args: { content } }) };
  },
  switch: ({ name = '', way = '' }) => switched(name, /^(?:on|enable|activate|allow|オン|有効)$/iu.test(way)),
  replace(groups) {
    const [old, by] = [bare(groups['old']), bare(groups['by'])];
    const isAll = (groups['all'] ?? groups['everywhere'] ?? groups['also']) !== undefined;
    return {
      values: { old, by },
      plan: (text) => (isAll && text.includes(old) ? rewrite(text.replaceAll(old, () => by)) : edit(old, by)),
    };
  },
  insert: inserted,
  lines: (groups) =>
    ofRange(groups, ({ from, to, by }, text) => {
      const count = linesOf(text).length;
      const isThere = from >= 1 && from <= to && to <= count;
      return isThere ? replaceLines(text, { start: from - 1, end: to }, by) : { why: 'noLine', count };
    }),
  steps: (groups) =>
    ofRange(groups, ({ from, to, by }, text) => {
      const [[first, ...others], [last, ...more]] = [stepsOf(text, from), stepsOf(text, to)];
      if (first === undefined || last === undefined || others.length + more.length > 0)
        return { why: 'noStep', count: first === undefined ? 0 : 1 + others.length };
      const written = by.map((line) => `${first.mark}${line}`);
      return replaceLines(text, { start: first.start, end: last.end }, written);
    }),
  'add-step'({ text, body }) {
    const content = bare(text ?? body);
    return {
      values: { text: content },
      plan(instructions) {
        const [last, ...others] = stepsOf(instructions, 0);
        if (last === undefined || others.length > 0) return { why: 'noStep', count: others.length };
        return insertAt(last.mark.replace(/\d+/u, String(last.number + 1)) + content, last.end + 1);
      },
    };
  },
  'add-section'({ title: written, body = '' }) {
    const title = bare(written);
    const heading = `## ${title.charAt(0).toUpperCase()}${title.slice(1)}`;
    const content = body.trim() === '' ? heading : `${heading}\n\n${body.trim()}`;
    return {
      values: { title },
      plan: (text) => append(text === '' || text.endsWith('\n\n') ? content : `\n${content}`, text),
    };
  },
  'remove-section': ({ title }) => ofSection(title, {}, (text, section) => replaceLines(text, section, [])),
  'rewrite-section': ({ title, body = '' }) =>
    ofSection(title, {}, (text, { start, end }) => {
      const gap = end === text.split('\n').length ? [] : [''];
      return replaceLines(text, { start: start + 1, end }, ['', body.trim(), ...gap]);
    }),
  'rename-section'({ title, to: written }) {
    const to = bare(written);
    return ofSection(title, { to }, (text, { start, rank }) =>
      replaceLines(text, { start, end: start + 1 }, [`${'#'.repeat(rank)} ${to}`]),
    );
  },
  undo: () => ({ values: {}, plan: () => null }),
} satisfies Readonly<Record<string, (groups: Groups) => Formed | null>>;
export type FormedType = keyof typeof FORMS;

const isFormed = (type: string): type is FormedType => type in FORMS;

/** The request of a form that fits; null where its words mean nothing here. */
export function requestOf(type: string, groups: Groups): Request | null {
  if (!isFormed(type)) throw new Error(`grammar.yaml has forms of an unknown type "${type}"`);
  const formed: Formed | null = FORMS[type](groups);
  return formed && { type, ...formed };
}

const update = (set: Readonly<Record<string, Json>>): ArtifactCall => ({
  tool: 'update_config',
  args: { llm: null, tools: null, clear: null, ...set },
});

const setting = (name: string, value: string | number | undefined): Formed | null => {
  if (value === undefined) return null;
  const unset = { model: null, temperature: null, reasoning_level: null };
  return { values: { value }, plan: () => update({ llm: { ...unset, [name]: value } }) };
};

function switched(written: string, isOn: boolean): Formed | null {
  const found = categoryOf(written);
  if (found === null) return null;
  const { name: category, title, tools } = found;
  return {
    values: { category: title, isOn },
    plan: () =>
      isOn && tools.length === 0
        ? { why: 'noTools' }
        : update({ tools: [{ category, tools: isOn ? tools.map(({ name }) => name) : [] }] }),
  };
}

const ORDINALS = '最後 last|最初 first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth'.split('|');
const placeIn = (word: string): number =>
  readNumber(word) ?? ORDINALS.findIndex((names) => names.split(' ').includes(word.toLowerCase()));

/** Lines or numbered steps, both ends included, counted from 1; step 0 is the last one. No `by` removes them. */
type Range = { readonly from: number; readonly to: number; readonly by: readonly string[] };

/** `lines 3 to 9`, `the second step`; “3 and 9” are no range, because nobody said what is between them. */
function ofRange(
  { from: first = '', to: last, by: written, link = '', body }: Groups,
  planOf: (range: Range, text: string) => ArtifactCall | Obstacle,
): Formed | null {
  const from = placeIn(first);
  const to = last === undefined ? from : placeIn(last);
  if (/^(?:and|と)$/iu.test(link) && to !== from + 1) return null;
  const text = written ?? body;
  const by = text === undefined ? [] : [bare(text)];
  return {
    values: { from, to: to === from ? null : to, by: by[0] ?? null },
    plan: (instructions) => planOf({ from, to, by }, instructions),
  };
}

/** The change of a section that is there. */
const inSection = (
  text: string,
  title: string,
  change: (section: Section) => ArtifactCall,
): ArtifactCall | Obstacle => {
  const section = findSection(text, title);
  const names = sectionsOf(text).map((each) => each.title);
  return section === null ? { why: 'noSection', names } : change(section);
};

function ofSection(
  written: string | undefined,
  values: Values,
  change: (text: string, section: Section) => ArtifactCall,
): Formed {
  const title = bare(written);
  return {
    values: { title, ...values },
    plan: (text) => inSection(text, title, (section) => change(text, section)),
  };
}

/** A text before or after a line, which is named by its number or by what it contains, in a section, or at an end. */
function inserted({ text: written = '', body, side = '', line, anchor, edge = '', inside }: Groups): Formed {
  const content = body ?? written;
  const isBefore = /^(?:before|above|at|on|to|前|上|直前)$/iu.test(side);
  const beside = (number: number): ArtifactCall => insertAt(content, isBefore ? number : number + 1);
  return {
    values: { text: content },
    plan(text) {
      const lines = linesOf(text);
      if (line !== undefined) {
        const isThere = Number(line) >= 1 && Number(line) <= lines.length;
        return isThere ? beside(Number(line)) : { why: 'noLine', count: lines.length };
      }
      if (anchor !== undefined) {
        const at = lines.findIndex((each) => each.includes(anchor));
        return at < 0 ? { why: 'noText', names: [anchor] } : beside(at + 1);
      }
      if (inside !== undefined) {
        return inSection(text, bare(inside), ({ start, end }) => {
          const last = lines.slice(start, end).findLastIndex((each) => each.trim() !== '');
          return insertAt(content, start + last + 2);
        });
      }
      const isStart = /^(?:start|beginning|top|first|先頭|冒頭|最初|一番上)/iu.test(edge);
      return isStart ? insertAt(content, 1) : append(content, text);
    },
  };
}

/** Without quotes around it, and without the full stop that ended its sentence. */
export const bare = (text = ''): string =>
  text
    .trim()
    .replaceAll(/^["“'`「『]+|(?<!["”'`」』])["”'`」』]*[.。]?$/gu, '')
    .trim();

const insertAt = (content: string, line: number | null): ArtifactCall => ({
  tool: 'insert_instructions',
  args: { content, line },
});
const append = (content: string, text: string): ArtifactCall =>
  insertAt(content, text.endsWith('\n') ? linesOf(text).length + 1 : null);
const edit = (old: string, by: string): ArtifactCall => ({
  tool: 'edit_instructions',
  args: { old_text: old, new_text: by },
});
const rewrite = (content: string): ArtifactCall => ({ tool: 'update_instructions', args: { content } });

/** Replaces lines by an edit; by a rewrite where the same lines occur elsewhere, too. */
function replaceLines(text: string, { start, end }: LineRange, by: readonly string[]): ArtifactCall {
  const lines = text.split('\n');
  const isRest = end >= lines.length;
  const old = lines.slice(start, end).join('\n') + (isRest ? '' : '\n');
  const next = by.join('\n') + (by.length > 0 && !isRest ? '\n' : '');
  const isUnique = old.trim() !== '' && text.indexOf(old) === text.lastIndexOf(old);
  return isUnique ? edit(old, next) : rewrite(lines.toSpliced(start, end - start, ...by).join('\n'));
}
