import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { v4 as uuid } from 'uuid';
import type { Turn, Viewer } from '../../../src/domain/conversation/session.ts';
import { DRAFT_DAYS, type Job, type JobPhaseKind } from '../../../src/domain/jobs/job.ts';
import { keepOlderReports } from '../../../src/services/storage/older-reports.ts';
import { filesFolder } from '../../../src/workspace/workspace.ts';
import { newId } from '../../../src/stores/pg/ids.ts';
import { claimJob, endJob, lockJob, renewJob } from '../../../src/stores/pg/job-claims.ts';
import {
  findJobDrafts,
  insertJobDraft,
  openJobDraft,
  removeUnopenedDrafts,
} from '../../../src/stores/pg/job-drafts.ts';
import { readPhaseFacts } from '../../../src/stores/pg/job-phases.ts';
import { findJobSpending, findReportPaths } from '../../../src/stores/pg/job-spending.ts';
import {
  findNewestTurns,
  insertPhaseTurn,
  keepDecision,
  listPhaseTurns,
} from '../../../src/stores/pg/job-turns.ts';
import {
  findJobByKey,
  findJobDatasources,
  findJobs,
  insertJob,
  listChangedJobs,
  listJobs,
  type NewJob,
} from '../../../src/stores/pg/jobs.ts';
import { finishTurn, NOTHING_KNOWN } from '../../../src/stores/pg/turn-finish.ts';
import { requestCancel } from '../../../src/stores/pg/turns.ts';
import { openPgStore, type PgStore } from './pg-store.ts';

const owner = uuid();

let store: PgStore;
/** New for every test, so that lists are empty at first. */
let who: Viewer;
beforeAll(async () => void (store = await openPgStore()));
afterAll(() => store.close());
beforeEach(
  () => void (who = { id: uuid(), name: 'Ada', projectId: uuid(), role: 'owner', isOperator: true }),
);

/** Neither of these people may see or change what belongs to `who`. */
const others = (): Viewer[] => [
  { ...who, id: uuid() },
  { ...who, projectId: uuid() },
];

async function newJob(more: Partial<NewJob> = {}, as = who): Promise<Job> {
  const session = await store.newSession(as, 'JOB');
  return store.transact((tx) =>
    insertJob(tx, {
      id: newId(),
      sessionId: session.id,
      projectId: as.projectId,
      viewerId: as.id,
      expertId: 'researcher',
      expertHash: 'hash',
      description: 'd',
      instructions: 'i',
      instructionsSource: 'INLINE',
      configOverride: { a: { b: [1, null] } },
      resolvedConfig: { rounds: 3 },
      chipId: 'C',
      context: { finding: 'T1 "fell"' },
      idempotencyKey: uuid(),
      requestHash: 'h',
      datasources: [],
      ...more,
    }),
  );
}
const page = { limit: 10, after: null, statuses: null };
const idsOf = (rows: readonly (Pick<Job, 'id'> | null)[]) => rows.map((row) => row?.id ?? null);
const end = (job: Job, status: 'COMPLETED' | 'CANCELLED' = 'COMPLETED') =>
  store.transact((tx) => endJob(tx, job, { status, error: null }));

describe('an idempotency key', () => {
  test('stores one job, however many requests come at once', async () => {
    const idempotencyKey = uuid();
    const made = await Promise.allSettled([1, 2, 3, 4].map(() => newJob({ idempotencyKey })));
    const [job] = made.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await findJobByKey(store.db, who, idempotencyKey)).toEqual({ job, requestHash: 'h' });
    expect(await listJobs(store.db, who, page)).toEqual([job]);
  });

  test('is of one person in one project, and unknown to all others', async () => {
    const idempotencyKey = uuid();
    const mine = await newJob({ idempotencyKey });
    for (const other of others()) {
      expect(await findJobByKey(store.db, other, idempotencyKey)).toBeNull();
      const theirs = await newJob({ idempotencyKey }, other);
      expect((await findJobByKey(store.db, other, idempotencyKey))?.job).toEqual(theirs);
    }
    expect((await findJobByKey(store.db, who, idempotencyKey))?.job).toEqual(mine);
  });
});

