import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '@qpilot/test-support';
import { pino } from 'pino';
import { newId } from '../../../src/stores/pg/ids.ts';
import { openJobQueue, type QueuedRun } from '../../../src/stores/pg/job-queue.ts';
import { openPgStore, type PgStore } from './pg-store.ts';

let store: PgStore;
beforeAll(async () => void (store = await openPgStore()));
afterAll(() => store.close());

const open = (logged: string[] = [], lockMs = 100) =>
  openJobQueue({
    url: store.pool.options.connectionString ?? '',
    log: pino({ base: null }, { write: (line: string) => void logged.push(line) }),
    times: { pollSeconds: 0.5 },
    limits: { lockMs },
  });

test('a queue whose tables somebody locks gives up the wait, and takes what waits once they are free', async () => {
  const logged: string[] = [];
  const queue = await open(logged);
  const taken: QueuedRun[] = [];
  const run = { jobId: newId(), run: 1 };
  const locks = await store.pool.connect();
  try {
    await store.transact((tx) => queue.put(tx, run));
    await locks.query('begin; lock table qpilot_queue.job in access exclusive mode');
    await queue.work(1, async (entry) => void taken.push(entry));
    await until(() => logged.find((line) => line.includes('lock timeout')), { what: 'the end of the wait' });
    expect(taken).toEqual([]);
    await locks.query('rollback');
    await until(() => taken[0], { what: 'the entry' });
    expect(taken).toEqual([run]);
  } finally {
    locks.release(true);
    await queue.close();
  }
});

test('entries that wait for a worker are kept for years, those that ended for a day', async () => {
  const queue = await open([], 5_000);
  await store.transact((tx) => queue.put(tx, { jobId: newId(), run: 1 }));
  const { rows } = await store.pool.query(
    `select keep_until > now() + interval '9 years' as waits, deletion_seconds as kept
     from qpilot_queue.job where name = 'jobs' and state = 'created'`,
  );
  expect(rows).toEqual([{ waits: true, kept: 86_400 }]);
  await queue.close();
});
