/** Two worker processes share jobs while one of them is killed. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { viewer } from '../support/chat.ts';
import { startChild, until, type Child } from '@qpilot/test-support';
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

test('ten jobs in two processes, of which one is killed, each end once', async () => {
  const doomed = startWorker(ENDLESS_MS);
  const survivor = startWorker('100');
  const made = [];
  for (let count = 0; count < 10; count += 1) made.push(await jobs.jobs.create(viewer, job()));
  const held = [await doomed.nextLine(), await doomed.nextLine(), await doomed.nextLine()];
  await survivor.nextLine();
  await doomed.end('SIGKILL');

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

test('the job of a worker of another machine is taken over once its heartbeats stop, and not while it beats', async () => {
  const doomed = startWorker(ENDLESS_MS);
  const made = await jobs.jobs.create(viewer, job());
  const held = await doomed.nextLine();
  // As if its process could not be looked at from here.
  const isElsewhere = () =>
    jobs.pool.query(`update jobs set worker = $1 where id = $2`, [randomUUID(), made.id]);
  await isElsewhere();
  const beat = async (): Promise<string> => {
    const { rows } = await jobs.pool.query<{ heartbeat: string }>(
      `select heartbeat_on::text as heartbeat from qpilot_queue.job where state = 'active' and data ->> 'jobId' = $1`,
      [made.id],
    );
    return rows[0]!.heartbeat;
  };
  for (let beats = 0, last = await beat(); beats < 6; beats += 1) {
    const before = last;
    last = await until(async () => ((await beat()) === before ? null : beat()), { what: 'a heartbeat' });
  }
  await doomed.end('SIGKILL');
  await endLeases(jobs, [held]);
  const survivor = startWorker('100');
  await reached(jobs, made, 'COMPLETED');
  await survivor.end('SIGTERM');
});

test('a job that loses two workers fails and says so', async () => {
  const made = await jobs.jobs.create(viewer, job());
  for (let count = 0; count < 2; count += 1) {
    const doomed = startWorker(ENDLESS_MS);
    await doomed.nextLine();
    await doomed.end('SIGKILL');
  }
  expect((await reached(jobs, made, 'FAILED')).error).toMatchObject({ code: 'WORKER_LOST', retryable: true });
});