describe('the list of jobs', () => {
  test('of equal times has each once, page by page', async () => {
    const jobs = [await newJob(), await newJob(), await newJob(), await newJob()];
    await store.pool.query(`update jobs set created_at = '2026-02-01T00:00:00.5Z' where viewer_id = $1`, [
      who.id,
    ]);
    const seen: Job[] = [];
    while (seen.length <= jobs.length) {
      const next = await listJobs(store.db, who, { ...page, limit: 3, after: seen.at(-1) ?? null });
      if (next.length === 0) break;
      seen.push(...next);
    }
    expect(idsOf(seen)).toEqual(idsOf(jobs.toReversed()));
  });

  test('has the statuses asked for, of which there may be none', async () => {
    const [done, open] = [await newJob(), await newJob()];
    await end(done);
    const of = async (statuses: Parameters<typeof listJobs>[2]['statuses']) =>
      idsOf(await listJobs(store.db, who, { ...page, statuses }));
    expect(await of(['COMPLETED'])).toEqual([done.id]);
    expect(await of(['COMPLETED', 'CREATED'])).toEqual([open.id, done.id]);
    expect(await of(['FAILED'])).toEqual([]);
  });

  test('belongs to its viewer in its project', async () => {
    const job = await newJob();
    for (const other of others()) {
      expect(await listJobs(store.db, other, page)).toEqual([]);
      expect(await findJobs(store.db, other, [job.id])).toEqual([null]);
      expect(await listChangedJobs(store.db, other)).toEqual([]);
    }
    expect(await findJobs(store.db, who, ['no id', job.id, newId()])).toEqual([null, job, null]);
  });

  test('of changes has the latest last, each with a mark of its own, and nothing old', async () => {
    const [a, b] = [await newJob(), await newJob()];
    const before = await listChangedJobs(store.db, who);
    expect(before.map(({ job }) => job.id)).toEqual([a.id, b.id]);
    await end(a);
    const after = await listChangedJobs(store.db, who);
    expect(after.map(({ job }) => job.id)).toEqual([b.id, a.id]);
    expect(after[0]?.mark).toBe(before[1]?.mark);
    expect(after[1]?.mark).not.toBe(before[0]?.mark);
    await store.pool.query(`update jobs set changed_at = now() - interval '3 minutes' where id = $1`, [b.id]);
    expect(idsOf((await listChangedJobs(store.db, who)).map(({ job }) => job))).toEqual([a.id]);
  });
});

test('data sources of jobs come in the order in which they were attached, to their owner', async () => {
  const source = (name: string) => ({ name }) as unknown as NewJob['datasources'][number];
  const job = await newJob({ datasources: [source('z'), source('a'), source('m')] });
  const plain = await newJob();
  const found = await findJobDatasources(store.db, who, [plain.id, job.id, 'no id']);
  expect(found).toEqual([[], [source('z'), source('a'), source('m')], []]);
  for (const other of others()) expect(await findJobDatasources(store.db, other, [job.id])).toEqual([[]]);
});

