import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What models thought is found without reading whole turns, and each turn has the effort that was asked for. */
async function thinking(db: Kysely<never>): Promise<void> {
  await sql`create index events_of_thinking on events (turn_id, seq) where type = 'ThinkingEvent'`.execute(
    db,
  );
  await sql`alter table turns add column effort text -- null: left to the model`.execute(db);
}

/** Messages that are to join a running turn wait as queued turns that name it. */
async function joiningTurns(db: Kysely<never>): Promise<void> {
  await sql`alter table turns add column joins_id uuid`.execute(db);
  await sql`create index turns_joining on turns (joins_id) where status = 'QUEUED'`.execute(db);
}

/** These migrations by name. */
export const MIGRATIONS_20261129: Readonly<Record<string, Migration>> = {
  '20261129-1-thinking': { up: thinking },
  '20261129-2-joining-turns': { up: joiningTurns },
};
