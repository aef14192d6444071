/** Deleting jobs: all of one goes, whoever works on it, and nothing of any other. */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '@qpilot/test-support';
import { NotFoundError } from '../../src/base/errors.ts';
import type { Job } from '../../src/domain/jobs/job.ts';
import { openWorkspace, workspaceFolder } from '../../src/workspace/workspace.ts';
import { createWorkspaces } from '../../src/services/storage/workspaces.ts';
import { completed } from '../support/activities.ts';
import { viewer } from '../support/chat.ts';
import { createTestDatabase, type TestDatabase } from '../support/databases.ts';
import { job, reached, startJobs, threePhases, type Jobs } from '../support/jobs.ts';

let database: TestDatabase;
let folder: string;
let jobs: Jobs;
/** Holds the phases of jobs with this description. */
let release: () => void;
const held = new Promise<void>((resolve) => (release = resolve));
beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'qpilot-workspaces-'));
  jobs = await startJobs(database.url, {
    workspaces: folder,
    phase: async (run) => {
      if (run.session.title !== 'hold') return threePhases(run);
      await held; // not even a cancel ends it
      return completed;
    },
  });
});
afterAll(async () => {
  release();
  await jobs.stop();
  await Promise.all([database.drop(), rm(folder, { recursive: true })]);
});

const create = (description = 'look'): Promise<Job> => jobs.jobs.create(viewer, job({ description }));
const workspaceOf = ({ id }: Job) => openWorkspace(workspaceFolder(folder, id), { maxBytes: 1_000_000 });

/** Rows of each table that name the job, its session or one of its turns; every table that has such a column. */
async function rowsOf({ id, sessionId }: Job, turnIds: readonly string[]): Promise<Record<string, number>> {
  const { rows: columns } = await jobs.pool.query<{ table: string; column: string }>(
    `select table_name as table, column_name as column from information_schema.columns join pg_tables
       on tablename = table_name and schemaname = table_schema
     where table_schema = current_schema() and udt_name = 'uuid' and (column_name in ('session_id', 'turn_id', 'job_id')
       or (table_name, column_name) in (('jobs', 'id'), ('sessions', 'id'), ('turns', 'id')))`,
  );
  const found: Record<string, number> = {};
  for (const { table, column } of columns) {
    const sql = `select count(*)::int as count from "${table}" where "${column}" = any($1::uuid[])`;
    const { rows } = await jobs.pool.query<{ count: number }>(sql, [[id, sessionId, ...turnIds]]);
    if (rows[0]!.count > 0) found[`${table}.${column}`] = rows[0]!.count;
  }
  return found;
}
async function turnsOf({ sessionId }: Job): Promise<string[]> {
  const { rows } = await jobs.pool.query<{ id: string }>('select id from turns where session_id = $1', [
    sessionId,
  ]);
  return rows.map(({ id }) => id);
}

test('a job goes with its rows in every table and its workspace; another job keeps all of its own', async () => {
  const [one, other] = [await create(), await create()];
  for (const each of [one, other]) {
    await reached(jobs, each, 'COMPLETED');
    await (await workspaceOf(each)).write('report.md', '# Report', 'report');
  }
  const [turns, otherTurns] = [await turnsOf(one), await turnsOf(other)];
  const before = await rowsOf(other, otherTurns);
  expect(await rowsOf(one, turns)).toEqual(before);
  expect(before).toMatchObject({ 'jobs.id': 1, 'job_turns.job_id': 3, 'turns.id': 3 });
  await jobs.jobs.delete(viewer, one.id);
  expect(await rowsOf(one, turns)).toEqual({ 'deleted_sessions.job_id': 1 });
  expect(await rowsOf(other, otherTurns)).toEqual(before);
  expect(await readdir(folder)).toEqual([other.id]);
  expect(await jobs.jobs.byIds(viewer, [one.id, other.id])).toMatchObject([null, { id: other.id }]);
  await jobs.jobs.delete(viewer, one.id); // again
});

test('an open job is cancelled first; its stream ends, and its worker adds nothing any more', async () => {
  const open = await create('hold');
  const turn = await until(async () => (await turnsOf(open))[0], { what: 'its first phase' });
  const following = await jobs.jobs.follow(viewer, open.id, 0, new AbortController().signal);
  const deleted = jobs.jobs.delete(viewer, open.id);
  const types: string[] = [];
  for await (const { type } of following) types.push(type); // to the end of the stream
  expect(types).toContain('TurnStartedEvent');
  await deleted;
  release();
  const next = await create(); // behind it: the worker is free again
  await reached(jobs, next, 'COMPLETED');
  expect(await rowsOf(open, [turn])).toEqual({ 'deleted_sessions.job_id': 1 });
});

test('a job that waits for a worker is deleted, and the worker that finds its entry takes the next one', async () => {
  const waiting = await startJobs(database.url, { jobsAtOnce: 0, workspaces: folder });
  const queued = await waiting.jobs.create(viewer, job());
  await waiting.jobs.delete(viewer, queued.id);
  await waiting.stop();
  await reached(jobs, await create(), 'COMPLETED');
  expect(await rowsOf(queued, [])).toEqual({ 'deleted_sessions.job_id': 1 });
});

test('nobody else can delete it, and one that never was is unknown', async () => {
  const mine = await create();
  await reached(jobs, mine, 'COMPLETED');
  for (const who of [
    { ...viewer, id: 'eve' },
    { ...viewer, projectId: 'other' },
  ]) {
    await expect(jobs.jobs.delete(who, mine.id)).rejects.toThrow(NotFoundError);
  }
  await expect(jobs.jobs.delete(viewer, 'no id')).rejects.toThrow(NotFoundError);
  await expect(jobs.jobs.delete(viewer, '../../etc')).rejects.toThrow(NotFoundError);
  expect((await jobs.jobs.byIds(viewer, [mine.id]))[0]).toMatchObject({ status: 'COMPLETED' });
});

test('a workspace whose deletion was cut short goes with the next sweep, one of a job of another database stays', async () => {
  const cut = await create();
  await reached(jobs, cut, 'COMPLETED');
  await jobs.jobs.delete(viewer, cut.id);
  const foreign = '0190a6c4-1f00-7000-8000-000000000001';
  const aside = '0190a6c4-1f00-7000-8000-000000000002.removed';
  for (const name of [cut.id, foreign, aside]) {
    await (await openWorkspace(join(folder, name), { maxBytes: 1_000_000 })).write('a.md', 'a', 'a');
  }
  await writeFile(join(folder, 'notes.txt'), 'of a person');
  const workspaces = createWorkspaces({ db: jobs.db, folder });
  expect(await workspaces.removeForgotten(null)).toBe(2);
  const left = await readdir(folder);
  expect(left).toEqual(expect.arrayContaining([foreign, 'notes.txt']));
  expect(left).not.toContain(cut.id);
  expect(left).not.toContain(aside);
  expect(await workspaces.removeForgotten(null)).toBe(0);
});