describe('drafts', () => {
  const draft = (more = {}) => ({
    expertId: 'researcher',
    description: 'why',
    instructions: null,
    configOverride: null,
    chipId: null,
    context: {},
    ...more,
  });

  test('come back as they were stored, in the order of the ids, to their viewer', async () => {
    const full = { instructions: 'a\n"b"', configOverride: { x: [1] }, chipId: 'C', context: { y: null } };
    const [one, two] = [
      await insertJobDraft(store.db, who, draft()),
      await insertJobDraft(store.db, who, draft(full)),
    ];
    expect(one).toMatchObject({ ...draft(), projectId: who.projectId, viewerId: who.id });
    expect(two).toMatchObject(full);
    expect(await findJobDrafts(store.db, who, [two.id, newId(), one.id])).toEqual([two, null, one]);
    for (const other of others()) {
      expect(await findJobDrafts(store.db, other, [one.id])).toEqual([null]);
      expect(await openJobDraft(store.db, other, one.id)).toBeNull();
    }
    expect(await openJobDraft(store.db, who, 'no id')).toBeNull();
  });

  test('lose NUL and lone surrogates of the model instead of failing', async () => {
    const odd = draft({ description: 'a\u0000b\uD800', context: { c: '\u0000' } });
    const stored = await insertJobDraft(store.db, who, odd);
    for (const lost of ['\u0000', '\uD800']) expect(stored.description).not.toContain(lost);
    expect(await findJobDrafts(store.db, who, [stored.id])).toEqual([stored]);
  });

  test('are removed after their days, unless somebody opened them', async () => {
    const [old, opened, young] = [
      await insertJobDraft(store.db, who, draft()),
      await insertJobDraft(store.db, who, draft()),
      await insertJobDraft(store.db, who, draft()),
    ];
    expect(await openJobDraft(store.db, who, opened.id)).toEqual(opened);
    const setAge = (id: string, hours: number) =>
      store.pool.query(`update job_drafts set created_at = now() - $2 * interval '1 hour' where id = $1`, [
        id,
        hours,
      ]);
    await setAge(old.id, DRAFT_DAYS * 24 + 1);
    await setAge(opened.id, DRAFT_DAYS * 24 + 1);
    await setAge(young.id, DRAFT_DAYS * 24 - 1);
    expect(await removeUnopenedDrafts(store.db)).toBe(1);
    expect(idsOf(await findJobDrafts(store.db, who, [old.id, opened.id, young.id]))).toEqual([
      null,
      opened.id,
      young.id,
    ]);
    expect(await removeUnopenedDrafts(store.db)).toBe(0);
  });
});

