/** What becomes of a job when a limit is met or something fails under it, with a provider's model on the real path. */
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { createDatasources, type Datasources } from '../../src/sources/databases/datasources.ts';
import type { SessionEvent } from '../../src/domain/conversation/session-event.ts';
import type { JobLimits, Job, JobStatus } from '../../src/domain/jobs/job.ts';
import type { CalibrationServices } from '../../src/services/calibration/calibration-services.ts';
import { createCalibrationServices } from '../../src/services/calibration/calibration-services.ts';
import type { CreateJobInput } from '../../src/services/jobs/job-input.ts';
import { createMongoCalibrationStore } from '../../src/stores/mongo/calibration-store.ts';
import { shippedMetrics, shippedTopologies } from '../support/catalogue.ts';
import { viewer } from '../support/chat.ts';
import { createTestDatabase, createTestMongo, type TestDatabase } from '../support/databases.ts';
import { job, phaseWords, reached, startJobs, testJobLimits, type Jobs } from '../support/jobs.ts';
import { calls, modelPhases, says } from '../support/model-jobs.ts';
import type { ModelServer, Reply } from '../support/model-server.ts';
import { ownModelServers } from '../support/own-model-servers.ts';
import { mountSmallDisk } from '../support/small-disk.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { until } from '@qpilot/test-support';

const startModel = ownModelServers();
let database: TestDatabase;
let folder: string;
const open: Jobs[] = [];
beforeAll(async () => {
  [database, folder] = await Promise.all([createTestDatabase(), mkdtemp(join(tmpdir(), 'qpilot-faults-'))]);
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.stop()));
});
afterAll(async () => {
  await Promise.all([database.drop(), rm(folder, { recursive: true, force: true })]);
});

type Options = {
  readonly limits?: Partial<JobLimits>;
  readonly datasources?: Datasources;
  readonly folder?: string;
  readonly services?: CalibrationServices;
};

/** A process that works on jobs by the model of this server. */
async function start(model: ModelServer, options: Options = {}): Promise<Jobs> {
  const limits = { ...testJobLimits, ...options.limits };
  const parts = { folder, ...options, model, limits };
  const jobs = await startJobs(database.url, {
    answerTurn: await modelPhases(parts),
    limits,
    datasources: options.datasources?.all ?? [],
  });
  open.push(jobs);
  return jobs;
}

/** Has a job worked on by a model that says this, until it has ended. */
async function ran(
  replies: Parameters<typeof startModel>[0],
  options: Options & { input?: Partial<CreateJobInput> } = {},
) {
  const model = await startModel(replies);
  const jobs = await start(model, options);
  const made = await jobs.jobs.create(viewer, job(options.input));
  return { jobs, model, ended: await reached(jobs, made, ...ENDS) };
}

const ENDS: readonly JobStatus[] = ['COMPLETED', 'FAILED', 'CANCELLED', 'PENDING_REVIEW'];
const plan = says(calls('next_phase_todos', { goal: 'look', todos: ['look'] }));
const write = (path: string, content: string): Reply => says(calls('write_file', { path, content }));
const finish = says(calls('finish_job', { report: 'report.md', summary: 'done' }));
const word = says({ text: 'So it is.' });

/** The newest model request, as it was sent. */
const sentTo = (model: ModelServer, index: number): string => JSON.stringify(model.requests.at(index));

/** The outputs of the newest two calls, as they were sent. */
const lastOutputs = (model: ModelServer, index: number): string =>
  JSON.stringify((model.requests[index]!['input'] as readonly unknown[]).slice(-2));

async function eventsOf(jobs: Jobs, { id }: Pick<Job, 'id'>): Promise<readonly SessionEvent[]> {
  const stop = new AbortController();
  const events: SessionEvent[] = [];
  const { rows } = await jobs.pool.query<{ last_seq: number }>(
    'select last_seq from sessions join jobs on session_id = sessions.id where jobs.id = $1',
    [id],
  );
  for await (const event of await jobs.jobs.follow(viewer, id, 0, stop.signal)) {
    events.push(event);
    if (event.seq === rows[0]!.last_seq) stop.abort();
  }
  return events;
}

