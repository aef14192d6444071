/** What callers learn when Postgres cannot be asked. */
import { expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { ServiceBusyError, StoreAwayError } from '../../../src/base/errors.ts';
import { createLogger } from '../../../src/base/log.ts';
import { openDatabase } from '../../../src/stores/pg/database.ts';
import { createTestDatabase } from '../../support/databases.ts';

const log = createLogger('silent');

test('all connections in use is SERVICE_BUSY, with a time to come back, and the next request is served', async () => {
  const database = await createTestDatabase();
  const store = openDatabase(database.url, { log, connections: 1, connectMs: 50 });
  await store.db.transaction().execute(async () => {
    const refused = sql`select 1`.execute(store.db);
    await expect(refused).rejects.toThrow(ServiceBusyError);
    await expect(refused).rejects.toMatchObject({ code: 'SERVICE_BUSY', retryAfterMs: 2_000 });
  });
  expect((await sql`select 1 as one`.execute(store.db)).rows).toEqual([{ one: 1 }]);
  await store.close();
  await database.drop();
});

test('a server that is not there, or ends the connection in a statement, is STORE_AWAY', async () => {
  const nowhere = openDatabase('postgres://nobody@127.0.0.1:1/none', { log });
  await expect(sql`select 1`.execute(nowhere.db)).rejects.toThrow(StoreAwayError);
  await nowhere.close();
  const database = await createTestDatabase();
  const store = openDatabase(database.url, { log });
  await expect(sql`select pg_terminate_backend(pg_backend_pid())`.execute(store.db)).rejects.toThrow(
    StoreAwayError,
  );
  await store.close();
  await database.drop();
});

test('a mistake in a statement stays what it is', async () => {
  const database = await createTestDatabase();
  const store = openDatabase(database.url, { log });
  await expect(sql`select nothing`.execute(store.db)).rejects.toMatchObject({ code: '42703' });
  await store.close();
  await database.drop();
});