describe('the phases of a job', () => {
  const phase = async (job: Job, n: number, kind: JobPhaseKind = 'WORKING'): Promise<Turn> => {
    const turn = await store.newTurn(job.sessionId, owner, who);
    await store.transact((tx) =>
      insertPhaseTurn(tx, job.id, { turnId: turn.id, run: job.run, phase: n, kind }),
    );
    return turn;
  };
  const usage = (inputTokens: number, more = {}) => ({
    inputTokens,
    outputTokens: 0,
    cachedTokens: 0,
    totalTokens: inputTokens,
    costUsd: 0.5,
    model: 'm',
    ...more,
  });
  const spend = (turn: Turn, inputTokens: number, more = {}) =>
    finishTurn(
      store.db,
      turn,
      { as: 'owner', owner },
      { ...NOTHING_KNOWN, status: 'COMPLETED', error: null, usage: usage(inputTokens, more) },
    );
  const held = async (job: Job) => {
    const found = await store.transact((tx) => lockJob(tx, job.id));
    if (found === null) throw new Error('there is no such job');
    return found;
  };

  test('are listed oldest first with their decisions, the newest one replacing the earlier', async () => {
    const job = await newJob();
    const planning = await phase(job, 1, 'PLANNING');
    expect(await keepDecision(store.db, planning.id, { type: 'work', todos: ['a'] })).toBe(true);
    expect(await keepDecision(store.db, planning.id, { type: 'work', todos: ['b'] })).toBe(true);
    await store.endTurn(planning, owner);
    const working = await phase(job, 2);
    expect(await listPhaseTurns(store.db, job.id)).toMatchObject([
      {
        turnId: planning.id,
        phase: 1,
        kind: 'PLANNING',
        status: 'COMPLETED',
        decision: { type: 'work', todos: ['b'] },
      },
      { turnId: working.id, phase: 2, kind: 'WORKING', status: 'RUNNING', decision: null },
    ]);
    expect(await findNewestTurns(store.db, who, [newId(), job.sessionId])).toMatchObject([
      null,
      { id: working.id },
    ]);
    for (const other of others())
      expect(await findNewestTurns(store.db, other, [job.sessionId])).toEqual([null]);
  });

  test('decide nothing once they have ended or are to be cancelled', async () => {
    const job = await newJob();
    const done = await phase(job, 1);
    await store.endTurn(done, owner);
    const cancelled = await phase(job, 2);
    await store.transact((tx) => requestCancel(tx, cancelled.id, null));
    const decision = { type: 'finish', summary: 's', reportPath: 'late.md' } as const;
    for (const { id } of [done, cancelled]) expect(await keepDecision(store.db, id, decision)).toBe(false);
    expect(await findReportPaths(store.db, who, [job.id])).toEqual([null]);
  });

  test('name the newest report, even where a later phase named none', async () => {
    const job = await newJob();
    const finish = async (n: number, reportPath: string | null) => {
      const turn = await phase(job, n);
      await keepDecision(store.db, turn.id, { type: 'finish', summary: 's', reportPath });
      await store.endTurn(turn, owner);
    };
    await finish(1, 'first.md');
    await finish(2, 'second.md');
    await finish(3, null);
    expect(await findReportPaths(store.db, who, [newId(), job.id])).toEqual([null, 'second.md']);
    for (const other of others()) expect(await findReportPaths(store.db, other, [job.id])).toEqual([null]);
  });

  test('keep the words of the newest report, also of one from before; a late one keeps none', async () => {
    const job = await newJob();
    const textOf = async (): Promise<string | null> => {
      const row = await store.db
        .selectFrom('jobs')
        .select('report')
        .where('id', '=', job.id)
        .executeTakeFirst();
      return row?.report ?? null;
    };
    const turn = await phase(job, 1);
    const finish = { type: 'finish', summary: 's', reportPath: 'report.md' } as const;
    await keepDecision(store.db, turn.id, finish, '# Gadolinium');
    expect(await textOf()).toBe('# Gadolinium');
    await keepDecision(store.db, turn.id, finish, 'x'.repeat(60_000));
    expect(await textOf()).toHaveLength(50_000);
    await store.endTurn(turn, owner);
    expect(await keepDecision(store.db, turn.id, finish, 'too late')).toBe(false);
    expect(await textOf()).toHaveLength(50_000);

    await store.db.updateTable('jobs').set({ report: null }).where('id', '=', job.id).execute();
    const folder = await mkdtemp(join(tmpdir(), 'reports-'));
    await mkdir(filesFolder(folder, job.id), { recursive: true });
    await writeFile(join(filesFolder(folder, job.id), 'report.md'), 'Older: dysprosium');
    expect(await keepOlderReports(store.db, folder)).toBeGreaterThan(0);
    expect(await textOf()).toBe('Older: dysprosium');
    expect(await keepOlderReports(store.db, folder)).toBe(0); // also where a file is gone
    await rm(folder, { recursive: true });
  });

  test('spend for their job in all, and for its newest run alone', async () => {
    const job = await newJob();
    await store.transact(async (tx) =>
      claimJob(tx, await held(job), { worker: uuid(), isRetry: false, seconds: 600 }),
    );
    await spend(await phase(job, 1), 100);
    await spend(await phase(job, 2), 20, { estimated: true });
    const spending = async (as = who) => (await findJobSpending(store.db, as, [job.id], 600))[0];
    expect(await spending()).toMatchObject({
      usage: { totalTokens: 120, costUsd: 1, isEstimated: true },
      run: { tokens: 120, phases: 2, rounds: 0 },
    });
    await end(job, 'CANCELLED');
    const renewed = await store.transact(async (tx) => renewJob(tx, await held(job), null));
    expect(await held(renewed)).toMatchObject({ phasesBefore: 2, spentTokens: 0 });
    await store.transact(async (tx) =>
      claimJob(tx, await held(job), { worker: uuid(), isRetry: false, seconds: 600 }),
    );
    await spend(await phase(renewed, 3), 7);
    expect(await spending()).toMatchObject({
      usage: { totalTokens: 127 },
      run: { tokens: 7, phases: 1 },
    });
    for (const other of others()) expect(await spending(other)).toBeNull();
  });

  test('know their job, and a turn that is none knows nothing', async () => {
    const job = await newJob();
    const turn = await phase(job, 1, 'PLANNING');
    expect(await readPhaseFacts(store.db, turn.id)).toMatchObject({
      job: { id: job.id },
      datasources: [],
      turns: [{ turnId: turn.id }],
      phasesBefore: 0,
      spentTokens: 0,
      msLeft: 0,
    });
    const chat = await store.newSession(who);
    const plain = await store.newTurn(chat.id, owner, who);
    expect(await readPhaseFacts(store.db, plain.id)).toBeNull();
  });
});
