import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * What became of each edit of the builder, and what going back went back to. Edits and revisions of before are not
 * followed.
 */
async function followedEdits(db: Kysely<never>): Promise<void> {
  await sql`create table builder_edits (
    id uuid primary key, -- in the order of the edits
    session_id uuid not null references sessions,
    turn_id uuid not null,
    call_id text not null,
    artifact text not null,
    trace json not null, -- what it changed, piece by piece: [{key, from, to}]
    is_proposal boolean not null,
    decision text, -- of the user about a proposal; null while it is pending
    revision integer, -- that brought it into the artifacts
    unique (session_id, turn_id, call_id)
  )`.execute(db);
  await sql`create index builder_edits_newest on builder_edits (session_id, id desc)`.execute(db);
  await sql`alter table builder_artifact_revisions
    add column undone_turn_id uuid, add column restored_revision integer`.execute(db);
}

/** These migrations by name. */
export const MIGRATIONS_20261230_04: Readonly<Record<string, Migration>> = {
  '20261230-04-followed-edits': { up: followedEdits },
};
