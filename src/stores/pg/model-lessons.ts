/** What models taught by refusing requests, so that a restart does not ask for it again. */
import { sql } from 'kysely';
import type { Db } from './database.ts';

/** A model of a server; an empty host is the provider's own. */
export type LessonKey = { readonly provider: string; readonly host: string; readonly model: string };

/** `lesson` is opaque here; `at` is in milliseconds since 1970. */
export type KeptLesson = LessonKey & { readonly lesson: unknown; readonly at: number };

export async function readModelLessons(db: Db): Promise<readonly KeptLesson[]> {
  const { rows } = await sql<KeptLesson>`
    select provider, host, model, lesson, (1000 * extract(epoch from learned_at))::float8 as at
    from model_lessons
  `.execute(db);
  return rows;
}

/** Replaces what was kept of that model. */
export async function keepModelLesson(
  db: Db,
  { provider, host, model, lesson, at }: KeptLesson,
): Promise<void> {
  await sql`
    insert into model_lessons (provider, host, model, lesson, learned_at)
    values (${provider}, ${host}, ${model}, ${JSON.stringify(lesson)}::jsonb, to_timestamp(${at / 1000}))
    on conflict (provider, host, model)
    do update set lesson = excluded.lesson, learned_at = excluded.learned_at
  `.execute(db);
}
