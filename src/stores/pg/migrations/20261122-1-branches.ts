import { type Kysely, sql } from 'kysely';

/**
 * Turns form a tree: editing a message or asking it again begins a branch beside the old turn, which stays. Turns of
 * before get the place that they were shown in: one after the other, a retry beside the turn that it repeats.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table turns
    add column parent_id uuid, -- the turn that it follows; null for the first of a session and what stands beside that
    add column replaces_id uuid, -- the turn in whose place it was asked: of an edited message or a retry
    add column disputed_id uuid -- the message whose values it is to verify
  `.execute(db);
  await sql`
    update turns set
      replaces_id = (
        select first.id from turns as first
        where first.session_id = turns.session_id and first.question_id = turns.question_id
          and first.number < turns.number
        order by first.number limit 1
      ),
      parent_id = (
        select before.id from turns as before
        where before.session_id = turns.session_id and before.number < (
          select min(first.number) from turns as first
          where first.session_id = turns.session_id and first.question_id = turns.question_id
        )
        order by before.number desc limit 1
      )
  `.execute(db);
  await sql`create index turns_of_parent on turns (parent_id)`.execute(db);
}
