/** What goes by itself: after its period, in batches, by several servers at once, and never under a running turn or job. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { until } from '@qpilot/test-support';
import { createLogger } from '../../src/base/log.ts';
import type { Job } from '../../src/domain/jobs/job.ts';
import { sweepOnce } from '../../src/services/sweeper.ts';
import type { Retention } from '../../src/services/storage/kinds.ts';
import { createStorage, sweepsOf, type StorageDeps } from '../../src/services/storage/storage.ts';
import { createWorkspaces } from '../../src/services/storage/workspaces.ts';
import { openWorkspace, workspaceFolder } from '../../src/workspace/workspace.ts';
import { openDatabase } from '../../src/stores/pg/database.ts';
import { createSessionDataStore } from '../../src/stores/pg/session-data.ts';
import { createStepStore } from '../../src/stores/pg/step-records.ts';
import { completed } from '../support/activities.ts';
import { ask, ended, startChat, viewer, type Chat } from '../support/chat.ts';
import { createTestDatabase, type TestDatabase } from '../support/databases.ts';
import { job, reached, startJobs, type Jobs } from '../support/jobs.ts';

const NEVER: Retention = {
  conversations: null,
  jobs: null,
  workspaces: null,
  stepRecords: null,
  keptResults: null,
  audit: null,
};

let database: TestDatabase;
let dataDir: string;
let chat: Chat;
let jobs: Jobs;
let release = (): void => undefined;
beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'qpilot-retention-'));
  chat = await startChat(database.url, {
    answerTurn: async ({ question }) => {
      if (question.text === 'hold') await new Promise<void>((resolve) => (release = resolve));
      return completed;
    },
  });
  jobs = await startJobs(database.url, { workspaces: join(dataDir, 'jobs') });
});
afterEach(() => release());
afterAll(async () => {
  await chat.stop();
  await jobs.stop();
  await Promise.all([database.drop(), rm(dataDir, { recursive: true })]);
});

function depsOf(retention: Partial<Retention>, db = chat.db): StorageDeps {
  const uploads = { removeUnused: async () => 0, removeOrphaned: async () => undefined };
  const workspaces = createWorkspaces({ db, folder: join(dataDir, 'jobs') });
  return { db, dataDir, retention: { ...NEVER, ...retention }, uploads, workspaces };
}
/** A sweep of one server; `signal` ends it early. */
const sweep = (retention: Partial<Retention>, db = chat.db, signal = new AbortController().signal) =>
  sweepOnce(sweepsOf(depsOf(retention, db)), createLogger('silent'), signal);

/** Makes all of a session, and its job, so many days older. */
async function age(sessionId: string, days: number): Promise<void> {
  const by = `${days} days`;
  for (const statement of [
    'update sessions set updated_at = updated_at - $2::interval where id = $1',
    'update jobs set finished_at = finished_at - $2::interval where session_id = $1',
  ]) {
    await chat.pool.query(statement, [sessionId, by]);
  }
}
const count = async (table: string, sessionId: string): Promise<number> => {
  const of =
    table === 'step_records' ? 'turn_id in (select id from turns where session_id = $1)' : 'session_id = $1';
  const sql = `select count(*)::int as count from ${table} where ${of}`;
  return (await chat.pool.query<{ count: number }>(sql, [sessionId])).rows[0]!.count;
};

async function record(turnId: string, number: number, prompt: string): Promise<void> {
  const step = { number, instructions: prompt, purpose: 'ANSWER', input: [], inputFrom: 0 };
  const tools = { hash: 'tools of all', schemas: [] };
  await createStepStore(chat.db).add(turnId, step as never, tools as never);
}

/** A conversation of one answered question with two records and a kept result. */
async function conversation(
  question = 'why?',
): Promise<{ readonly sessionId: string; readonly turnId: string }> {
  const { session, turn } = await chat.copilot.sendMessage(viewer, ask(question));
  if (question !== 'hold') await ended(chat, turn);
  for (const number of [1, 2]) await record(turn.id, number, `prompt of ${number}`);
  const body = { json: '[1]', freshness: null };
  await createSessionDataStore(chat.db).put(session.id, 'kept', body, 1_000);
  return { sessionId: session.id, turnId: turn.id };
}

test('records and kept results go when their conversation was quiet for their period, and nothing else does', async () => {
  const [old, fresh] = [await conversation(), await conversation()];
  await age(old.sessionId, 31);
  await sweep({ stepRecords: 30, keptResults: 60 });
  expect(await count('step_records', old.sessionId)).toBe(0);
  expect(await count('session_data', old.sessionId)).toBe(1);
  await sweep({ keptResults: 30 });
  expect(await count('session_data', old.sessionId)).toBe(0);
  expect(await count('messages', old.sessionId)).toBe(2);
  expect(await count('event_pages', old.sessionId)).toBe(1);
  expect(await count('step_records', fresh.sessionId)).toBe(2);
  expect(await count('session_data', fresh.sessionId)).toBe(1);
});

test('a turn that runs keeps all that it may need, however old its conversation is', async () => {
  const { sessionId } = await conversation('hold');
  await age(sessionId, 1_000);
  await sweep({ stepRecords: 1, keptResults: 1, conversations: 1 });
  const kept = await Promise.all(
    ['step_records', 'session_data', 'turns'].map((table) => count(table, sessionId)),
  );
  expect(kept).toEqual([2, 1, 1]);
});