/** Whether every call has an ending, and every turn one that is its last event. */
function areWhole(events: readonly SessionEvent[]): boolean {
  const callsOf = (type: string) =>
    events.flatMap((event) =>
      event.type === type && 'callId' in event.payload ? [event.payload.callId] : [],
    );
  const isCallsWhole =
    callsOf('ToolCallStartedEvent').toSorted().join() === callsOf('ToolCallFinishedEvent').toSorted().join();
  const turns = [...Map.groupBy(events, ({ turnId }) => turnId).values()];
  const ends = turns.map(
    (each) => each.map(({ type }) => type).indexOf('TurnFinishedEvent') === each.length - 1,
  );
  return isCallsWhole && ends.every(Boolean) && events.every(({ seq }, at) => seq === at + 1);
}

describe('a job that meets a limit', () => {
  test('of rounds is asked for its last words in each phase, and ends with its last phase', async () => {
    const { ended, model, jobs } = await ran((index) => (index % 2 === 0 ? plan : word), {
      limits: { roundsPerPhase: 1, phases: 3 },
    });
    expect(ended).toMatchObject({ status: 'FAILED', error: { code: 'PHASE_LIMIT', retryable: true } });
    expect(model.requests).toHaveLength(6);
    for (const at of [1, 3, 5]) expect(sentTo(model, at)).toContain('the limit of 1 rounds');
    expect(areWhole(await eventsOf(jobs, ended))).toBe(true);
  });

  test('of tokens fails with that before a call that needs more than are left', async () => {
    const { ended, model } = await ran([], { limits: { tokens: 300 } });
    expect(ended).toMatchObject({ status: 'FAILED', error: { code: 'TOKEN_LIMIT', retryable: true } });
    expect(ended.error?.message).toContain('tokens of this job; try it again');
    expect(model.requests).toEqual([]);
  });

  test('of time fails with that, however silent its model is', async () => {
    const stalled: Reply = { body: ' ', cut: { at: 0, how: 'stall' } };
    const { ended, jobs } = await ran([plan, word, stalled], { limits: { seconds: 1.5 } });
    expect(ended).toMatchObject({ status: 'FAILED', error: { code: 'TIME_LIMIT', retryable: true } });
    expect(areWhole(await eventsOf(jobs, ended))).toBe(true);
  });

  test('of its disk reads what is too much, and goes on with less', async () => {
    const { ended, model } = await ran(
      [write('big.md', 'x'.repeat(5_000)), write('report.md', 'short'), finish, word],
      { limits: { workspaceBytes: 8_000 } },
    );
    expect(ended.status).toBe('COMPLETED');
    expect(sentTo(model, 1)).toContain('and it may have 0.01 MB; write less');
  });
});

test('a full disk fails the job with that, nothing is half written, and with room it goes on', async () => {
  const disk = await mountSmallDisk(96);
  if (disk === null) return;
  try {
    const model = await startModel([
      write('report.md', 'kept'),
      write('big.md', 'x'.repeat(90_000)),
      finish,
      word,
    ]);
    const jobs = await start(model, { folder: disk.folder });
    const made = await jobs.jobs.create(viewer, job());
    const failed = await reached(jobs, made, ...ENDS);
    expect(failed).toMatchObject({ status: 'FAILED', error: { code: 'DISK_FULL', retryable: true } });
    expect(failed.error?.message).toContain('disk of the server is full');
    const files = await readdir(join(disk.folder, made.id), { recursive: true });
    expect(files.filter((name) => /unfinished|big/u.test(name))).toEqual([]);
    expect(files).toContain('files/report.md');
    expect(areWhole(await eventsOf(jobs, made))).toBe(true);
    await disk.resize(1024);
    await jobs.jobs.retry(viewer, made.id);
    await reached(jobs, made, 'COMPLETED');
  } finally {
    await disk.remove();
  }
});

