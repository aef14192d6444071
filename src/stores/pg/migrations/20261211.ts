import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What stays of a deleted job, so that its workspace is removed even if the deleting process ended in between. */
async function deletedJobs(db: Kysely<never>): Promise<void> {
  await sql`alter table deleted_sessions add column job_id uuid`.execute(db);
  await sql`create index deleted_jobs on deleted_sessions (job_id) where job_id is not null`.execute(db);
}

/** These migrations by name. */
export const MIGRATIONS_20261211: Readonly<Record<string, Migration>> = {
  '20261211-1-deleted-jobs': { up: deletedJobs },
};
