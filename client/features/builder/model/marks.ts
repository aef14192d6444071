import type { Artifacts } from '../../../../src/domain/artifacts/artifacts.ts';
import { diffConfig } from '../../../../src/domain/artifacts/config-diff.ts';
import { takeBackText, type OverlapChoices } from '../../../../src/domain/artifacts/take-back.ts';
import { diffWords, type DiffPiece } from '../../../../src/domain/artifacts/text-diff.ts';

/** What the form marks as changed by the builder. */
export type Marks = {
  /** The instructions before and after the builder changed them; null if none of its lines are left. */
  readonly instructions: { readonly before: string; readonly written: string } | null;
  /** Both descriptions as one text, word by word; null if the builder did not change it, or the user did since. */
  readonly description: readonly DiffPiece[] | null;
  /** Values before, by path joined with dots; undefined if there was none. */
  readonly settings: ReadonlyMap<string, unknown>;
};

/** Nothing is marked. */
export const NO_MARKS: Marks = { instructions: null, description: null, settings: new Map() };

/** A part of the form that can have a mark: a setting by its path, joined with dots. */
export type MarkedPart = 'description' | 'instructions' | `${'llm' | 'tools'}.${string}`;

/** The part of a path. */
export const partName = (
  place: 'description' | 'instructions' | readonly ['llm' | 'tools', string],
): MarkedPart => (typeof place === 'string' ? place : `${place[0]}.${place[1]}`);

/** Whether a part was changed. */
export function isMarked(marks: Marks, part: MarkedPart): boolean {
  if (part === 'description') return marks.description !== null;
  return part === 'instructions' ? marks.instructions !== null : marks.settings.has(part);
}

/** The marks without those of some parts. */
export function withoutMarks(marks: Marks, hidden: ReadonlySet<string>): Marks {
  if (hidden.size === 0) return marks;
  return {
    instructions: hidden.has('instructions') ? null : marks.instructions,
    description: hidden.has('description') ? null : marks.description,
    settings: new Map([...marks.settings].filter(([path]) => !hidden.has(path))),
  };
}

/**
 * What the builder changed from `before` to `written`, as far as it is still there: `now` is the form, in which the
 * user may have typed since, and what the user typed is not the builder's.
 */
export function marksBetween(before: Artifacts, written: Artifacts, now: Artifacts): Marks {
  const [old, text] = [before.instructions ?? '', written.instructions ?? ''];
  const [was, is] = [before.description ?? '', written.description ?? ''];
  const typed = new Set(diffConfig(written.config, now.config).map(({ path }) => path.join('.')));
  const settings = diffConfig(before.config, written.config)
    .map(({ path, kind, before: value }) => [path.join('.'), kind === 'ADDED' ? undefined : value] as const)
    .filter(([path]) => !typed.has(path));
  const edited = now.instructions ?? '';
  return {
    instructions:
      originalOf({ before: old, written: text }, edited) === edited ? null : { before: old, written: text },
    description: was === is || is !== (now.description ?? '') ? null : diffWords(was, is),
    settings: new Map(settings),
  };
}

/** The user's text with the builder's changes taken back, except those that the user has edited since. */
export function originalOf({ before, written }: NonNullable<Marks['instructions']>, now: string): string {
  return takeBackText({ before, after: written }, [now], NO_CHOICES).text ?? '';
}

const NO_CHOICES: OverlapChoices = new Map();

/** Where a text was changed: the offsets in the newer one between which it differs from the older one. */
export function changedRange(before: string, after: string): { readonly from: number; readonly to: number } {
  const shortest = Math.min(before.length, after.length);
  let from = 0;
  while (from < shortest && before[from] === after[from]) from += 1;
  let tail = 0;
  while (tail < shortest - from && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  return { from, to: after.length - tail };
}
