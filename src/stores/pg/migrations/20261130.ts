import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What models taught by refusing requests, for each server that serves them. */
async function modelLessons(db: Kysely<never>): Promise<void> {
  await sql`
    create table model_lessons (
      provider text not null,
      host text not null, -- empty: the provider's own
      model text not null,
      lesson jsonb not null,
      learned_at timestamptz not null,
      primary key (provider, host, model)
    )
  `.execute(db);
}

/** These migrations by name. */
export const MIGRATIONS_20261130: Readonly<Record<string, Migration>> = {
  '20261130-1-model-lessons': { up: modelLessons },
};
