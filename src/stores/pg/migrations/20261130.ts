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

/** Budgets count what is paid: cached input at its share of the price. Until now they counted every token. */
async function chargedTokens(db: Kysely<never>): Promise<void> {
  for (const table of ['sessions', 'daily_usage']) {
    const counted = sql.table(table);
    await sql`alter table ${counted} add column charged_tokens bigint not null default 0`.execute(db);
    await sql`update ${counted} set charged_tokens = input_tokens + output_tokens`.execute(db);
  }
}

/** What an answer that a program reads must be. */
async function answerSchemas(db: Kysely<never>): Promise<void> {
  await sql`alter table turns add column answer_schema json -- null: an answer in words`.execute(db);
}

/** These migrations by name. */
export const MIGRATIONS_20261130: Readonly<Record<string, Migration>> = {
  '20261130-1-model-lessons': { up: modelLessons },
  '20261130-2-charged-tokens': { up: chargedTokens },
  '20261130-3-answer-schemas': { up: answerSchemas },
};
