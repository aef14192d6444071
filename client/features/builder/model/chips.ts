import type { BuilderStateFragment } from '../../../gql/graphql.ts';
import type { ArtifactEdit } from './builder-view.ts';

/**
 * What became of an edit. Null for one that changed nothing; `DECIDED` for a proposal of which it is only known that it
 * is pending no more.
 */
export type ChipState = BuilderStateFragment['edits'][number]['state'] | 'DECIDED' | null;

/** The states of the edits of one turn, by the session as it was read last. */
export function chipStates(
  turnId: string,
  edits: readonly ArtifactEdit[],
  stored: Pick<BuilderStateFragment, 'edits' | 'proposal'> | null,
): ReadonlyMap<string, ChipState> {
  const known = (stored?.edits ?? []).filter(({ turn }) => turn?.id === turnId);
  const states = new Map(known.map(({ callId, state }) => [callId, state]));
  return new Map(
    edits.map((edit) => {
      const { callId, isProposal, revisionBefore, revisionAfter } = edit;
      const proposed = stored === null || stored.proposal ? 'PROPOSED' : 'DECIDED';
      const unread = isProposal ? proposed : revisionAfter > revisionBefore ? 'APPLIED' : null;
      return [callId, states.get(callId) ?? unread] as const;
    }),
  );
}

/** Whether something of a turn is in the artifacts, so that it can be undone. */
export const isUndoable = (states: ReadonlyMap<string, ChipState>): boolean =>
  [...states.values()].some((state) => state === 'APPLIED' || state === 'ACCEPTED' || state === 'PARTLY');

/** How a chip looks: something was changed, something waits, something was changed with a warning, or nothing was. */
export type ChipTone = 'changed' | 'proposed' | 'warned' | 'nothing' | 'failed';

/** The tone of an edit's chip. */
export function chipTone({ outcome }: Pick<ArtifactEdit, 'outcome'>, state: ChipState): ChipTone {
  if (state === 'PROPOSED') return 'proposed';
  if (state === 'REJECTED' || state === 'UNDONE' || state === 'REPLACED' || state === 'DECIDED') {
    return 'nothing';
  }
  switch (outcome) {
    case 'APPLIED':
      return state === 'PARTLY' ? 'warned' : 'changed';
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

/** The revisions before the first change of a turn and after its last; null where it changed nothing. */
export function revisionsOfTurn(
  edits: readonly ArtifactEdit[],
): { readonly before: number; readonly after: number } | null {
  const changes = edits.filter(({ revisionBefore, revisionAfter }) => revisionAfter > revisionBefore);
  const [first, last] = [changes.at(0), changes.at(-1)];
  return first && last ? { before: first.revisionBefore, after: last.revisionAfter } : null;
}
