import { type Kysely, sql } from 'kysely';

/** When a user opened a proposed job, which is then kept. Of those that there are nobody knows: they are kept, too. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table job_drafts add column opened_at timestamptz`.execute(db);
  await sql`update job_drafts set opened_at = now()`.execute(db);
  await sql`create index job_drafts_never_opened on job_drafts (created_at) where opened_at is null`.execute(
    db,
  );
}