describe('datasources that vanish', () => {
  test('are reported to the model, and the job goes on without them', async () => {
    const proxy = await startTcpProxy(database.url);
    const csv = join(folder, 'fridge.csv');
    await writeFile(csv, 'a\n1\n');
    const source = (id: string, type: 'sql' | 'dataset') =>
      ({ id, name: `The ${id}`, type, readOnly: true, uri: id }) as const;
    const settings = [source('gone', 'dataset'), source('log', 'sql'), source('torn', 'sql')];
    const { port } = new URL(proxy.url);
    const dead = `postgres://nobody:secret@127.0.0.1:${port}/none`;
    const at = { gone: pathToFileURL(csv).href, log: dead, torn: dead };
    const whole = createDatasources(settings, at);
    // The server that works on it has lost one of the settings and the file, and the database is away.
    const datasources: Datasources = { ...whole, sql: (id) => (id === 'torn' ? null : whole.sql(id)) };
    await rm(csv);
    proxy.cut();
    const ask = (datasource: string) => calls('sql_query', { datasource, statement: 'select 1' });
    try {
      const { ended, model } = await ran(
        [says(ask('log')), says(ask('torn')), write('report.md', 'so'), finish, word],
        {
          datasources,
          input: {
            datasourceIds: ['gone', 'log', 'torn'],
            configOverride: { tools: { sql: ['sql_query'] } },
          },
        },
      );
      expect(ended.status).toBe('COMPLETED');
      expect(sentTo(model, 0)).toContain('data/gone.csv (datasource: The gone cannot be read)');
      expect(sentTo(model, 1)).toContain(
        'The log is not responding; try again in a later round, or mention it',
      );
      expect(sentTo(model, 2)).toContain(
        'The torn was attached to this job, but the server no longer has it',
      );
      expect(JSON.stringify(model.requests)).not.toMatch(/secret|fridge\.csv|127\.0\.0\.1/u);
    } finally {
      await proxy.close();
    }
  });
});

test('a MongoDB that goes away during a job is reported, and read again once it is back', async () => {
  const mongo = await createTestMongo();
  const proxy = await startTcpProxy(mongo.uri);
  const uri = `mongodb://${new URL(proxy.url).host}/${mongo.dbName}?serverSelectionTimeoutMS=5000`;
  const client = new MongoClient(uri);
  const db = client.db();
  try {
    await db.collection('runs').insertOne({ qid: '7', t1: 41.5 });
    await db.collection('chip').insertOne({ project_id: 'demo', chip_id: 'kept-64', size: 64 });
    const query = { collection: 'runs', filter: '{}', projection: '{"_id": 0}', sort: null, limit: null };
    const both = says(
      calls('mongodb_find', { datasource: 'runs', ...query }),
      calls('list_entities', { kind: 'chip', name_contains: null }),
    );
    // What the model does next it does with the database as it is then.
    const replies = [both, both, both, write('report.md', 'so'), finish, word];
    const { ended, model, jobs } = await ran(
      (index) => {
        if (index === 1) proxy.cut();
        if (index === 2) proxy.mend();
        return replies[index]!;
      },
      {
        services: createCalibrationServices({
          store: createMongoCalibrationStore(db),
          metrics: shippedMetrics,
          topologies: shippedTopologies,
          project: null,
          timeZone: 'UTC',
          now: () => new Date(),
        }),
        datasources: createDatasources(
          [{ id: 'runs', name: 'Old runs', type: 'mongodb', readOnly: true, uri: 'RUNS' }],
          { RUNS: uri },
        ),
        input: {
          datasourceIds: ['runs'],
          configOverride: { tools: { mongodb: ['mongodb_find'], calibration: ['list_entities'] } },
        },
      },
    );
    expect(ended.status).toBe('COMPLETED');
    const events = await eventsOf(jobs, ended);
    expect(areWhole(events)).toBe(true);
    const endings = events.flatMap(({ type, payload }) =>
      type === 'ToolCallFinishedEvent' && 'status' in payload ? [payload.status] : [],
    );
    expect(endings).toEqual(['OK', 'OK', 'ERROR', 'ERROR', 'OK', 'OK', 'OK', 'OK']);
    expect(sentTo(model, 2)).toContain('Old runs is not responding; try again in a later round');
    expect(sentTo(model, 2)).toContain('the calibration database does not answer now; try again in a moment');
    const [found = '', gone = '', back = ''] = [1, 2, 3].map((index) => lastOutputs(model, index));
    expect([found.includes('41.5'), gone.includes('41.5'), back.includes('41.5')]).toEqual([
      true,
      false,
      true,
    ]);
    expect(back).toContain('kept-64');
  } finally {
    await client.close();
    await proxy.close();
    await mongo.drop();
  }
});

