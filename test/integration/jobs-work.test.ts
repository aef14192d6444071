/** The life of a job: its phases, its ends, and what becomes of it when something is lost. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { completed } from '../support/activities.ts';
import { openJobQueue } from '../../src/stores/pg/job-queue.ts';
import { createLogger } from '../../src/base/log.ts';
import { noTracing, type Tracing } from '../../src/base/tracing/tracing.ts';
import { viewer } from '../support/chat.ts';
import { createTestDatabase, type TestDatabase } from '../support/databases.ts';
import {
  job,
  phaseWords,
  reached,
  startJobs,
  threePhases,
  type Jobs,
  type JobsOptions,
} from '../support/jobs.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { promiseHereMs, tookMs } from '../support/took.ts';
import { until } from '@qpilot/test-support';

let database: TestDatabase;
const open: Jobs[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.stop()));
});
afterAll(() => database.drop());

const start = async (options: JobsOptions = {}): Promise<Jobs> => {
  const jobs = await startJobs(database.url, options);
  open.push(jobs);
  return jobs;
};

const someUsage = { inputTokens: 1, outputTokens: 1, cachedTokens: 0, totalTokens: 2, costUsd: 0 };

/** A phase that goes on until it is stopped. */
const endless = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

const breakConnections = ({ pool }: Jobs) =>
  pool.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );

/** Whether no connection of the pool is one of those that were broken off. */
const isBack = ({ pool }: Jobs) =>
  Promise.all(Array.from({ length: 10 }, () => pool.query('select 1'))).then(
    () => true,
    () => false,
  );

