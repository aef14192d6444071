/** Two worker processes share jobs while one of them is killed. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { viewer } from '../support/chat.ts';
import { startChild, type Child } from '../support/child.ts';
import { createTestDatabase, type TestDatabase } from '../support/databases.ts';
import { job, reached, startJobs, type Jobs } from '../support/jobs.ts';
import { until } from '../support/until.ts';

const SCRIPT = fileURLToPath(new URL('../support/jobs-process.ts', import.meta.url));

let database: TestDatabase;
let jobs: Jobs;
const children: Child[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  jobs = await startJobs(database.url, { jobsAtOnce: 0, times: { leaseMs: 1_000, sweepMs: 200 } });
});
afterAll(async () => {
  await Promise.all(children.map((child) => child.end('SIGTERM')));
  await jobs.stop();
  await database.drop();
});

/** Lets the heartbeats of killed workers be as old as they will be in ten seconds. */
const ageHeartbeats = (jobIds: readonly string[]) =>
  jobs.pool.query(
    `update qpilot_queue.job set heartbeat_on = heartbeat_on - interval '1 hour'
     where state = 'active' and data->>'jobId' = any($1)`,
    [jobIds],
  );

test('ten jobs in two processes, of which one is killed, each end once', async () => {
  for (let count = 0; count < 2; count += 1) children.push(startChild(SCRIPT, [database.url, '100']));
  const made = [];
  for (let count = 0; count < 10; count += 1) made.push(await jobs.jobs.create(viewer, job()));
  const [doomed, survivor] = children as [Child, Child];
  const held = [await doomed.nextLine(), await doomed.nextLine()];
  await survivor.nextLine();
  await doomed.end('SIGKILL');
  const lost = await until(async () => {
    const { rows } = await jobs.pool.query<{ job_id: string }>(
      `select job_id from job_turns join turns on turns.id = turn_id
       where turns.session_id = any($1) and turns.status = 'RUNNING' or turns.status = 'INTERRUPTED'`,
      [held],
    );
    return rows.length === 0 ? null : rows.map((row) => row.job_id);
  });
  await ageHeartbeats(lost);

  for (const each of made)
    expect(await reached(jobs, each, 'COMPLETED', 'FAILED')).toMatchObject({ status: 'COMPLETED' });
  const { rows } = await jobs.pool.query<{ ends: number; lost: number; running: number }>(
    `select count(*) filter (where decision->>'type' = 'finish' and status = 'COMPLETED')::int as ends,
       count(*) filter (where status = 'INTERRUPTED')::int as lost,
       count(*) filter (where status = 'RUNNING')::int as running
     from job_turns join turns on turns.id = turn_id`,
  );
  expect(rows).toEqual([{ ends: 10, lost: expect.any(Number), running: 0 }]);
  expect(rows[0]!.lost).toBeGreaterThan(0);
  await survivor.end('SIGTERM');
}, 90_000);

test('a job that loses two workers fails and says so', async () => {
  const made = await jobs.jobs.create(viewer, job());
  for (let count = 0; count < 2; count += 1) {
    const child = startChild(SCRIPT, [database.url, '60000']);
    await child.nextLine();
    await child.end('SIGKILL');
    await ageHeartbeats([made.id]);
  }
  expect((await reached(jobs, made, 'FAILED')).error).toMatchObject({ code: 'WORKER_LOST', retryable: true });
}, 90_000);
