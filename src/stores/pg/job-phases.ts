/** What the agent reads about the job that its phase belongs to, scoped to the turn of its run. */
import type { AttachedDatasource } from '../../domain/jobs/job.ts';
import type { Job } from '../../domain/jobs/job.ts';
import type { Db } from './database.ts';
import { MS_LEFT, SPENT_TOKENS } from './job-claims.ts';
import { listPhaseTurns, type StoredPhaseTurn } from './job-turns.ts';
import { JOB_COLUMNS, rowToJob } from './jobs.ts';

/** A job as one of its phases sees it. */
export type PhaseFacts = {
  readonly job: Job;
  readonly datasources: readonly AttachedDatasource[];
  /** Of the whole job, oldest first; the running one is the last. */
  readonly turns: readonly StoredPhaseTurn[];
  readonly phasesBefore: number;
  readonly spentTokens: number;
  readonly msLeft: number;
};

/** Null for a turn that is not a phase of a job. */
export async function readPhaseFacts(db: Db, turnId: string): Promise<PhaseFacts | null> {
  const row = await db
    .selectFrom('job_turns')
    .innerJoin('jobs', 'jobs.id', 'job_turns.job_id')
    .innerJoin('sessions', 'sessions.id', 'jobs.session_id')
    .select(JOB_COLUMNS.map((column) => `jobs.${column}` as const))
    .select(['phases_before', MS_LEFT, SPENT_TOKENS])
    .where('turn_id', '=', turnId)
    .executeTakeFirst();
  if (!row) return null;
  const snapshots = await db
    .selectFrom('job_datasources')
    .select('snapshot')
    .where('job_id', '=', row.id)
    .orderBy('position')
    .execute();
  return {
    job: rowToJob(row),
    datasources: snapshots.map(({ snapshot }) => snapshot),
    turns: await listPhaseTurns(db, row.id),
    phasesBefore: row.phases_before,
    spentTokens: row.spent_tokens,
    msLeft: row.ms_left ?? 0,
  };
}