describe('a job', () => {
  test('is planned, worked on and finished, phase by phase, each a span of its expert', async () => {
    const spans: string[] = [];
    const span: Tracing['span'] = (name, options, work) => {
      spans.push(name);
      return noTracing.span(name, options, work);
    };
    const jobs = await start({ tracing: { ...noTracing, span } });
    const made = await jobs.jobs.create(viewer, job());
    expect(made).toMatchObject({ status: 'CREATED', run: 1 });
    const done = await reached(jobs, made, 'COMPLETED');
    expect(done.startedAt).not.toBeNull();
    expect(done.finishedAt).not.toBeNull();
    expect(await phaseWords(jobs, made)).toEqual([
      '1 PLANNING COMPLETED',
      '2 WORKING COMPLETED',
      '3 PLANNING COMPLETED',
    ]);
    expect(spans).toEqual(Array(3).fill('invoke_agent researcher'));
  });

  test('that waits for a person is approved, or sent back with a note and planned anew', async () => {
    const jobs = await start({
      phase: async ({ decide, phase }) => {
        if (phase.phase < 3) await decide({ type: 'review', note: 'Which chip is meant?', reportPath: null });
        else await decide({ type: 'finish', summary: 'done', reportPath: null });
        return completed;
      },
    });
    const one = await jobs.jobs.create(viewer, job());
    expect(await reached(jobs, one, 'PENDING_REVIEW')).toMatchObject({ reviewNote: 'Which chip is meant?' });
    await expect(jobs.jobs.review(viewer, { jobId: one.id, verdict: 'SEND_BACK' })).rejects.toThrow(
      'input.note',
    );
    await expect(jobs.jobs.retry(viewer, one.id)).rejects.toThrow('awaits a review');
    const back = await jobs.jobs.review(viewer, { jobId: one.id, verdict: 'SEND_BACK', note: 'demo-64' });
    expect(back).toMatchObject({ status: 'CREATED', run: 2, reviewNote: 'demo-64' });
    await until(async () => (await phaseWords(jobs, one)).length === 2);
    await reached(jobs, one, 'PENDING_REVIEW');
    await expect(jobs.jobs.review(viewer, { jobId: one.id, run: 1, verdict: 'APPROVE' })).rejects.toThrow(
      `this verdict is on run 1 of job ${one.id}, which is in run 2 by now; read its new question`,
    );
    const approved = await jobs.jobs.review(viewer, { jobId: one.id, run: 2, verdict: 'APPROVE' });
    expect(approved.status).toBe('COMPLETED');
    await expect(jobs.jobs.review(viewer, { jobId: one.id, verdict: 'APPROVE' })).rejects.toThrow(
      'COMPLETED',
    );
  });

  test('that is cancelled ends within 150 ms, its phase too', async () => {
    const jobs = await start({ phase: ({ signal }) => endless(signal) });
    const cancelMs: number[] = [];
    const createMs: number[] = [];
    for (let count = 0; count < 3; count += 1) {
      const input = job();
      createMs.push(await tookMs(() => jobs.jobs.create(viewer, input)));
      const made = await jobs.jobs.create(viewer, input);
      await until(async () => (await phaseWords(jobs, made)).length === 1);
      cancelMs.push(await tookMs(() => jobs.jobs.cancel(viewer, made.id)));
      expect(await phaseWords(jobs, made)).toEqual(['1 PLANNING CANCELLED']);
      expect((await jobs.jobs.cancel(viewer, made.id)).status).toBe('CANCELLED');
    }
    expect(Math.min(...cancelMs)).toBeLessThan(promiseHereMs(150, createMs));
  });

  test('that was cancelled goes on in the phase that was stopped when it is tried again', async () => {
    let runs = 0;
    const jobs = await start({
      phase: (run) => {
        runs += 1;
        return runs === 1 ? endless(run.signal) : threePhases(run);
      },
    });
    const made = await jobs.jobs.create(viewer, job());
    await until(() => runs === 1);
    await jobs.jobs.cancel(viewer, made.id);
    expect((await jobs.jobs.retry(viewer, made.id)).run).toBe(2);
    await reached(jobs, made, 'COMPLETED');
    expect(await phaseWords(jobs, made)).toEqual([
      '1 PLANNING CANCELLED',
      '1 PLANNING COMPLETED',
      '2 WORKING COMPLETED',
      '3 PLANNING COMPLETED',
    ]);
    await expect(jobs.jobs.retry(viewer, made.id)).rejects.toThrow('is completed');
  });

  test('that nobody has taken yet is cancelled at once and never worked on', async () => {
    const served = await start({ jobsAtOnce: 0 });
    const made = await served.jobs.create(viewer, job());
    expect((await served.jobs.cancel(viewer, made.id)).status).toBe('CANCELLED');
    const worker = await start();
    const after = await worker.jobs.create(viewer, job());
    await reached(worker, after, 'COMPLETED');
    expect(await phaseWords(worker, made)).toEqual([]);
  });

  test('that is cancelled while workers reach for it is cancelled, and nobody works on it after that', async () => {
    const jobs = await start();
    const other = await start();
    const made = await Promise.all(Array.from({ length: 6 }, () => jobs.jobs.create(viewer, job())));
    const cancelled = await Promise.all(
      made.map(async ({ id }, at) => {
        await sleep(at * 5); // in line, being taken, at work
        return (at % 2 === 0 ? jobs : other).jobs.cancel(viewer, id);
      }),
    );
    for (const { id, status } of cancelled) {
      expect((await jobs.jobs.byIds(viewer, [id]))[0]).toMatchObject({ status });
      await until(async () => (await phaseWords(jobs, { id })).every((words) => !words.endsWith('RUNNING')));
    }
    const after = await jobs.jobs.create(viewer, job());
    await reached(jobs, after, 'COMPLETED');
    const states = await jobs.jobs.byIds(
      viewer,
      made.map(({ id }) => id),
    );
    expect(states.map((each) => each?.status)).toEqual(cancelled.map(({ status }) => status));
    expect(cancelled.filter(({ status }) => status === 'CANCELLED').length).toBeGreaterThan(0);
  });

  test('that is tried again twice at once is tried once', async () => {
    const error = { code: 'MODEL_AUTH', message: 'the key was refused', retryable: true };
    let failures = 1;
    const jobs = await start({
      phase: async (run) =>
        failures-- > 0 ? { ...completed, status: 'FAILED' as const, error } : threePhases(run),
    });
    const made = await jobs.jobs.create(viewer, job());
    await reached(jobs, made, 'FAILED');
    const both = await Promise.all([jobs.jobs.retry(viewer, made.id), jobs.jobs.retry(viewer, made.id)]);
    expect(both.map(({ run }) => run)).toEqual([2, 2]);
    await reached(jobs, made, 'COMPLETED');
    expect((await phaseWords(jobs, made)).filter((words) => words.endsWith('COMPLETED'))).toHaveLength(3);
  });

  test('whose phase fails fails with its reason', async () => {
    const error = { code: 'MODEL_AUTH', message: 'the key was refused', retryable: false };
    const jobs = await start({ phase: async () => ({ ...completed, status: 'FAILED', error }) });
    const made = await jobs.jobs.create(viewer, job());
    expect(await reached(jobs, made, 'FAILED')).toMatchObject({ error });
  });

  test.each([
    ['phases', { phases: 2 }, 'PHASE_LIMIT'],
    ['tokens', { tokens: 1 }, 'TOKEN_LIMIT'],
    ['time', { seconds: 0.001 }, 'TIME_LIMIT'],
  ] as const)('that uses up its %s fails with that', async (_what, limits, code) => {
    const usage = { ...someUsage, model: 'm' };
    const jobs = await start({
      limits,
      phase: async (run) => {
        if (run.phase.kind === 'PLANNING') await run.decide({ type: 'work', todos: ['more'] });
        return { ...completed, usage };
      },
    });
    const made = await jobs.jobs.create(viewer, job());
    expect((await reached(jobs, made, 'FAILED')).error).toMatchObject({ code, retryable: true });
  });
});

