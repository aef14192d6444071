import type { Artifacts } from '../../../../src/domain/artifacts/artifacts.ts';
import { diffConfig } from '../../../../src/domain/artifacts/config-diff.ts';
import { diffWords, type DiffPiece } from '../../../../src/domain/artifacts/text-diff.ts';

/** What the form marks as changed by the builder. */
export type Marks = {
  /** The instructions before; null where they are the same. */
  readonly instructionsBefore: string | null;
  /** Both descriptions as one text, word by word; null where they are the same. */
  readonly description: readonly DiffPiece[] | null;
  /** Values before, by path joined with dots; undefined where there was none. */
  readonly settings: ReadonlyMap<string, unknown>;
};

/** Nothing is marked. */
export const NO_MARKS: Marks = { instructionsBefore: null, description: null, settings: new Map() };

/** A part of the form that can have a mark: a setting by its path, joined with dots. */
export type MarkedPart = 'description' | 'instructions' | `${'llm' | 'tools'}.${string}`;

/** The part of a path. */
export const partName = (
  place: 'description' | 'instructions' | readonly ['llm' | 'tools', string],
): MarkedPart => (typeof place === 'string' ? place : `${place[0]}.${place[1]}`);

/** Whether a part was changed. */
export function isMarked(marks: Marks, part: MarkedPart): boolean {
  if (part === 'description') return marks.description !== null;
  return part === 'instructions' ? marks.instructionsBefore !== null : marks.settings.has(part);
}

/** The marks without those of some parts. */
export function withoutMarks(marks: Marks, hidden: ReadonlySet<string>): Marks {
  if (hidden.size === 0) return marks;
  return {
    instructionsBefore: hidden.has('instructions') ? null : marks.instructionsBefore,
    description: hidden.has('description') ? null : marks.description,
    settings: new Map([...marks.settings].filter(([path]) => !hidden.has(path))),
  };
}

/** What differs between the artifacts before the builder wrote and those of the form. */
export function marksBetween(before: Artifacts, now: Artifacts): Marks {
  const [old, text] = [before.instructions ?? '', now.instructions ?? ''];
  const [was, is] = [before.description ?? '', now.description ?? ''];
  const settings = diffConfig(before.config, now.config).map(
    (change) => [change.path.join('.'), change.kind === 'ADDED' ? undefined : change.before] as const,
  );
  return {
    instructionsBefore: old === text ? null : old,
    description: was === is ? null : diffWords(was, is),
    settings: new Map(settings),
  };
}

/** Where a text was changed: the offsets in the newer one between which it differs from the older one. */
export function changedRange(before: string, after: string): { readonly from: number; readonly to: number } {
  const shortest = Math.min(before.length, after.length);
  let from = 0;
  while (from < shortest && before[from] === after[from]) from += 1;
  let tail = 0;
  while (tail < shortest - from && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  return { from, to: after.length - tail };
}
