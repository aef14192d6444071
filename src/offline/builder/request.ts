/** What a user explicitly asks for, from the named groups of the form that it was put in. */
import { readNumber } from '../../domain/questions/vocabulary.ts';
import type { ReasoningLevel } from '../../experts/expert.ts';
import type { ToolCategory } from '../../experts/tool-categories.ts';

/** Where in the instructions something goes; lines count from 1. */
export type Place =
  | { readonly at: 'START' | 'END' }
  | { readonly at: 'LINE'; readonly line: number; readonly isBefore: boolean }
  /** The line that contains the text. */
  | { readonly at: 'TEXT'; readonly text: string; readonly isBefore: boolean }
  /** Last in the section of this title. */
  | { readonly at: 'SECTION'; readonly title: string };

/** What can be asked about. */
export const TOPICS = ['TEMPERATURE', 'REASONING', 'MODEL', 'TOOLS', 'DESCRIPTION', 'INSTRUCTIONS'] as const;
export type Topic = (typeof TOPICS)[number];

/** One thing that is asked for. */
export type Request =
  | { readonly type: 'temperature'; readonly value: number }
  | { readonly type: 'reasoning_level'; readonly value: ReasoningLevel }
  | { readonly type: 'model'; readonly value: string }
  | { readonly type: 'describe'; readonly text: string }
  | { readonly type: 'switch'; readonly category: ToolCategory; readonly isOn: boolean }
  | { readonly type: 'replace'; readonly old: string; readonly by: string; readonly everywhere: boolean }
  | { readonly type: 'insert'; readonly text: string; readonly place: Place }
  /** Lines or numbered steps `from` to `to`, both of them; `by` null removes them. Step 0 is the last one. */
  | {
      readonly type: 'lines' | 'steps';
      readonly from: number;
      readonly to: number;
      readonly by: string | null;
    }
  | { readonly type: 'add-step'; readonly text: string }
  | { readonly type: 'add-section'; readonly title: string; readonly body: string }
  | { readonly type: 'rewrite-section'; readonly title: string; readonly body: string }
  | { readonly type: 'remove-section'; readonly title: string }
  | { readonly type: 'rename-section'; readonly title: string; readonly to: string }
  | { readonly type: 'undo' }
  | { readonly type: 'ask'; readonly about: readonly Topic[] };

/** Those that have forms of their own. */
export type FormedType = Exclude<Request['type'], 'ask'>;

/** What the words of a grammar mean. */
export type Meanings = {
  readonly levelOf: (word: string) => ReasoningLevel | undefined;
  readonly categoryOf: (name: string) => ToolCategory | null;
};

/** The named groups of a match; undefined where one took no part. */
type Groups = Readonly<Record<string, string | undefined>>;

/** The request of a match; `body` is the text that followed it. Null where the words match but mean nothing here. */
export function requestOf(
  type: FormedType,
  { body, ...groups }: Groups,
  { levelOf, categoryOf }: Meanings,
): Request | null {
  const text = bare(groups['text'] ?? body);
  const title = bare(groups['title']);
  switch (type) {
    case 'temperature':
      return { type, value: Number((groups['number'] ?? '').replace(',', '.')) };
    case 'reasoning_level': {
      const value = levelOf(groups['level'] ?? '');
      return value === undefined ? null : { type, value };
    }
    case 'model':
      return { type, value: groups['name'] ?? '' };
    case 'switch': {
      const category = categoryOf(groups['name'] ?? '');
      const isOn = /^(?:on|enable|activate|allow|オン|有効)$/iu.test(groups['way'] ?? '');
      return category && { type, category, isOn };
    }
    case 'replace': {
      const everywhere = groups['all'] ?? groups['everywhere'] ?? groups['also'];
      const [old, by] = [bare(groups['old']), bare(groups['by'])];
      return { type, old, by, everywhere: everywhere !== undefined };
    }
    case 'insert':
      return { type, text: body ?? groups['text'] ?? '', place: placeOf(groups) };
    case 'lines':
    case 'steps':
      return rangeOf(type, groups, body);
    case 'describe':
    case 'add-step':
      return { type, text };
    case 'add-section':
    case 'rewrite-section':
      return { type, title, body: (body ?? '').trim() };
    case 'remove-section':
      return { type, title };
    case 'rename-section':
      return { type, title, to: bare(groups['to']) };
    case 'undo':
      return { type };
    default:
      return type satisfies never;
  }
}

/** Without quotes around it, and without the full stop that ended its sentence. */
export const bare = (text: string | undefined): string =>
  (text ?? '')
    .trim()
    .replaceAll(/^["“'`「『]+|["”'`」』]*[.。]?$/gu, '')
    .trim();

const ORDINALS = '最後 last|最初 first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth'.split('|');
const placeIn = (word: string): number =>
  readNumber(word) ?? ORDINALS.findIndex((names) => names.split(' ').includes(word.toLowerCase()));

/** `lines 3 to 9`, `the second step`; “3 and 9” are no range, because nobody said what is between them. */
function rangeOf(type: 'lines' | 'steps', groups: Groups, body: string | undefined): Request | null {
  const from = placeIn(groups['from'] ?? '');
  const to = groups['to'] === undefined ? from : placeIn(groups['to']);
  const by = groups['by'] ?? body;
  const isRange = !/^(?:and|と)$/iu.test(groups['link'] ?? '') || to === from + 1;
  return isRange ? { type, from, to, by: by === undefined ? null : bare(by) } : null;
}

function placeOf({ side = '', line, anchor, edge, inside }: Groups): Place {
  const isBefore = /^(?:before|above|at|on|to|前|上|直前)$/iu.test(side);
  if (line !== undefined) return { at: 'LINE', line: Number(line), isBefore };
  if (anchor !== undefined) return { at: 'TEXT', text: anchor, isBefore };
  if (inside !== undefined) return { at: 'SECTION', title: bare(inside) };
  const isStart = /^(?:start|beginning|top|first|先頭|冒頭|最初|一番上)/iu.test(edge ?? '');
  return { at: isStart ? 'START' : 'END' };
}