test('a job that is cancelled while a tool waits for a database ends at once, the call too', async () => {
  const silent = createServer();
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const asked = once(silent, 'connection') as Promise<[Socket]>;
  const { port } = silent.address() as AddressInfo;
  const datasources = createDatasources(
    [{ id: 'log', name: 'The log', type: 'sql', readOnly: true, uri: 'LOG' }],
    { LOG: `postgres://127.0.0.1:${port}/none` },
  );
  const model = await startModel([says(calls('sql_query', { datasource: null, statement: 'select 1' }))]);
  const jobs = await start(model, { datasources });
  const configOverride = { tools: { sql: ['sql_query'] } };
  const made = await jobs.jobs.create(viewer, job({ datasourceIds: ['log'], configOverride }));
  const [socket] = await asked;
  try {
    const startedAt = performance.now();
    expect((await jobs.jobs.cancel(viewer, made.id)).status).toBe('CANCELLED');
    expect(performance.now() - startedAt).toBeLessThan(4_000); // the connection alone would wait for 5 s
    expect(await phaseWords(jobs, made)).toEqual(['1 PLANNING CANCELLED']);
    const events = await eventsOf(jobs, made);
    expect(areWhole(events)).toBe(true);
    expect(events.find(({ type }) => type === 'ToolCallFinishedEvent')?.payload).toMatchObject({
      tool: 'sql_query',
      status: 'CANCELLED',
    });
  } finally {
    socket.destroy();
    silent.close();
  }
});

test('a phase whose worker was lost sends what it had found, and only then asks anew', async () => {
  const stalled: Reply = { body: ' ', cut: { at: 0, how: 'stall' } };
  const model = await startModel([
    plan,
    word,
    write('t1.csv', 'qid,t1'),
    says(calls('read_file', { path: 't1.csv', from_line: null })),
    stalled,
    stalled,
    says(calls('todo_complete', { todo_id: 1, result: 'looked' })),
    word,
    write('report.md', 'so'),
    finish,
    word,
  ]);
  const first = await start(model);
  const made = await first.jobs.create(viewer, job());
  await until(() => model.requests.length === 5);
  await open.pop()!.stop();
  // A second worker is lost before its first answer: what the first one found is not lost with it.
  await start(model);
  await until(() => model.requests.length === 6);
  await open.pop()!.stop();
  const third = await start(model);
  await reached(third, made, 'COMPLETED');
  const rounds = (index: number) =>
    (model.requests[index]!['input'] as Record<string, unknown>[]).flatMap(({ type, name }) =>
      type === 'function_call' || type === 'function_call_output' ? [name ?? 'output'] : [],
    );
  const found = ['write_file', 'output', 'read_file', 'output'];
  expect([rounds(4), rounds(5), rounds(6)]).toEqual([found, found, found]);
  expect(sentTo(model, 6)).toContain('qid,t1');
  expect(await phaseWords(third, made)).toEqual([
    '1 PLANNING COMPLETED',
    '2 WORKING INTERRUPTED',
    '2 WORKING INTERRUPTED',
    '2 WORKING COMPLETED',
    '3 PLANNING COMPLETED',
  ]);
});
