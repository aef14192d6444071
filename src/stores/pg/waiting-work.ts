import { sql } from 'kysely';
import type { JobStatus } from '../../domain/jobs/job.ts';
import { readOne, type Db } from './database.ts';

/** What a job is while something is still to be done. */
export const OPEN_JOBS = ['CREATED', 'PROCESSING', 'PENDING_REVIEW'] as const satisfies readonly JobStatus[];

/** Turns of conversations that wait, and open jobs by their status, of all processes. */
export function countWaiting(db: Db): Promise<{
  readonly turns: number;
  readonly jobs: Readonly<Partial<Record<string, number>>>;
}> {
  return readOne(
    sql<{ turns: number; jobs: Record<string, number> }>`
      select
        (select count(*)::int from turns where status = 'QUEUED') as turns,
        (select coalesce(json_object_agg(status, count), '{}') from (
          select status, count(*)::int from jobs where status in (${sql.join([...OPEN_JOBS])}) group by status
        ) as open) as jobs
    `,
    db,
  );
}