describe('a worker', () => {
  test('that ends in good order puts its job in line again, as often as it likes', async () => {
    const first = await start({ phase: ({ signal }) => endless(signal) });
    const made = await first.jobs.create(viewer, job());
    await reached(first, made, 'PROCESSING');
    for (let again = 0; again < 2; again += 1) {
      const other = await start({ phase: ({ signal }) => endless(signal) });
      const before = (await phaseWords(other, made)).length;
      await open.shift()!.stop();
      await until(async () => (await phaseWords(other, made)).length > before);
    }
    const last = await start();
    await open.shift()!.stop();
    await reached(last, made, 'COMPLETED');
    expect((await phaseWords(last, made)).slice(0, 3)).toEqual([
      '1 PLANNING INTERRUPTED',
      '1 PLANNING INTERRUPTED',
      '1 PLANNING INTERRUPTED',
    ]);
  });

  test('whose database breaks off all connections for a while goes on with the job, which ends once', async () => {
    let broken = 0;
    const jobs = await start({
      phase: async (run) => {
        for (; run.phase.kind === 'WORKING' && broken < 5; broken += 1) {
          await breakConnections(jobs).catch(() => undefined); // it may break its own, too
          await sleep(50);
        }
        await until(() => isBack(jobs));
        return threePhases(run);
      },
    });
    const made = await jobs.jobs.create(viewer, job());
    await until(() => broken === 5);
    await until(() => isBack(jobs));
    await reached(jobs, made, 'COMPLETED');
    const ends = (await phaseWords(jobs, made)).filter((words) => words.endsWith('COMPLETED'));
    expect(ends).toEqual(['1 PLANNING COMPLETED', '2 WORKING COMPLETED', '3 PLANNING COMPLETED']);
  });

  test('whose way to the database is cut for a while goes on with the job, which ends once', async () => {
    const proxy = await startTcpProxy(database.url);
    const url = new URL(database.url);
    url.host = new URL(proxy.url).host;
    url.searchParams.delete('host');
    let cuts = 1;
    try {
      const worker = await startJobs(url.href, {
        phase: async (run) => {
          if (run.phase.kind !== 'WORKING' || cuts-- === 0) return threePhases(run);
          proxy.cut();
          await sleep(700);
          proxy.mend();
          return threePhases(run);
        },
      });
      open.push(worker);
      const watcher = await start({ jobsAtOnce: 0 });
      const made = await watcher.jobs.create(viewer, job());
      expect(await reached(watcher, made, 'COMPLETED', 'FAILED')).toMatchObject({ error: null });
      const ends = (await phaseWords(watcher, made)).filter((words) => words.endsWith('COMPLETED'));
      expect(ends).toEqual(['1 PLANNING COMPLETED', '2 WORKING COMPLETED', '3 PLANNING COMPLETED']);
      await open.splice(open.indexOf(worker), 1)[0]!.stop();
    } finally {
      await proxy.close();
    }
  });

  test('whose clock jumps ends its jobs in their time, which is the database’s', async () => {
    const clock = Date.now;
    const jobs = await start({
      limits: { seconds: 60 },
      phase: (run) => {
        const hours = run.phase.kind === 'WORKING' ? 5 : -5;
        Date.now = () => clock() + hours * 3_600_000;
        return threePhases(run);
      },
    });
    try {
      await reached(jobs, await jobs.jobs.create(viewer, job()), 'COMPLETED');
    } finally {
      Date.now = clock;
    }
  });

  test('that is given a run which another one has, as two entries of one run would, ends it once', async () => {
    const jobs = await start({ jobsAtOnce: 3 });
    const queue = await openJobQueue({ url: database.url, log: createLogger('silent') });
    try {
      const made = await jobs.jobs.create(viewer, job());
      const entry = { jobId: made.id, run: 1 };
      await jobs.db.transaction().execute((tx) => queue.put(tx, entry));
      await reached(jobs, made, 'COMPLETED');
      const { rows } = await jobs.pool.query<{ finishes: number; running: number }>(
        `select count(*) filter (where decision->>'type' = 'finish')::int as finishes,
           count(*) filter (where status = 'RUNNING')::int as running
         from job_turns join turns on turns.id = turn_id where job_id = $1`,
        [made.id],
      );
      expect(rows).toEqual([{ finishes: 1, running: 0 }]);
    } finally {
      await queue.close();
    }
  });

  test('that is given the entry of an earlier run leaves the new one to its own entry', async () => {
    const served = await start({ jobsAtOnce: 0 });
    const made = await served.jobs.create(viewer, job());
    await served.jobs.cancel(viewer, made.id);
    await served.jobs.retry(viewer, made.id);
    const queue = await openJobQueue({ url: database.url, log: createLogger('silent') });
    try {
      await served.db.transaction().execute((tx) => queue.put(tx, { jobId: made.id, run: 1 }));
      const gate = Promise.withResolvers<void>();
      const phase: JobsOptions['phase'] = (run) => gate.promise.then(() => threePhases(run));
      const worker = await start({ jobsAtOnce: 3, phase });
      const untaken = `select from qpilot_queue.job
        where name = 'jobs' and state < 'active' and data->>'jobId' = $1`;
      await until(async () => (await worker.pool.query(untaken, [made.id])).rowCount === 0);
      gate.resolve();
      await reached(worker, made, 'COMPLETED');
      const { rows } = await worker.pool.query('select claim from jobs where id = $1', [made.id]);
      expect(rows).toEqual([{ claim: 1 }]);
    } finally {
      await queue.close();
    }
  });

  test('whose entry another one was given lets go of the job, and what it then decides is refused', async () => {
    let decided: boolean | undefined;
    const first = await start({
      jobsAtOnce: 1,
      phase: async ({ signal, decide }) => {
        await endless(signal).catch(() => undefined);
        await until(async () => (await phaseWords(first, made))[0]?.endsWith('INTERRUPTED'));
        decided = await decide({ type: 'finish', summary: 'too late', reportPath: null });
        throw signal.reason;
      },
    });
    const made = await first.jobs.create(viewer, job());
    await reached(first, made, 'PROCESSING');
    const second = await start();
    await first.pool.query(
      `update qpilot_queue.job set heartbeat_on = now() - interval '1 hour' where data->>'jobId' = $1`,
      [made.id],
    );
    await reached(second, made, 'COMPLETED');
    await until(() => decided !== undefined);
    expect(decided).toBe(false);
    expect((await phaseWords(second, made)).filter((words) => words.endsWith('COMPLETED'))).toHaveLength(3);
  });
});
