import type { ArtifactEdit } from './builder-view.ts';

/** How a chip looks: something was changed, something waits, something was changed with a warning, or nothing was. */
export type ChipTone = 'changed' | 'proposed' | 'warned' | 'nothing' | 'failed';

/** The tone of an edit's chip. */
export function chipTone({ outcome, isProposal }: Pick<ArtifactEdit, 'outcome' | 'isProposal'>): ChipTone {
  switch (outcome) {
    case 'APPLIED':
      return isProposal ? 'proposed' : 'changed';
    case 'APPLIED_FIRST':
    case 'APPLIED_CLAMPED':
      return 'warned';
    case 'NO_CHANGE':
    case 'NO_MATCH':
      return 'nothing';
    case 'AMBIGUOUS':
    case 'INVALID_ARGS':
    case 'LOCKED':
    case 'SKIPPED':
      return 'failed';
    default:
      return outcome satisfies never;
  }
}

/**
 * A piece of an answer: text, or the edits that were made after it. `offset` is where the text begins in the answer.
 */
export type AnswerPiece =
  | { readonly type: 'text'; readonly text: string; readonly offset: number }
  | { readonly type: 'edits'; readonly edits: readonly ArtifactEdit[] };

/** An answer with its edits where they were made; edits past its end (after a step was undone) come last. */
export function answerPieces(text: string, edits: readonly ArtifactEdit[]): readonly AnswerPiece[] {
  const pieces: AnswerPiece[] = [];
  let offset = 0;
  for (const group of Map.groupBy(edits, (edit) => Math.min(edit.offset, text.length))) {
    const [at, here] = group;
    if (at > offset) pieces.push({ type: 'text', text: text.slice(offset, at), offset });
    pieces.push({ type: 'edits', edits: here });
    offset = Math.max(offset, at);
  }
  if (offset < text.length) pieces.push({ type: 'text', text: text.slice(offset), offset });
  return pieces;
}

/** Whether a turn changed artifacts, so that it can be undone. */
export const changedAnything = (edits: readonly ArtifactEdit[]): boolean =>
  edits.some(({ revisionBefore, revisionAfter }) => revisionAfter > revisionBefore);

/** The revisions before the first change of a turn and after its last; null where it changed nothing. */
export function revisionsOfTurn(
  edits: readonly ArtifactEdit[],
): { readonly before: number; readonly after: number } | null {
  const changes = edits.filter(({ revisionBefore, revisionAfter }) => revisionAfter > revisionBefore);
  const [first, last] = [changes.at(0), changes.at(-1)];
  return first && last ? { before: first.revisionBefore, after: last.revisionAfter } : null;
}
