import { type Kysely, sql } from 'kysely';

/** Answers tell ages by the clock of the app, which may be another than that of the database. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table turns add column as_of timestamptz -- the app's time at its start; null while it waits`.execute(
    db,
  );
}
