import type { Turn, TurnError, TurnStatus, Viewer } from '../../domain/conversation/session.ts';
import type { PhaseDecision, PhaseTurn } from '../../domain/jobs/job.ts';
import type { Db, Tx } from './database.ts';
import { inOrderOf, isOneOf, isReadableBy } from './ids.ts';
import { camelKeys } from './row-keys.ts';
import { rowToTurn } from './turns.ts';

/** A turn of a job, with its status. */
export type StoredPhaseTurn = PhaseTurn & {
  readonly run: number;
  readonly status: TurnStatus;
  readonly error: TurnError | null;
};

/** Records which phase of which job a turn is. */
export async function insertPhaseTurn(
  tx: Tx,
  jobId: string,
  turn: Omit<PhaseTurn, 'decision'> & { readonly run: number },
): Promise<void> {
  await tx
    .insertInto('job_turns')
    .values({ turn_id: turn.turnId, job_id: jobId, run: turn.run, phase: turn.phase, kind: turn.kind })
    .execute();
}

/** The turns of a job, oldest first. */
export async function listPhaseTurns(db: Db, jobId: string): Promise<StoredPhaseTurn[]> {
  const rows = await db
    .selectFrom('job_turns')
    .innerJoin('turns', 'turns.id', 'turn_id')
    .select(['turn_id', 'run', 'phase', 'kind', 'decision', 'status', 'error'])
    .where('job_id', '=', jobId)
    .orderBy('turns.number')
    .execute();
  return rows.map(camelKeys);
}

/** The newest turn of each of the viewer's sessions, in the order of `sessionIds`; null for one without any. */
export async function findNewestTurns(
  db: Db,
  viewer: Viewer,
  sessionIds: readonly string[],
): Promise<(Turn | null)[]> {
  const rows = await db
    .selectFrom('turns')
    .selectAll()
    .distinctOn('session_id')
    .where(isOneOf('session_id', sessionIds))
    .where(isReadableBy(viewer, 'turns', 'turns.session_id'))
    .orderBy('session_id')
    .orderBy('number', 'desc')
    .execute();
  const newest = inOrderOf(sessionIds, rows, (row) => row.session_id);
  return newest.map((row) => row && rowToTurn(row));
}

/** Stores the decision of a phase, replacing an earlier one, while its turn runs; false once it has ended. */
export async function keepDecision(db: Db, turnId: string, decision: PhaseDecision): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('job_turns')
    .set({ decision: JSON.stringify(decision) })
    .where('turn_id', '=', turnId)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('turns')
          .select('id')
          .whereRef('turns.id', '=', 'job_turns.turn_id')
          .where('status', '=', 'RUNNING')
          .where('cancel_requested_at', 'is', null),
      ),
    )
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
