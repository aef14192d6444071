/**
 * Takes one change of the artifacts back out of what they have become since (a three-way merge: the artifacts after the
 * change are the common ancestor, and what was changed since stays). Where a later change lies in the same place, both
 * cannot be had: that is an overlap, and whoever asks chooses.
 */
import type { ArtifactDiff } from './artifact-diff.ts';
import type { Artifacts } from './artifacts.ts';
import { diffConfig, withConfigChanges, type ConfigChange } from './config-diff.ts';
import { isSameJson } from './config-merge.ts';
import { shortHash } from '../text/short-hash.ts';
import { changesOf, diffWords, hunkOf, type LineChange, type TextHunk } from './text-diff.ts';

/** `KEEP`: the later change stays, and what it lies on with it. `DISCARD`: both go. */
export type OverlapChoice = 'KEEP' | 'DISCARD';

/** By the id of the overlap. */
export type OverlapChoices = ReadonlyMap<string, OverlapChoice>;

/** A change: the state before it and after it. */
type Change<Value> = { readonly before: Value; readonly after: Value };

/** The artifacts without the change. */
export type TakenBack = {
  /** Overlaps without a choice are kept. */
  readonly artifacts: Artifacts;
  /** What taking back the rest would change in the present artifacts: the overlaps without a choice. */
  readonly overlaps: ArtifactDiff;
};

/**
 * Takes `change` back out of the newest of `later`, the states since the change in their order: with those between,
 * neighbours that came one by one are told apart from what lies in the same place. Without any it is taken back whole.
 */
export function takeBack(
  change: Change<Artifacts>,
  later: readonly Artifacts[],
  choices: OverlapChoices,
): TakenBack {
  const { before, after } = change;
  const now = later.at(-1) ?? after;
  const text = takeBackText(
    { before: before.instructions, after: after.instructions },
    later.map(({ instructions }) => instructions),
    choices,
  );
  const settings = takeBackConfig(change, now, choices);
  const line = takeBackDescription(change, now, choices);
  return {
    artifacts: { instructions: text.text, config: settings.config, description: line.description },
    overlaps: { instructions: text.overlaps, config: settings.overlaps, description: line.overlap },
  };
}

/** {@link takeBack} for the instructions alone. Lines that were added just beside those of the change stay. */
export function takeBackText(
  { before, after }: Change<string | null>,
  later: readonly (string | null)[],
  choices: OverlapChoices,
): { readonly text: string | null; readonly overlaps: readonly TextHunk[] } {
  const now = later.at(-1) ?? (later.length > 0 ? null : after);
  if (now === after) return { text: before, overlaps: [] };
  let lines = linesOf(after);
  let regions: readonly Region[] = changesOf(lines, linesOf(before)).map((change) => ({
    ...change,
    written: change.removed,
  }));
  for (const text of later) {
    const next = linesOf(text);
    regions = followRegions(regions, lines, changesOf(lines, next));
    lines = next;
  }
  const overlaps: TextHunk[] = [];
  let length = 0;
  let at = 0;
  const taken: LineChange[] = [];
  for (const { from, removed, added, written } of regions) {
    length += from - at;
    at = from + removed.length;
    // Without its place in the result, which depends on the other choices.
    const id = shortHash(JSON.stringify([from, removed, added]));
    const change = { from, to: length, removed, added };
    const choice = isSameLines(removed, written) ? 'DISCARD' : choices.get(id);
    if (choice === undefined) overlaps.push({ ...hunkOf(change, lines), id });
    if (choice === 'DISCARD') taken.push(change);
    length += (choice === 'DISCARD' ? added : removed).length;
  }
  const left = withChanges({ from: 0, lines }, taken);
  if (left.length > 0) return { text: left.join('\n'), overlaps };
  return { text: before === '' || now === '' ? '' : null, overlaps };
}

/**
 * Lines that the change made, where they are in a later text (`from`, `removed`), and what they would be without it
 * (`added`). `written` is as the change left them, with what lay between two places that became one.
 */
type Region = LineChange & { readonly written: readonly string[] };

