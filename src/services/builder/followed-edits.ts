/** What became of the edits that the builder made. */
import { leftOfEdit } from '../../domain/artifacts/edit-trace.ts';
import type { Artifacts } from '../../domain/artifacts/artifacts.ts';
import type { EditDecision, EditState, FollowedEdit } from '../../domain/conversation/builder-session.ts';
import {
  readArtifacts,
  readFollowedEdits,
  readGoingsBack,
  readProposal,
  type GoingBack,
} from '../../stores/pg/builder-artifacts.ts';
import type { Db } from '../../stores/pg/database.ts';

/** Edits of a session that are followed at once, the newest ones. */
export const MOST_FOLLOWED = 200;

/** An edit with what became of it. */
export type EditOutcome = FollowedEdit & { readonly state: EditState };

/** The newest edits of a session that was read for the viewer, newest first. */
export async function followEdits(db: Db, sessionId: string): Promise<readonly EditOutcome[]> {
  const edits = await readFollowedEdits(db, sessionId, { limit: MOST_FOLLOWED });
  if (edits.length === 0) return [];
  const [newest, proposal, goingsBack] = await Promise.all([
    readArtifacts(db, sessionId),
    readProposal(db, sessionId),
    readGoingsBack(db, sessionId),
  ]);
  const now = newest.artifacts;
  const states = { now, proposed: proposal?.artifacts ?? now, path: pathOf(goingsBack, newest.revision) };
  return edits.map((edit) => ({ ...edit, state: stateOf(edit, states) }));
}

/** How the revisions led to the newest one, goings back left out. */
type RevisionPath = {
  /** Turns that were undone and not brought back since. */
  readonly undoneTurns: ReadonlySet<string>;
  /** Whether nobody went back to before a revision. */
  readonly includes: (revision: number) => boolean;
};

/** `goingsBack` newest first. */
export function pathOf(goingsBack: readonly GoingBack[], newest: number): RevisionPath {
  const undoneTurns = new Set<string>();
  const stretches: { readonly from: number; readonly to: number }[] = [];
  let end = newest;
  for (const { revision, undoneTurnId, restoredRevision } of goingsBack) {
    if (revision > end) continue;
    stretches.push({ from: revision, to: end });
    if (undoneTurnId !== null) undoneTurns.add(undoneTurnId);
    end = restoredRevision ?? revision - 1;
  }
  stretches.push({ from: 0, to: end });
  const includes = (revision: number): boolean =>
    stretches.some(({ from, to }) => from <= revision && revision <= to);
  return { undoneTurns, includes };
}

function stateOf(
  edit: FollowedEdit,
  {
    now,
    proposed,
    path,
  }: { readonly now: Artifacts; readonly proposed: Artifacts; readonly path: RevisionPath },
): EditState {
  const { artifact, trace, turnId, isProposal, decision, revision } = edit;
  const { left, of } = leftOfEdit(artifact, trace, now);
  if (isProposal && decision === null) {
    return leftOfEdit(artifact, trace, proposed).left > 0 ? 'PROPOSED' : 'REPLACED';
  }
  if (decision === 'REJECTED' || decision === 'REPLACED') return decision;
  if (left === of) return decision ?? 'APPLIED';
  if (left > 0) return 'PARTLY';
  const isUndone = path.undoneTurns.has(turnId) || (revision !== null && !path.includes(revision));
  return isUndone ? 'UNDONE' : 'REPLACED';
}

/**
 * How the user has decided about a proposed edit, by the proposal as it was, what is left of it, and the artifacts with
 * what was accepted; null while some of it is pending.
 */
export function decisionOn(
  { artifact, trace }: FollowedEdit,
  states: { readonly proposed: Artifacts; readonly left: Artifacts; readonly taken: Artifacts },
): EditDecision | null {
  const [proposed, pending, accepted] = [states.proposed, states.left, states.taken].map(
    (state) => leftOfEdit(artifact, trace, state).left,
  ) as [number, number, number];
  if (pending > accepted) return null;
  if (accepted === trace.length) return 'ACCEPTED';
  if (accepted > 0) return 'PARTLY';
  return proposed > 0 ? 'REJECTED' : 'REPLACED';
}