test('a message that is being sent is not overtaken: a session that somebody holds is left to the next sweep', async () => {
  const { sessionId } = await conversation();
  await age(sessionId, 31);
  await chat.db.transaction().execute(async (tx) => {
    await tx.selectFrom('sessions').select('id').where('id', '=', sessionId).forUpdate().execute();
    await sweep({ stepRecords: 30, keptResults: 30, conversations: 30 });
    expect(await count('step_records', sessionId)).toBe(2);
    expect(await count('session_data', sessionId)).toBe(1);
  });
  await sweep({ conversations: 30 });
  expect(await count('turns', sessionId)).toBe(0);
});

async function endedJob(): Promise<Job> {
  const made = await reached(jobs, await jobs.jobs.create(viewer, job()), 'COMPLETED');
  const workspace = await openWorkspace(workspaceFolder(join(dataDir, 'jobs'), made.id), { maxBytes: 1e6 });
  await workspace.write('report.md', '# Report', 'report');
  return made;
}
const folders = () => readdir(join(dataDir, 'jobs'));

test('the workspace of a job goes after its period, the job itself after its own; one that was retried keeps both', async () => {
  const [old, young, retried] = [await endedJob(), await endedJob(), await endedJob()];
  for (const each of [old, retried]) await age(each.sessionId, 200);
  await chat.pool.query(`update jobs set status = 'CREATED', finished_at = null where id = $1`, [retried.id]);
  await sweep({ workspaces: 180 });
  expect((await folders()).toSorted()).toEqual([young.id, retried.id].toSorted());
  expect(await jobs.jobs.byIds(viewer, [old.id])).toMatchObject([{ status: 'COMPLETED' }]);
  await sweep({ jobs: 180 });
  expect(await jobs.jobs.byIds(viewer, [old.id, young.id, retried.id])).toMatchObject([
    null,
    { id: young.id },
    { id: retried.id },
  ]);
});

async function oldSessions(): Promise<number> {
  const sql = `select count(*)::int as count from sessions where updated_at < now() - interval '30 days'`;
  return (await chat.pool.query<{ count: number }>(sql)).rows[0]!.count;
}

test('two servers share the work, also when one ends in the middle: everything old goes once, tools that are used stay', async () => {
  const all = await Promise.all(Array.from({ length: 50 }, () => conversation()));
  const used = all.pop()!;
  for (const { sessionId } of all) await age(sessionId, 31);
  const other = openDatabase(database.url, { log: createLogger('silent') });
  const stopping = new AbortController();
  const cut = sweep({ stepRecords: 30, conversations: 30 }, other.db, stopping.signal);
  await until(async () => (await oldSessions()) < all.length, { what: 'the first one to go' });
  stopping.abort();
  await Promise.all([cut, sweep({ stepRecords: 30, conversations: 30 })]);
  await sweep({ stepRecords: 30, conversations: 30 }, other.db);
  await other.close();
  for (const { sessionId } of all) expect(await count('turns', sessionId)).toBe(0);
  expect(await count('step_records', used.sessionId)).toBe(2);
  const { rows } = await chat.pool.query('select hash from tool_schemas order by hash');
  expect(rows).toEqual([
    { hash: expect.stringMatching(/^prompt /) },
    { hash: expect.stringMatching(/^prompt /) },
    { hash: 'tools of all' },
  ]);
});

test('counters go when nothing reads them any more', async () => {
  await chat.pool.query(`
    insert into daily_usage (scope, id, day, input_tokens, output_tokens, cached_tokens)
      select 'VIEWER', 'gone', current_date - age, 1, 1, 0 from generate_series(0, 120, 10) as age;
    insert into live_calls values ('p', 'c', now() - interval '2 hours'), ('p', 'c', now());
    insert into deleted_turns values ('gone', now() - interval '3 days'), ('gone', now());
    insert into model_lessons values ('p', '', 'm', '{}', now() - interval '31 days'), ('p', '', 'n', '{}', now())`);
  await sweep({});
  const { rows } = await chat.pool.query(`select
    (select count(*)::int from daily_usage where id = 'gone') as days,
    (select count(*)::int from live_calls) as calls,
    (select count(*)::int from deleted_turns where viewer_id = 'gone') as turns,
    (select count(*)::int from model_lessons) as lessons`);
  expect(rows).toEqual([{ days: 9, calls: 1, turns: 1, lessons: 1 }]);
});

test('sizes are those of tables and files, each kind with its period', async () => {
  const made = await endedJob();
  const storage = createStorage(depsOf({ workspaces: 180 }));
  const before = await storage.sizes();
  const sizeOf = (sizes: typeof before, kind: string) => sizes.kinds.find((each) => each.kind === kind);
  expect(sizeOf(before, 'WORKSPACES')).toMatchObject({ keptDays: 180 });
  expect(sizeOf(before, 'CONVERSATIONS')).toMatchObject({ keptDays: null });
  expect(sizeOf(before, 'EVENTS')!.bytes).toBeGreaterThanOrEqual(8_192);
  expect(before.freeBytes).toBeGreaterThan(0);
  const workspace = await openWorkspace(workspaceFolder(join(dataDir, 'jobs'), made.id), { maxBytes: 1e6 });
  await workspace.write('data.bin', Buffer.alloc(100_000), 'data');
  const grown = sizeOf(await storage.sizes(), 'WORKSPACES')!.bytes - sizeOf(before, 'WORKSPACES')!.bytes;
  expect(grown).toBeGreaterThanOrEqual(100_000);
  expect(grown).toBeLessThan(110_000);
});
