import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { createLogger } from '../../../src/base/log.ts';
import { openDatabase, type OpenDatabase } from '../../../src/stores/pg/database.ts';
import { viewerTransaction } from '../../../src/stores/pg/viewer-transaction.ts';
import { createTestDatabase, type TestDatabase } from '../../support/databases.ts';

const LIMIT = 7;

let database: TestDatabase;
/** As different processes have them. */
let processes: readonly OpenDatabase[];
beforeAll(async () => {
  database = await createTestDatabase();
  processes = Array.from({ length: 3 }, () =>
    openDatabase(database.url, { log: createLogger('silent'), connections: 4 }),
  );
  await processes[0]!.pool.query('create table started (viewer text not null)');
});
afterAll(async () => {
  await Promise.all(processes.map((each) => each.close()));
  await database.drop();
});

/** Starts one more unless there are as many as may be; whether it did. */
const start = ({ db }: OpenDatabase, id: string, starts: 'request' | 'waiting'): Promise<boolean> =>
  viewerTransaction(
    db,
    { id },
    async (tx) => {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from started where viewer = ${id}`.execute(tx);
      if (rows[0]!.count >= LIMIT) return false;
      await sql`insert into started values (${id})`.execute(tx);
      return true;
    },
    starts,
  );

test('of what several processes start at once for a viewer, each counts what the others started: 7 of 30 for each of two', async () => {
  const tries = Array.from({ length: 30 }, (_, place) => {
    const process = processes[place % processes.length]!;
    const starts = place % 2 === 0 ? 'request' : 'waiting';
    return ['ada', "o'hara; --"].map((id) => start(process, id, starts));
  });
  const done = await Promise.all(tries.flat());
  expect(done.filter(Boolean)).toHaveLength(2 * LIMIT);
  const { rows } = await processes[0]!.pool.query<{ count: number }>(
    'select count(*)::int as count from started group by viewer',
  );
  expect(rows.map(({ count }) => count)).toEqual([LIMIT, LIMIT]);
});

test('of two processes that counted before either had started anything, one counts again', async () => {
  const bothCounted = Promise.withResolvers<void>();
  let counts = 0;
  const startOnly = ({ db }: OpenDatabase): Promise<boolean> =>
    viewerTransaction(db, { id: 'bob' }, async (tx) => {
      const { rows } = await sql`select from started where viewer = 'bob'`.execute(tx);
      if (rows.length > 0) return false;
      counts += 1;
      if (counts === 2) bothCounted.resolve();
      await bothCounted.promise;
      await sql`insert into started values ('bob')`.execute(tx);
      return true;
    });
  const [one, other] = processes;
  const done = await Promise.all([startOnly(one!), startOnly(other!)]);
  expect(done.toSorted()).toEqual([false, true]);
});

test('what fails starts nothing, and holds up nothing that comes after it', async () => {
  const [first] = processes;
  const failed = viewerTransaction(first!.db, { id: 'eve' }, async (tx) => {
    await sql`insert into started values ('eve')`.execute(tx);
    throw new Error('on purpose');
  });
  await expect(failed).rejects.toThrow('on purpose');
  await expect(start(first!, 'eve', 'request')).resolves.toBe(true);
});
