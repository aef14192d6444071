/** What models taught is kept in Postgres: another process knows it, until it is a day old. */
import { expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { until } from '@qpilot/test-support';
import { openLessonBook } from '../../src/app/lesson-book.ts';
import { createLogger } from '../../src/base/log.ts';
import { openDatabase } from '../../src/stores/pg/database.ts';
import { migrate } from '../../src/stores/pg/migrate.ts';
import { readModelLessons } from '../../src/stores/pg/model-lessons.ts';
import { createTestDatabase } from '../support/databases.ts';

const log = createLogger('silent');

test('a refusal is known to the next process, to that server only, and for a day', async () => {
  const database = await createTestDatabase();
  const opened = openDatabase(database.url, { log, connections: 2 });
  const { db } = opened;
  try {
    await migrate(db);
    const book = await openLessonBook(db, log);
    const learned = book('openai', 'llm.example.org', 'house-model');
    expect(book('openai', 'llm.example.org', 'house-model')).toBe(learned);
    learned.learn({ refused: ['temperature'] });
    learned.learn({ refused: ['strict'], isBlind: true, contextTokens: 8192 });
    const lesson = { refused: ['temperature', 'strict'], isBlind: true, contextTokens: 8192 };
    expect(learned.current()).toEqual(lesson);
    await until(async () => {
      const [row] = await readModelLessons(db);
      return JSON.stringify(row?.lesson).includes('8192');
    });
    const next = await openLessonBook(db, log);
    expect(next('openai', 'llm.example.org', 'house-model').current()).toEqual(lesson);
    expect(next('openai', null, 'house-model').current().refused).toEqual([]);
    await sql`update model_lessons set learned_at = learned_at - interval '25 hours'`.execute(db);
    const later = await openLessonBook(db, log);
    expect(later('openai', 'llm.example.org', 'house-model').current().refused).toEqual([]);
  } finally {
    await opened.close();
    await database.drop();
  }
});
