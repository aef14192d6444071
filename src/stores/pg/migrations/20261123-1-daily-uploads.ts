import { type Kysely, sql } from 'kysely';

/** What each user uploaded in a UTC day, refused and removed files included: it is the work that is limited. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`create table daily_uploads (
    viewer_id text not null,
    day date not null,
    files integer not null,
    bytes bigint not null,
    primary key (viewer_id, day)
  )`.execute(db);
}
