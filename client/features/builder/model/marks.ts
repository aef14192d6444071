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
