import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { v4 as uuid } from 'uuid';
import type { Job } from '../../../src/domain/jobs/job.ts';
import { newId } from '../../../src/stores/pg/ids.ts';
import {
  claimJob,
  endJob,
  type HeldJob,
  type JobClaim,
  lockClaimed,
  lockJob,
  renewJob,
  returnJob,
} from '../../../src/stores/pg/job-claims.ts';
import { countOpenJobs, findJobByKey, findJobs, insertJob, listJobs } from '../../../src/stores/pg/jobs.ts';
import { viewer } from '../../support/chat.ts';
import { addUsage, openPgStore, type PgStore } from './pg-store.ts';

let store: PgStore;
let job: Job;
let key: string;
beforeAll(async () => void (store = await openPgStore()));
afterAll(() => store.close());
beforeEach(async () => {
  key = uuid();
  job = await newJob(key);
});

async function newJob(idempotencyKey: string): Promise<Job> {
  const session = await store.newSession(viewer, 'JOB');
  return store.transact((tx) =>
    insertJob(tx, {
      id: newId(),
      sessionId: session.id,
      projectId: viewer.projectId,
      viewerId: viewer.id,
      expertId: null,
      expertHash: null,
      description: 'd',
      instructions: 'i',
      instructionsSource: 'INLINE',
      configOverride: null,
      resolvedConfig: { rounds: 3 },
      chipId: null,
      context: null,
      idempotencyKey,
      requestHash: 'h',
      datasources: [],
    }),
  );
}

async function held(): Promise<HeldJob> {
  const found = await store.transact((tx) => lockJob(tx, job.id));
  if (found === null) throw new Error('there is no such job');
  return found;
}
const claim = (isRetry = false): Promise<JobClaim> =>
  store.transact(async (tx) => {
    const found = await lockJob(tx, job.id);
    if (found === null) throw new Error('there is no such job');
    return claimJob(tx, found, { worker: uuid(), isRetry, seconds: 600 });
  });
const holds = async (claimed: JobClaim): Promise<boolean> =>
  (await store.transact((tx) => lockClaimed(tx, claimed))) !== null;

describe('a claim', () => {
  test('fences off every earlier one', async () => {
    const first = await claim();
    expect(await holds(first)).toBe(true);
    const second = await claim(true);
    expect([await holds(first), await holds(second)]).toEqual([false, true]);
  });

  test('of workers that claim at the same moment only the last holds', async () => {
    const claims = await Promise.all([claim(), claim(true), claim(true)]);
    expect(new Set(claims.map((each) => each.claim)).size).toBe(3);
    const holding = await Promise.all(claims.map(holds));
    expect(claims.filter((_claim, i) => holding[i]).map((each) => each.claim)).toEqual([
      Math.max(...claims.map((each) => each.claim)),
    ]);
  });

  test('starts the clock of a run once; a retry goes on with it and costs a try', async () => {
    expect(await held()).toMatchObject({ msLeft: null, triesLeft: 1 });
    await claim();
    const started = await held();
    expect(started.triesLeft).toBe(1);
    expect(started.msLeft).toBeGreaterThan(0);
    expect(started.msLeft).toBeLessThanOrEqual(600_000);
    await store.pool.query(`update jobs set deadline_at = now() + interval '5 seconds' where id = $1`, [
      job.id,
    ]);
    await claim(true);
    const retried = await held();
    expect(retried.triesLeft).toBe(0);
    expect(retried.msLeft).toBeLessThanOrEqual(5_000);
  });

  test('that is returned in good order is no lost worker', async () => {
    await claim();
    await store.transact(async (tx) => returnJob(tx, await held()));
    expect((await held()).triesLeft).toBe(2);
    await claim(true);
    expect((await held()).triesLeft).toBe(1);
  });

  test.each([
    ['completed', { status: 'COMPLETED', error: null }],
    ['failed', { status: 'FAILED', error: { code: 'INTERNAL', message: 'm', retryable: true } }],
    ['waits for review', { status: 'PENDING_REVIEW', error: null, reviewNote: 'look', reviewCall: null }],
  ] as const)('ends when the job %s', async (_what, end) => {
    const claimed = await claim();
    const ended = await store.transact((tx) => endJob(tx, job, end));
    expect(ended).toMatchObject({ status: end.status, error: end.error });
    expect(ended.finishedAt === null).toBe(end.status === 'PENDING_REVIEW');
    expect(await holds(claimed)).toBe(false);
  });

  test('of an earlier run does not hold in the next, which has its own tries, time and tokens', async () => {
    const claimed = await claim();
    const spender = { sessionId: job.sessionId, viewerId: viewer.id, projectId: viewer.projectId };
    const usage = { inputTokens: 70, outputTokens: 30, cachedTokens: 0, totalTokens: 100, costUsd: 0 };
    await store.transact((tx) => addUsage(tx, spender, usage));
    expect((await held()).spentTokens).toBe(100);
    const renewed = await store.transact(async (tx) => renewJob(tx, await held(), 'again'));
    expect(renewed).toMatchObject({ status: 'CREATED', run: job.run + 1, reviewNote: 'again' });
    expect(await held()).toMatchObject({ msLeft: null, spentTokens: 0, triesLeft: 1 });
    await claim();
    expect(await holds(claimed)).toBe(false);
  });
});

test('a job is found by its key and counted while it is open, by its own viewer only', async () => {
  const eve = { ...viewer, id: 'eve' };
  expect(await findJobByKey(store.db, viewer, key)).toEqual({ job, requestHash: 'h' });
  expect(await findJobByKey(store.db, eve, key)).toBeNull();
  expect(await findJobs(store.db, eve, [job.id])).toEqual([null]);
  const open = await countOpenJobs(store.db, viewer);
  await store.transact((tx) => endJob(tx, job, { status: 'CANCELLED', error: null }));
  expect(await countOpenJobs(store.db, viewer)).toBe(open - 1);
  expect(await countOpenJobs(store.db, eve)).toBe(0);
  await expect(newJob(key)).rejects.toThrow(/duplicate key/);
});

test('jobs are listed newest first, page by page, of the given statuses', async () => {
  const newer = await newJob(uuid());
  const [first] = await listJobs(store.db, viewer, { limit: 1, after: null, statuses: ['CREATED'] });
  expect(first).toEqual(newer);
  const [second] = await listJobs(store.db, viewer, { limit: 1, after: newer, statuses: null });
  expect(second).toEqual(job);
  expect(
    await listJobs(store.db, viewer, { limit: 5, after: null, statuses: ['FAILED'] }),
  ).not.toContainEqual(job);
});
