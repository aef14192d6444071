/** What differs between two texts, in lines and, within changed lines, in words. */
import { diffArrays, diffWordsWithSpace } from 'diff';
import { shortHash } from '../text/short-hash.ts';

/** Whether a piece is in both texts, only in the older or only in the newer one. */
export const DIFF_KINDS = ['SAME', 'REMOVED', 'ADDED'] as const;
export type DiffKind = (typeof DIFF_KINDS)[number];

/** A line or some words. */
export type DiffPiece = { readonly kind: DiffKind; readonly text: string };

/** Lines that changed together, with some around them. */
export type TextHunk = {
  /** The same for the same change in the same place. */
  readonly id: string;
  /** 1-based line of the older text where the change begins; removed lines follow from there. */
  readonly fromLine: number;
  readonly fromLines: number;
  /** The same of the newer text and the added lines. */
  readonly toLine: number;
  readonly toLines: number;
  /** With up to three unchanged lines before and after. */
  readonly lines: readonly DiffPiece[];
  /** The changed lines as one text, word by word; null where lines were only added or removed, or are too long. */
  readonly words: readonly DiffPiece[] | null;
};

/** Unchanged lines around a hunk. */
const CONTEXT_LINES = 3;
/** Longest changed passage whose words are compared, in UTF-16 code units. */
const MAX_WORDS_LENGTH = 20_000;
/** Texts that differ in more lines than this are one change as a whole. */
const MAX_EDITS = 1_000;

/** The hunks between two texts, in their order; null is a missing text. */
export function diffText(from: string | null, to: string | null): readonly TextHunk[] {
  const [before, after] = [linesOf(from), linesOf(to)];
  return changesOf(before, after).map((change) => hunkOf(change, before));
}

/** A change of `before`, with the lines around it. */
export function hunkOf(change: LineChange, before: readonly string[]): TextHunk {
  const { from, to, removed, added } = change;
  const end = from + removed.length;
  return {
    id: idOf(change),
    fromLine: from + 1,
    fromLines: removed.length,
    toLine: to + 1,
    toLines: added.length,
    lines: [
      ...pieces('SAME', before.slice(Math.max(0, from - CONTEXT_LINES), from)),
      ...pieces('REMOVED', removed),
      ...pieces('ADDED', added),
      ...pieces('SAME', before.slice(end, end + CONTEXT_LINES)),
    ],
    words: wordsOf(removed.join('\n'), added.join('\n')),
  };
}

/** The older text with the hunks of `accepted` changed and the others as they were. */
export function applyHunks(
  from: string | null,
  to: string | null,
  accepted: ReadonlySet<string>,
): string | null {
  const [before, after] = [linesOf(from), linesOf(to)];
  const kept: string[] = [];
  let at = 0;
  for (const change of changesOf(before, after)) {
    kept.push(
      ...before.slice(at, change.from),
      ...(accepted.has(idOf(change)) ? change.added : change.removed),
    );
    at = change.from + change.removed.length;
  }
  kept.push(...before.slice(at));
  return kept.length === 0 ? null : kept.join('\n');
}

/** What differs between two short texts, word by word. */
export const diffWords = (from: string, to: string): readonly DiffPiece[] =>
  diffWordsWithSpace(from, to).map(({ added, removed, value }) => ({
    kind: added ? 'ADDED' : removed ? 'REMOVED' : 'SAME',
    text: value,
  }));

/** Lines of the newer text that changed, in words for a prompt: `lines 3–5, 9`; null where nothing did. */
export function changedLines(from: string | null, to: string | null): string | null {
  const hunks = diffText(from, to);
  if (hunks.length === 0) return null;
  const places = hunks.map(({ toLine, toLines }) => {
    if (toLines === 0) return toLine === 1 ? 'removed at the beginning' : `removed after line ${toLine - 1}`;
    return toLines === 1 ? `line ${toLine}` : `lines ${toLine}–${toLine + toLines - 1}`;
  });
  return places.join(', ');
}

/** Adjacent lines that differ. */
export type LineChange = {
  /** 0-based places in the two texts. */
  readonly from: number;
  readonly to: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
};

/** The changes between two texts, in their order. */
export function changesOf(before: readonly string[], after: readonly string[]): readonly LineChange[] {
  const parts = diffArrays([...before], [...after], { maxEditLength: MAX_EDITS });
  if (parts === undefined) return [{ from: 0, to: 0, removed: before, added: after }];
  const changes: LineChange[] = [];
  let [from, to] = [0, 0];
  let isOpen = false;
  for (const { value, added, removed } of parts) {
    if (!added && !removed) {
      from += value.length;
      to += value.length;
      isOpen = false;
      continue;
    }
    const last = isOpen ? changes.pop() : undefined;
    const change = last ?? { from, to, removed: [], added: [] };
    changes.push(removed ? { ...change, removed: value } : { ...change, added: value });
    if (removed) from += value.length;
    else to += value.length;
    isOpen = true;
  }
  return changes;
}

const idOf = (change: LineChange): string => shortHash(JSON.stringify(change));

const linesOf = (text: string | null): readonly string[] => (text === null ? [] : text.split('\n'));

const pieces = (kind: DiffKind, lines: readonly string[]): readonly DiffPiece[] =>
  lines.map((text) => ({ kind, text }));

function wordsOf(removed: string, added: string): readonly DiffPiece[] | null {
  const isChange = removed !== '' && added !== '';
  return isChange && removed.length + added.length <= MAX_WORDS_LENGTH ? diffWords(removed, added) : null;
}
