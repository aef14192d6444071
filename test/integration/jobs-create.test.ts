/** What a job is made from: all of it checked and copied at once, or nothing. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { postgresFindings } from '../../src/operations/doctor/postgres.ts';
import type { AttachedDatasource } from '../../src/domain/jobs/job.ts';
import type { InputIssue } from '../../src/base/errors.ts';
import type { Expert } from '../../src/experts/expert.ts';
import type { CreateJobInput } from '../../src/services/jobs/job-input.ts';
import { createLogger } from '../../src/base/log.ts';
import { newId } from '../../src/stores/pg/ids.ts';
import { openJobQueue } from '../../src/stores/pg/job-queue.ts';
import { insertUpload } from '../../src/stores/pg/uploads.ts';
import { viewer } from '../support/chat.ts';
import { createTestDatabase, type TestDatabase } from '../support/databases.ts';
import { job, plainExpert, startJobs, type Jobs } from '../support/jobs.ts';

const other = { ...viewer, projectId: 'other' };
const eve = { ...viewer, id: 'eve' };
const templated = {
  ...plainExpert,
  expertId: 'templated',
  instructionsSource: 'TEMPLATE',
  instructions: 'T',
} as const;
const broken = { ...plainExpert, expertId: 'broken', loadError: 'line 3 is no YAML' };
const fridge = { id: 'fridge', name: 'Fridge log', type: 'sql', readOnly: true } as const;
const passing = { ...plainExpert, expertId: 'passing' };
const experts: Expert[] = [plainExpert, templated, broken, passing];
const datasources: AttachedDatasource[] = [fridge, { ...fridge, id: 'passing' }];

let database: TestDatabase;
let jobs: Jobs;
beforeAll(async () => {
  database = await createTestDatabase();
  jobs = await startJobs(database.url, {
    jobsAtOnce: 0,
    experts,
    datasources,
  });
});
afterAll(async () => {
  await jobs.stop();
  await database.drop();
});

const make = (more: Partial<CreateJobInput> = {}) => jobs.jobs.create(viewer, job(more));
const uploaded = async (text: string, who = viewer): Promise<string> => {
  const record = { id: newId(), name: 'a.md', sizeBytes: text.length, rowCount: 0, columns: [], text };
  return (await insertUpload(jobs.db, who, record)).id;
};
const countAll = async (): Promise<unknown> => {
  const { rows } = await jobs.pool.query<{ jobs: number }>(
    'select (select count(*)::int from jobs) as jobs, (select count(*)::int from sessions) as sessions, (select count(*)::int from qpilot_queue.job) as entries',
  );
  return rows[0];
};

describe('instructions', () => {
  const given = fc.record({ inline: fc.boolean(), upload: fc.boolean(), own: fc.boolean() });
  test('are those of the highest source that there is, in all combinations', async () => {
    const id = await uploaded('from the file');
    await fc.assert(
      fc.asyncProperty(given, async ({ inline, upload, own }) => {
        const made = await make({
          expertId: own ? 'researcher' : 'templated',
          ...(inline && { instructions: 'sent' }),
          ...(upload && { instructionsUploadId: id }),
        });
        const expected = inline ? 'INLINE' : upload ? 'UPLOAD' : own ? 'EXPERT' : 'TEMPLATE';
        const texts = {
          INLINE: 'sent',
          UPLOAD: 'from the file',
          EXPERT: plainExpert.instructions,
          TEMPLATE: 'T',
        };
        expect([made.instructionsSource, made.instructions]).toEqual([expected, texts[expected]]);
      }),
      { numRuns: 30 },
    );
  });

  test('are kept byte for byte, and the empty text means none', async () => {
    const text = 'Zeile\r\n\tπ 😀 "x" \\n\n\n';
    expect((await make({ instructions: text })).instructions).toBe(text);
    expect((await make({ instructions: '' })).instructionsSource).toBe('EXPERT');
  });
});

describe('the configuration', () => {
  test('is the expert under the uploaded file under what was sent', async () => {
    const configUploadId = await uploaded('llm:\n  temperature: 0.7\n  reasoning_level: low\n');
    const { resolvedConfig, configOverride, expertHash } = await make({
      configUploadId,
      configOverride: { llm: { temperature: 1.1 } },
    });
    expect(resolvedConfig).toMatchObject({ llm: { temperature: 1.1, reasoning_level: 'low' } });
    expect(configOverride).toEqual({ llm: { temperature: 1.1 } });
    expect(expertHash).toBe(plainExpert.contentHash);
    expect((await make()).resolvedConfig).toMatchObject({ llm: { temperature: 0.5 } });
  });
});

test('a job stays what it was made from, whatever becomes of its expert and its datasources', async () => {
  const made = await make({ expertId: 'passing', datasourceIds: ['passing'] });
  const at = (list: readonly { readonly id?: string; readonly expertId?: string }[]) =>
    list.findIndex(({ id, expertId }) => (id ?? expertId) === 'passing');
  experts.splice(at(experts), 1, { ...passing, instructions: 'Something else.', contentHash: 'def' });
  datasources.splice(at(datasources), 1);
  const [found] = await jobs.jobs.byIds(viewer, [made.id]);
  expect(found).toEqual(made);
  expect(found).toMatchObject({ instructions: plainExpert.instructions, expertHash: 'abc' });
  expect(await jobs.jobs.datasourcesOf(viewer, [made.id])).toEqual([[{ ...fridge, id: 'passing' }]]);
  await expect(make({ datasourceIds: ['passing'] })).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('what was attached is copied, without more than everybody may see', async () => {
  const made = await make({ datasourceIds: ['fridge'], chipId: 'demo-64', context: { finding: 'T1 fell' } });
  expect(await jobs.jobs.datasourcesOf(viewer, [made.id, newId()])).toEqual([[fridge], []]);
  expect(made).toMatchObject({ chipId: 'demo-64', context: { finding: 'T1 fell' } });
});

test('the same request again is the same job, another one under its key is refused', async () => {
  const input = job();
  const [one, two] = await Promise.all([jobs.jobs.create(viewer, input), jobs.jobs.create(viewer, input)]);
  expect(two).toEqual(one);
  await expect(jobs.jobs.create(viewer, { ...input, description: 'something else' })).rejects.toMatchObject({
    code: 'CONFLICT',
  });
  expect((await jobs.jobs.create(other, input)).id).not.toBe(one.id);
});

test('of jobs made at once no more are taken than a user may have open', async () => {
  const crowded = await startJobs(database.url, { jobsAtOnce: 0, experts, jobsPerUser: 2 });
  const mo = { ...viewer, id: 'mo' };
  const inputs = [job(), job(), job(), job()];
  const made = await Promise.allSettled(inputs.map((input) => crowded.jobs.create(mo, input)));
  const taken = made.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const refused = made.flatMap((each) => (each.status === 'rejected' ? [each.reason as object] : []));
  expect(taken).toHaveLength(2);
  expect(refused).toHaveLength(2);
  expect(refused[0]).toMatchObject({
    code: 'RATE_LIMITED',
    message: expect.stringMatching(/^2 of your jobs are queued .* 2 are allowed/),
  });
  // Asking again for one that was taken needs no room, and one that is over leaves some.
  const again = inputs[made.findIndex(({ status }) => status === 'fulfilled')]!;
  expect(taken.map(({ id }) => id)).toContain((await crowded.jobs.create(mo, again)).id);
  await crowded.jobs.cancel(mo, taken[0]!.id);
  expect((await crowded.jobs.create(mo, job())).status).toBe('CREATED');
  await crowded.stop();
});

describe('a request that cannot be met leaves nothing behind', () => {
  const invalid: [string, Partial<CreateJobInput>, string][] = [
    ['a blank description', { description: ' \n' }, 'input.description'],
    ['a long description', { description: 'x'.repeat(2_001) }, 'input.description'],
    ['blank instructions', { instructions: ' \n ' }, 'input.instructions'],
    ['large instructions', { instructions: 'é'.repeat(100_001) }, 'input.instructions'],
    ['instructions with a NUL', { instructions: 'a\0b' }, 'input.instructions'],
    ['a key in the instructions', { instructions: `use sk-${'a1B2'.repeat(12)}` }, 'input.instructions'],
    [
      'a temperature',
      { configOverride: { llm: { temperature: -1 } } },
      'input.configOverride.llm.temperature',
    ],
    ['a category', { configOverride: { tools: { nonsense: [] } } }, 'input.configOverride.tools.nonsense'],
    ['an override that is no object', { configOverride: [1] }, 'input.configOverride'],
    [
      'a key of every object',
      { configOverride: JSON.parse('{"llm": {"__proto__": {"model": "x"}}}') as object },
      'input.configOverride.llm.__proto__',
    ],
    ['a large override', { configOverride: { llm: { model: 'x'.repeat(70_000) } } }, 'input.configOverride'],
    ['a context that is none', { context: 'free words' }, 'input.context'],
    ['a datasource named twice', { datasourceIds: ['fridge', 'fridge'] }, 'input.datasourceIds'],
    ['a broken expert', { expertId: 'broken' }, 'input.expertId'],
  ];
  test.each(invalid)('%s', async (_what, more, path) => {
    const before = await countAll();
    const error = await make(more).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'INVALID_INPUT' });
    const { issues } = error as { issues: InputIssue[] };
    expect(issues.map((issue) => issue.path.join('.'))).toContain(path);
    expect(await countAll()).toEqual(before);
  });

  const unknown: [string, () => Promise<Partial<CreateJobInput>>][] = [
    ['an unknown expert', async () => ({ expertId: 'nobody' })],
    ['an unknown chip', async () => ({ chipId: 'nowhere' })],
    ['an unknown datasource', async () => ({ datasourceIds: ['fridge', 'secret'] })],
    ['an unknown upload', async () => ({ instructionsUploadId: newId() })],
    ['an upload of another project', async () => ({ configUploadId: await uploaded('llm: {}', other) })],
    ['an upload of somebody else', async () => ({ instructionsUploadId: await uploaded('hers', eve) })],
    ['an unknown builder session', async () => ({ builderSessionId: newId() })],
  ];
  test.each(unknown)('%s', async (_what, more) => {
    const input = await more();
    const before = await countAll();
    await expect(make(input)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await countAll()).toEqual(before);
  });
});

test('a job of another project or of somebody else is like one that does not exist', async () => {
  const { id } = await make();
  const signal = AbortSignal.timeout(60_000);
  for (const who of [other, eve]) {
    expect(await jobs.jobs.byIds(who, [id])).toEqual([null]);
    expect((await jobs.jobs.list(who, { first: 100 })).items.map(({ item }) => item.id)).not.toContain(id);
    expect(await jobs.jobs.datasourcesOf(who, [id])).toEqual([[]]);
    for (const refused of [
      () => jobs.jobs.cancel(who, id),
      () => jobs.jobs.retry(who, id),
      () => jobs.jobs.review(who, { jobId: id, verdict: 'APPROVE' }),
      () => jobs.jobs.follow(who, id, 0, signal),
    ]) {
      await expect(refused()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
  }
});

test('jobs are listed page by page, newest first, by status', async () => {
  const made = [await make(), await make(), await make()];
  await jobs.jobs.cancel(viewer, made[1]!.id);
  const first = await jobs.jobs.list(viewer, { first: 2 });
  expect(first.items.map(({ item }) => item.id)).toEqual([made[2]!.id, made[1]!.id]);
  const second = await jobs.jobs.list(viewer, { first: 1, after: first.items.at(-1)!.cursor });
  expect(second.items[0]?.item.id).toBe(made[0]!.id);
  const cancelled = await jobs.jobs.list(viewer, { first: 1, status: ['CANCELLED', 'FAILED'] });
  expect(cancelled.items[0]?.item.id).toBe(made[1]!.id);
});

test('who follows changes sees each job as it changes, and no other viewer does', async () => {
  const leave = new AbortController();
  const mine = await jobs.jobs.changes(viewer, leave.signal);
  const hers = await jobs.jobs.changes(eve, leave.signal);
  const notSeen = hers.next();
  const made = await make();
  expect((await mine.next()).value).toMatchObject({ id: made.id, status: 'CREATED' });
  await jobs.jobs.cancel(viewer, made.id);
  expect((await mine.next()).value).toMatchObject({ id: made.id, status: 'CANCELLED' });
  leave.abort();
  expect((await notSeen).done).toBe(true);
});

test('the doctor reports the length of the queue, and a queue that nobody works on', async () => {
  const look = async () => {
    const findings = await postgresFindings(database.url, 10);
    return findings.filter(({ area }) => area === 'job queue');
  };
  await make();
  expect(await look()).toEqual([
    expect.objectContaining({
      status: 'OK',
      message: expect.stringMatching(/^[1-9]\d* waiting, 0 in progress/),
    }),
  ]);
  await jobs.pool.query(`update qpilot_queue.job set created_on = now() - interval '1 hour'`);
  expect(await look()).toEqual([expect.objectContaining({ status: 'PROBLEM' })]);
});

test('a job whose transaction fails is in no queue', async () => {
  const queue = await openJobQueue({ url: database.url, log: createLogger('silent') });
  try {
    const before = await countAll();
    const failing = jobs.db.transaction().execute(async (tx) => {
      await queue.put(tx, { jobId: newId(), run: 1 });
      throw new Error('not stored');
    });
    await expect(failing).rejects.toThrow('not stored');
    expect(await countAll()).toEqual(before);
  } finally {
    await queue.close();
  }
});
