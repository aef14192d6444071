/** Rule 2 of the event log: hints that come although nobody announced anything, or nobody heard it. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { createLogger } from '../../src/base/log.ts';
import { startWakeUps } from '../../src/events/wake-ups.ts';
import { createTestDatabase, type TestDatabase } from '../support/databases.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { until } from '@qpilot/test-support';

let database: TestDatabase;
beforeAll(async () => void (database = await createTestDatabase()));
afterAll(() => database.drop());

const log = createLogger('silent');
const FOR_EVER = 600_000;

/** What every kind of listener hears. */
function hearing(wakeUps: ReturnType<typeof startWakeUps>) {
  const heard = { growth: 0, turns: 0, jobs: 0 };
  wakeUps.onGrowthCheck(() => (heard.growth += 1));
  wakeUps.onTurns(() => (heard.turns += 1));
  wakeUps.onJobs(() => (heard.jobs += 1));
  return heard;
}

test('everybody gets hints regularly, also while nothing can be heard from Postgres', async () => {
  const proxy = await startTcpProxy(database.url);
  proxy.cut();
  const url = new URL(database.url);
  url.searchParams.delete('host');
  url.host = new URL(proxy.url).host;
  const wakeUps = startWakeUps({ url: url.href, log, intervalMs: 5 });
  try {
    const heard = hearing(wakeUps);
    await until(() => Math.min(heard.growth, heard.turns, heard.jobs) >= 3, {
      what: 'three hints of each kind',
    });
  } finally {
    await wakeUps.close();
    await proxy.close();
  }
});

test('everybody gets a hint once Postgres can be heard again, for what was announced meanwhile', async () => {
  const wakeUps = startWakeUps({ url: database.url, log, intervalMs: FOR_EVER });
  const other = new Client({ connectionString: database.url });
  await other.connect();
  try {
    await wakeUps.listening;
    const heard = hearing(wakeUps);
    const { rowCount } = await other.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'qpilot wake-ups'`,
    );
    expect(rowCount).toBe(1);
    await until(() => Math.min(heard.growth, heard.turns, heard.jobs) >= 1, { what: 'a hint of each kind' });
    expect(heard).toEqual({ growth: 1, turns: 1, jobs: 1 });
  } finally {
    await other.end();
    await wakeUps.close();
  }
});
