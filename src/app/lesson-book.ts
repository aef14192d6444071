/** The lessons of all models, kept in PostgreSQL; one object for each model however many ask for it. */
import { z } from 'zod';
import type { LessonBook } from '../agent/models/known-models.ts';
import { createLessons, type Lessons } from '../agent/models/shared/learned.ts';
import type { Logger } from '../base/log.ts';
import type { Db } from '../stores/pg/database.ts';
import { keepModelLesson, readModelLessons, type LessonKey } from '../stores/pg/model-lessons.ts';

const lesson = z.object({
  refused: z.array(z.string()),
  isBlind: z.boolean(),
  contextTokens: z.number().nullable(),
});

/** Reads what was kept. What is learned is kept in the background; a failure of that is logged and costs nothing. */
export async function openLessonBook(db: Db, log: Logger): Promise<LessonBook> {
  const kept = await readModelLessons(db);
  const opened = new Map<string, Lessons>();
  return (provider, host, name) => {
    const key: LessonKey = { provider, host: host ?? '', model: name };
    const id = JSON.stringify(key);
    const known = opened.get(id);
    if (known !== undefined) return known;
    const row = kept.find((each) => JSON.stringify(pick(each)) === id);
    const start = lesson.safeParse(row?.lesson);
    const lessons = createLessons({
      start: row !== undefined && start.success ? { lesson: start.data, at: row.at } : null,
      keep(learned) {
        const line = { provider, model: name, ...learned.lesson };
        log.info(line, 'a model refused a request; for a day it is asked by what that taught');
        keepModelLesson(db, { ...key, ...learned }).catch((error: unknown) =>
          log.warn({ err: error, model: name }, 'what a model refused could not be kept'),
        );
      },
    });
    opened.set(id, lessons);
    return lessons;
  };
}

const pick = ({ provider, host, model }: LessonKey): LessonKey => ({ provider, host, model });