/** The regions of `lines` in the text that `changes` make of it, without those that it has taken back already. */
function followRegions(
  regions: readonly Region[],
  lines: readonly string[],
  changes: readonly LineChange[],
): readonly Region[] {
  const open = regions.filter((region) => !changes.some((change) => bringsAlready(change, region)));
  let shift = 0;
  return passagesOf(open, changes).flatMap(({ from, end, back, later }): Region[] => {
    const place = { from, lines: lines.slice(from, end) };
    const removed = withChanges(place, later);
    const start = from + shift;
    shift += removed.length - (end - from);
    if (back.length === 0) return [];
    const added = withChanges(place, back);
    if (later.length > 0 && isSameLines(removed, added)) return [];
    const written = withChanges(
      place,
      back.map((region) => ({ ...region, added: region.written })),
    );
    return [{ from: start, to: start, removed, added, written }];
  });
}

/** Lines that belong together: of regions, of changes, or of both where they lie on each other. */
type Passage = {
  readonly from: number;
  readonly end: number;
  readonly back: readonly Region[];
  readonly later: readonly LineChange[];
};

const endOf = ({ from, removed }: LineChange): number => from + removed.length;

/** Only an insertion within removed lines lies on them; beside them it is a passage of its own. */
function passagesOf(back: readonly Region[], later: readonly LineChange[]): readonly Passage[] {
  const all = [
    ...back.map((region) => ({ change: region, part: { back: [region], later: [] } })),
    ...later.map((change) => ({ change, part: { back: [], later: [change] } })),
  ].toSorted((one, other) => one.change.from - other.change.from || endOf(one.change) - endOf(other.change));
  const passages: Passage[] = [];
  for (const { change, part } of all) {
    const last = passages.at(-1);
    if (last === undefined || change.from >= last.end) {
      passages.push({ from: change.from, end: endOf(change), ...part });
      continue;
    }
    passages[passages.length - 1] = {
      from: last.from,
      end: Math.max(last.end, endOf(change)),
      back: [...last.back, ...part.back],
      later: [...last.later, ...part.later],
    };
  }
  return passages;
}

/** Whether somebody has put the removed lines back into the same place since. */
const bringsAlready = (later: LineChange, region: Region): boolean =>
  later.from === region.from &&
  later.removed.length === 0 &&
  region.removed.length === 0 &&
  `\n${later.added.join('\n')}\n`.includes(`\n${region.added.join('\n')}\n`);

/** Lines of the ancestor from `from` on, after changes that lie within them. */
function withChanges(
  { from, lines }: { readonly from: number; readonly lines: readonly string[] },
  changes: readonly LineChange[],
): readonly string[] {
  let at = 0;
  const pieces = changes.flatMap((change) => {
    const start = change.from - from;
    const piece = [lines.slice(at, start), change.added];
    at = start + change.removed.length;
    return piece;
  });
  return [...pieces, lines.slice(at)].flat();
}

const isSameLines = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((line, index) => line === other[index]);

/** An empty text has no lines here, so that what was written into it can be taken out again. */
const linesOf = (text: string | null): readonly string[] => (text ? text.split('\n') : []);

function takeBackConfig({ before, after }: Change<Artifacts>, now: Artifacts, choices: OverlapChoices) {
  if (isSameJson(now.config, after.config)) return { config: before.config, overlaps: [] };
  const later = diffConfig(after.config, now.config);
  const overlaps: ConfigChange[] = [];
  const taken = diffConfig(after.config, before.config).flatMap((change): ConfigChange[] => {
    const moved = later.find(({ path }) => isSamePlace(path, change.path));
    if (moved === undefined) return [change];
    if (isSameJson(moved.after, change.after)) return [];
    const choice = choices.get(change.id);
    const overlap = { ...change, before: moved.after };
    if (choice === undefined) overlaps.push(overlap);
    return choice === 'DISCARD' ? [overlap] : [];
  });
  return { config: withConfigChanges(now.config, taken), overlaps };
}

/** Whether one of two settings is the other, or lies within it. */
function isSamePlace(one: readonly string[], other: readonly string[]): boolean {
  const depth = Math.min(one.length, other.length);
  return one.slice(0, depth).every((name, index) => name === other[index]);
}

function takeBackDescription({ before, after }: Change<Artifacts>, now: Artifacts, choices: OverlapChoices) {
  const [wanted, written, current] = [before.description, after.description, now.description];
  if (written === wanted || current === wanted) return { description: current, overlap: null };
  const id = `description:${wanted}`;
  const choice = choices.get(id);
  if (current === written || choice === 'DISCARD') return { description: wanted, overlap: null };
  if (choice === 'KEEP') return { description: current, overlap: null };
  const overlap = { id, before: current, after: wanted, words: diffWords(current ?? '', wanted ?? '') };
  return { description: current, overlap };
}
