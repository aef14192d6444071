import { expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { createLogger } from '../../../src/base/log.ts';
import { openDatabase } from '../../../src/stores/pg/database.ts';
import { newId } from '../../../src/stores/pg/ids.ts';
import { isMigrated, migrate } from '../../../src/stores/pg/migrate.ts';
import { MIGRATIONS_20261121 } from '../../../src/stores/pg/migrations/20261121.ts';
import { MIGRATIONS_20261122 } from '../../../src/stores/pg/migrations/20261122.ts';
import { createTestDatabase } from '../../support/databases.ts';

const log = createLogger('silent');

test('migrating from several processes at once, and once more, leaves one set of tables', async () => {
  const database = await createTestDatabase();
  const handles = Array.from({ length: 3 }, () => openDatabase(database.url, { log, connections: 2 }));
  try {
    await sql`drop schema public, auth cascade`.execute(handles[0]!.db);
    await sql`create schema public`.execute(handles[0]!.db);
    await Promise.all(handles.map(({ db }) => migrate(db)));
    await migrate(handles[0]!.db);
    const { rows } = await sql<{ name: string }>`
      select table_name as name from information_schema.tables where table_schema = 'public' order by 1
    `.execute(handles[0]!.db);
    expect(rows.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'charts',
        'events',
        'messages',
        'session_data',
        'sessions',
        'tables',
        'tool_calls',
        'turns',
      ]),
    );
  } finally {
    await Promise.all(handles.map((handle) => handle.close()));
    await database.drop();
  }
});

test('a database that is newer than the program is refused by name', async () => {
  const database = await createTestDatabase();
  const handle = openDatabase(database.url, { log });
  try {
    await migrate(handle.db);
    await sql`insert into kysely_migration (name, timestamp) values ('20991231-1-later', now()::text)`.execute(
      handle.db,
    );
    await expect(migrate(handle.db)).rejects.toThrow(
      /^the database is newer than this program: it has 20991231-1-later, .*Start the version that made it/,
    );
    expect(await isMigrated(handle.db)).toBe(true); // a server that was started before it goes on
    await sql`delete from kysely_migration where name < '20261122'`.execute(handle.db);
    expect(await isMigrated(handle.db)).toBe(false);
  } finally {
    await handle.close();
    await database.drop();
  }
});

test('turns of before the branches stand one after the other, and a retry beside what it repeats', async () => {
  const database = await createTestDatabase();
  const handle = openDatabase(database.url, { log });
  const { db } = handle;
  try {
    await sql`drop schema public, auth cascade; create schema public`.execute(db);
    await MIGRATIONS_20261121['20261121-1-sessions']!.up(db);
    const [session, one, two, retry, three] = Array.from({ length: 5 }, () => newId());
    await sql`insert into sessions (id, kind, project_id, viewer_id, title)
      values (${session}, 'COPILOT', 'demo', 'ada', 'a')`.execute(db);
    const questions = [newId(), newId()];
    const turns = [
      [one, questions[0]],
      [two, questions[1]],
      [retry, questions[1]],
      [three, newId()],
    ];
    for (const [index, [id, question]] of turns.entries()) {
      await sql`insert into turns
          (id, session_id, project_id, viewer_id, number, status, question_id, client_message_id, before_seq)
        values (${id}, ${session}, 'demo', 'ada', ${index + 1}, 'COMPLETED', ${question}, ${id}, 0)`.execute(
        db,
      );
    }
    await MIGRATIONS_20261122['20261122-1-branches']!.up(db);
    const { rows } = await sql`select id, parent_id, replaces_id from turns order by number`.execute(db);
    expect(rows).toEqual([
      { id: one, parent_id: null, replaces_id: null },
      { id: two, parent_id: one, replaces_id: null },
      { id: retry, parent_id: one, replaces_id: two },
      { id: three, parent_id: retry, replaces_id: null },
    ]);
  } finally {
    await handle.close();
    await database.drop();
  }
});
