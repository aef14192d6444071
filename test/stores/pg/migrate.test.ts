import { expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { createLogger } from '../../../src/log.ts';
import { openDatabase } from '../../../src/stores/pg/database.ts';
import { migrate } from '../../../src/stores/pg/migrate.ts';
import { createTestDatabase } from '../../support/databases.ts';

const log = createLogger('silent');

test('migrating from several processes at once, and once more, leaves one set of tables', async () => {
  const database = await createTestDatabase();
  const handles = Array.from({ length: 3 }, () => openDatabase(database.url, { log, connections: 2 }));
  try {
    await sql`drop schema public cascade`.execute(handles[0]!.db);
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
    await expect(migrate(handle.db)).rejects.toThrow(/20991231-1-later/);
  } finally {
    await handle.close();
    await database.drop();
  }
});
