/** Two worker processes share jobs while one of them is killed. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { viewer } from '../support/chat.ts';
import { startChild, type Child } from '@qpilot/test-support';
import { createTestDatabase, type TestDatabase } from '../support/databases.ts';
import { job, reached, startJobs, type Jobs } from '../support/jobs.ts';
import { endLeases } from '../support/leases.ts';

const SCRIPT = fileURLToPath(new URL('../support/jobs-process.ts', import.meta.url));

/** Longer than any test: a phase that is still at work when its worker is killed. */
const ENDLESS_MS = '3600000';

let database: TestDatabase;
let jobs: Jobs;
const children: Child[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  jobs = await startJobs(database.url, { jobsAtOnce: 0, times: { sweepMs: 200 } });
});
afterAll(async () => {
  await Promise.all(children.map((child) => child.end('SIGTERM')));
  await jobs.stop();
  await database.drop();
});

/** A worker in a process of its own that has three jobs at once, each phase of which takes so long. */
function startWorker(phaseMs: string): Child {
  const child = startChild(SCRIPT, [database.url, phaseMs]);
  children.push(child);
  return child;
}

/** Lets the heartbeats and leases of killed workers be as old as they will be in a while. */
async function leaveBehind(sessionIds: readonly string[]): Promise<void> {
  await jobs.pool.query(
    `update qpilot_queue.job set heartbeat_on = heartbeat_on - interval '1 hour'
     where state = 'active' and data->>'jobId' in (select id::text from jobs where session_id = any($1))`,
    [sessionIds],
  );
  await endLeases(jobs, sessionIds);
}

test('ten jobs in two processes, of which one is killed, each end once', async () => {
  const doomed = startWorker(ENDLESS_MS);
  const survivor = startWorker('100');
  const made = [];
  for (let count = 0; count < 10; count += 1) made.push(await jobs.jobs.create(viewer, job()));
  const held = [await doomed.nextLine(), await doomed.nextLine(), await doomed.nextLine()];
  await survivor.nextLine();
  await doomed.end('SIGKILL');
  await leaveBehind(held);

  for (const each of made)
    expect(await reached(jobs, each, 'COMPLETED', 'FAILED')).toMatchObject({ status: 'COMPLETED' });
  const { rows } = await jobs.pool.query<{ ends: number; lost: number; running: number }>(
    `select count(*) filter (where decision->>'type' = 'finish' and status = 'COMPLETED')::int as ends,
       count(*) filter (where status = 'INTERRUPTED')::int as lost,
       count(*) filter (where status = 'RUNNING')::int as running
     from job_turns join turns on turns.id = turn_id`,
  );
  expect(rows).toEqual([{ ends: 10, lost: held.length, running: 0 }]);
  await survivor.end('SIGTERM');
});

test('a job that loses two workers fails and says so', async () => {
  const made = await jobs.jobs.create(viewer, job());
  for (let count = 0; count < 2; count += 1) {
    const doomed = startWorker(ENDLESS_MS);
    const held = await doomed.nextLine();
    await doomed.end('SIGKILL');
    await leaveBehind([held]);
  }
  expect((await reached(jobs, made, 'FAILED')).error).toMatchObject({ code: 'WORKER_LOST', retryable: true });
});
