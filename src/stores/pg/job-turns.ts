import { sql } from 'kysely';
import type { Turn, TurnError, TurnStatus, Viewer } from '../../domain/conversation/session.ts';
import type { PhaseDecision, PhaseTurn } from '../../domain/jobs/job.ts';
import { toStoredText } from '../../domain/text/stored-text.ts';
import { type Db, transact, type Tx } from './database.ts';
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

/**
 * Stores the decision of a phase, replacing an earlier one, while its turn runs; false once it has ended. `report`: the text
 * of the report that it names, for the search.
 */
export function keepDecision(
  db: Db,
  turnId: string,
  decision: PhaseDecision,
  report: string | null = null,
): Promise<boolean> {
  return transact(db, async (tx) => {
    const decided = await setDecision(tx, turnId, decision);
    if (decided === null) return false;
    if (report !== null) await keepReport(tx, decided.job_id, report);
    return true;
  });
}

/** Keeps the begin of a report of a job, in place of an earlier one. */
export async function keepReport(db: Db | Tx, jobId: string, report: string): Promise<void> {
  await db
    .updateTable('jobs')
    .set({ report: toStoredText(report.slice(0, REPORT_CHARACTERS)) })
    .where('id', '=', jobId)
    .execute();
}

/** Jobs that named a report of which no text is kept, with its path in the workspace. */
export async function findUnkeptReports(
  db: Db,
  most: number,
): Promise<readonly { readonly jobId: string; readonly path: string }[]> {
  const { rows } = await sql<{ readonly jobId: string; readonly path: string }>`
    select distinct on (jobs.id) jobs.id as "jobId", decision ->> 'reportPath' as path
    from jobs join job_turns on job_id = jobs.id join turns on turns.id = turn_id
    where jobs.report is null and decision ->> 'reportPath' is not null
    order by jobs.id, number desc limit ${most}
  `.execute(db);
  return rows;
}

/** As much of a text as the index of words has. */
const REPORT_CHARACTERS = 50_000;

/** Null once its turn has ended. */
async function setDecision(tx: Tx, turnId: string, decision: PhaseDecision) {
  const row = await tx
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
    .returning('job_id')
    .executeTakeFirst();
  return row ?? null;
}
