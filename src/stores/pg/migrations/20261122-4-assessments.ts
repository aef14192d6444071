import { type Kysely, sql } from 'kysely';

/** What is said of an answer beside its text. Messages of before were stored as the model wrote them, tables included. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table messages
    add column assessment text, -- the model's own; null where it gave none
    add column stripped_tables integer not null default 0, -- left out of the text, for the answer shows the results itself
    add column unverified_table boolean not null default false -- whether the text holds a table of the model's own
  `.execute(db);
}
