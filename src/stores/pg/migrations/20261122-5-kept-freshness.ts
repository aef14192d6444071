import { type Kysely, sql } from 'kysely';

/** Kept results remember how old their rows are, so that what is computed from them later does too. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table session_data add column freshness json -- null where its rows have no age`.execute(
    db,
  );
}
