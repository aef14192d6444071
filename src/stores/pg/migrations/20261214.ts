import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Events of quiet conversations by the page, and records of model calls compressed; both as zstd, which TOAST leaves alone. */
async function packedTurns(db: Kysely<never>): Promise<void> {
  for (const statement of [
    // All pages of a session come before the rows that it has in events.
    `create table event_pages (
       session_id uuid not null,
       last_seq integer not null,
       first_seq integer not null,
       turn_ids uuid[] not null, -- in the order of their last events
       found text[] not null, -- which of the types that are looked for by turn
       tool_rounds integer not null, -- of the last turn, so far
       body bytea not null, -- see event-pages.ts
       primary key (session_id, last_seq)
     )`,
    `alter table event_pages alter column body set storage external`,
    // A record has one of the two columns.
    `alter table step_records add column body_zstd bytea, alter column body drop not null`,
    `alter table step_records alter column body_zstd set storage external`,
  ]) {
    await sql.raw(statement).execute(db);
  }
}

/** Long charts and tables are compressed, likewise: a row has its two columns, or this one for both. */
async function compressedVisuals(db: Kysely<never>): Promise<void> {
  for (const statement of [
    `alter table charts add column body_zstd bytea, alter column data drop not null, alter column layout drop not null`,
    `alter table charts alter column body_zstd set storage external`,
    `alter table tables add column body_zstd bytea, alter column columns drop not null, alter column rows drop not null`,
    `alter table tables alter column body_zstd set storage external`,
  ]) {
    await sql.raw(statement).execute(db);
  }
}

/** These migrations by name. */
export const MIGRATIONS_20261214: Readonly<Record<string, Migration>> = {
  '20261214-1-packed-turns': { up: packedTurns },
  '20261214-2-compressed-visuals': { up: compressedVisuals },
};
