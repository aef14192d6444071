/** What callers learn when Postgres cannot be asked. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { startChild, until } from '@qpilot/test-support';
import { sql } from 'kysely';
import { ServiceBusyError, StoreAwayError } from '../../../src/base/errors.ts';
import { createLogger } from '../../../src/base/log.ts';
import { openDatabase, transact } from '../../../src/stores/pg/database.ts';
import { lockName } from '../../../src/stores/pg/named-lock.ts';
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

test('a frozen server whose socket takes no more connections is STORE_AWAY', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'frozen-'));
  const script = join(folder, 'listen.mjs');
  const path = join(folder, '.s.PGSQL.5432');
  await writeFile(
    script,
    `import { createServer } from 'node:net';
    createServer().listen({ path: ${JSON.stringify(path)}, backlog: 1 }, () => console.log('listening'));`,
  );
  const server = startChild(script, []);
  await server.nextLine();
  server.process.kill('SIGSTOP');
  const waiting: Socket[] = [];
  const codes: string[] = [];
  await until(() => {
    waiting.push(connect(path).on('error', (error: NodeJS.ErrnoException) => codes.push(error.code ?? '')));
    return codes.includes('EAGAIN');
  });
  const store = openDatabase(`postgres://nobody@localhost/none?host=${encodeURIComponent(folder)}`, { log });
  await expect(sql`select 1`.execute(store.db)).rejects.toThrow(StoreAwayError);
  for (const socket of waiting) socket.destroy();
  await store.close();
  await server.end('SIGKILL');
  await rm(folder, { recursive: true });
});

test('a mistake in a statement stays what it is', async () => {
  const database = await createTestDatabase();
  const store = openDatabase(database.url, { log });
  await expect(sql`select nothing`.execute(store.db)).rejects.toMatchObject({ code: '42703' });
  await store.close();
  await database.drop();
});

test('a transaction that stood still is rolled back, frees its locks, and is repeated; it takes effect once', async () => {
  const database = await createTestDatabase();
  const limits = { lockMs: 50, idleMs: 100, statementMs: 5_000, answerMs: 0 };
  const [one, two] = [
    openDatabase(database.url, { log, limits }),
    openDatabase(database.url, { log, limits }),
  ];
  await sql`create table marks (who text)`.execute(one.db);
  let runs = 0;
  const slow = transact(one.db, async (tx) => {
    runs += 1;
    await lockName(tx, 'the same');
    await sql`insert into marks values ('one')`.execute(tx);
    if (runs > 1) return;
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
    const own = [rows[0]?.pid];
    await until(
      async () => (await two.pool.query('select from pg_stat_activity where pid = $1', own)).rowCount === 0,
    );
  });
  await until(() => runs === 1);
  await transact(two.db, async (tx) => {
    await lockName(tx, 'the same');
    await sql`insert into marks values ('two')`.execute(tx);
  });
  await slow;
  expect(runs).toBe(2);
  expect((await sql`select who from marks order by who`.execute(one.db)).rows).toEqual([
    { who: 'one' },
    { who: 'two' },
  ]);
  await Promise.all([one.close(), two.close()]);
  await database.drop();
});

test.each([
  ['53100', 'DISK_FULL'],
  ['57014', 'SERVICE_BUSY'],
  ['55P03', 'SERVICE_BUSY'],
  ['25006', 'STORE_AWAY'],
  ['57P03', 'STORE_AWAY'],
])(
  'SQLSTATE %s is %s, with a time to come back, from the pool and from the query builder',
  async (state, code) => {
    const database = await createTestDatabase();
    const store = openDatabase(database.url, { log });
    await sql
      .raw(
        `create function fail() returns int language plpgsql as $$ begin raise sqlstate '${state}'; end $$`,
      )
      .execute(store.db);
    const expected = { code, retryAfterMs: expect.any(Number) };
    await expect(sql`select fail()`.execute(store.db)).rejects.toMatchObject(expected);
    await expect(store.pool.query('select fail()')).rejects.toMatchObject(expected);
    expect(store.isDiskFull()).toBe(code === 'DISK_FULL');
    await store.close();
    await database.drop();
  },
);

test('a connection whose statement got no answer is thrown away', async () => {
  const database = await createTestDatabase();
  const limits = { lockMs: 0, idleMs: 0, statementMs: 0, answerMs: 100 };
  const store = openDatabase(database.url, { log, connections: 1, limits });
  const pid = async () =>
    (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(store.db)).rows[0]?.pid;
  const first = await pid();
  await expect(sql`select pg_sleep(1)`.execute(store.db)).rejects.toThrow(StoreAwayError);
  expect(await pid()).not.toBe(first);
  await store.close();
  await database.drop();
});
