import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { MongoServerError, type Db, type Document } from 'mongodb';
import { createModelCatalog } from '../../src/agent/models/catalog.ts';
import { createOfflineAnalyst } from '../../src/offline/offline-analyst.ts';
import { createOpenAiProvider } from '../../src/agent/models/openai/provider.ts';
import { clockFinding } from '../../src/operations/doctor/clock.ts';
import { dataFolderFindings, figureFolderFindings } from '../../src/operations/doctor/data-folder.ts';
import { explainingDb, type Explained } from '../../src/operations/doctor/explained-reads.ts';
import { findingsOf, findingText, type Finding } from '../../src/operations/doctor/finding.ts';
import { modelFindings } from '../../src/operations/doctor/models.ts';
import { mongoFindings, serverFindings } from '../../src/operations/doctor/mongo.ts';
import { postgresFindings } from '../../src/operations/doctor/postgres.ts';
import type { SelfTestReport } from '@qpilot/python-sandbox';
import { sandboxFindings } from '../../src/operations/doctor/sandbox.ts';
import { storageFindings } from '../../src/operations/doctor/storage.ts';
import { requireSupportedMongo } from '../../src/stores/mongo/server-version.ts';
import { bareEnvironment } from '../support/bare-environment.ts';
import { createTestDatabase } from '../support/databases.ts';
import { chipDocument, entityDocument, NOW, openQdashDatabase, t1Result } from '../support/qdash-database.ts';
import type { QdashDatabase } from '../support/qdash-database.ts';
import { AGED_CHIP, writeAgedDatabase } from '../support/qdash-ages.ts';
import { sandboxAnswering } from '../support/tool-bench.ts';
import { ResourceStack } from '../../src/base/resource-stack.ts';
import { shippedModelTable } from '../support/known-models.ts';

const say = findingsOf('test');
const texts = (findings: readonly Finding[]): string => findings.map(findingText).join('\n');
const worse = (findings: readonly Finding[]) => findings.filter(({ status }) => status !== 'OK');

describe('a calibration database', () => {
  let qdash: QdashDatabase;
  beforeEach(async () => {
    qdash = await openQdashDatabase();
  });
  afterEach(() => qdash.close());
  const look = (project: string | null = 'p1') => serverFindings(say, qdash.db, { project, now: NOW });

  test('of a current QDash is told apart from one of the first copilot', async () => {
    await writeAgedDatabase(qdash.db, 'HEAD');
    expect(texts(await look())).toContain('written by a current QDash (cooldown, chip_note');
    const old = await openQdashDatabase();
    await writeAgedDatabase(old.db, 'V1');
    const findings = await serverFindings(say, old.db, { project: 'p1', now: NOW });
    expect(texts(findings)).toContain('written by an early QDash without user notes');
    await old.close();
  });

  test('is described by its projects, chips and counts, and results that nobody sees are named', async () => {
    await writeAgedDatabase(qdash.db, 'V1');
    const text = texts(await look(null));
    expect(text).toContain('2 projects: p1 and p2');
    expect(text).toContain('set QPILOT_PROJECT, or send x-project-id');
    expect(text).toContain(
      'chip aged of project p1, 16 qubits: newest result 2026-02-24 01:59 UTC, 22 hours ago',
    );
    expect(text).toContain('18 in task_result_history, 3 in execution_history');
    expect(text).toContain(
      '1 row of task_result_history without project (project_id is null): not in any answer',
    );
    expect(texts(await look('p9'))).toContain('QPILOT_PROJECT=p9 is not among them');
  });

  test('with a second project, datasources of no project are named, and what to write for them', async () => {
    const source = { name: 'Fridge', type: 'sql', uri: 'DATASOURCE_A', readOnly: true } as const;
    const datasources = [
      { ...source, id: 'fridge' },
      { ...source, id: 'wiring', projects: 'all' as const },
    ];
    const find = async () =>
      texts(await serverFindings(say, qdash.db, { project: 'p1', now: NOW, datasources }));
    await writeAgedDatabase(qdash.db, 'V1');
    expect(await find()).toMatch(
      /no job can read the datasource fridge: there are 2 projects.*\n.*give each of them projects: \[p1\] or projects: all/u,
    );
    await qdash.db.collection('project').deleteMany({ project_id: 'p2' });
    expect(await find()).not.toContain('fridge');
  });

  test('is told row by row what no answer can hold, what that means and what to do', async () => {
    await writeAgedDatabase(qdash.db, 'HEAD');
    const { db } = qdash;
    const rows = [
      t1Result(AGED_CHIP, '0', '2026-02-24T00:00:00Z', 40, { project_id: null }),
      t1Result('scrapped', '0', '2026-02-24T00:00:00Z', 40),
      t1Result(AGED_CHIP, '0', '2026-02-24T00:00:00Z', 40, { start_at: null, end_at: null }),
    ];
    await db.collection('task_result_history').insertMany(rows);
    await db.collection('parameter_versions').insertMany(
      [4, 5].map((version) => ({
        entity_id: `t1:1:old:${version}`,
        project_id: 'p1',
        parameter_name: 't1',
        qid: '1',
        chip_id: '',
        version,
      })),
    );
    await db.collection('coupling').insertOne(entityDocument(AGED_CHIP, '0_1'));
    await db.collection('chip').insertOne(chipDocument('lost', { project_id: 'p9' }));
    const told = worse(await look()).map(({ message, advice }) => `${message} → ${advice}`);
    expect(told).toEqual([
      '2 rows of task_result_history without project (project_id is null): not in any answer → an administrator of QDash can set the project_id of their chip',
      'chip lost of project p9 cannot be queried: the project has no document → add the project in QDash, or set QPILOT_PROJECT=p9',
      '1 row of task_result_history with a chip that project p1 does not have: not in any answer → register these chips in QDash under the chip_id of the rows',
      '2 rows of parameter_versions without chip (chip_id is empty): missing from the lineage of chips → written before QDash stored chip_id there; an administrator can copy it from the task result with the same task_id',
      '1 completed task result without start_at and end_at: listed, but values without a time do not count → an administrator of QDash can set the times of their execution',
      '1 row of coupling with a qid that is not control-target, such as 4-1: not in any answer → find them with {qid: {$not: /^[^-]+-[^-]+$/}} and fix or remove them',
    ]);
  });

  test('with QDash’s indexes has one for each query, and nothing is written to find that out', async () => {
    await writeAgedDatabase(qdash.db, 'HEAD');
    qdash.commands.length = 0;
    const findings = (await look()).filter(({ area }) => area === 'indexes');
    expect(texts(worse(findings))).toBe('');
    expect(findings.length).toBeGreaterThan(15);
    const reads = [
      'hello',
      'getParameter',
      'buildInfo',
      'listCollections',
      'listIndexes',
      'find',
      'count',
      'aggregate',
      'explain',
    ];
    expect(new Set(qdash.commands)).toEqual(new Set(reads));
  });

  test('that lacks indexes is told which, for which queries, and how to make them', async () => {
    await writeAgedDatabase(qdash.db, 'HEAD');
    const { db } = qdash;
    await db.collection('task_result_history').dropIndex('project_id_1_chip_id_1_name_1_qid_1_end_at_-1');
    await db.collection('execution_history').dropIndexes();
    const text = texts(worse((await look()).filter(({ area }) => area === 'indexes')));
    expect(text).toContain('latest value of each qubit, and its history: falls back to task_result_history.');
    expect(text).toContain(
      'db.task_result_history.createIndex({"project_id":1,"chip_id":1,"name":1,"qid":1,"end_at":-1})',
    );
    expect(text).toContain('lists of executions: scans all of execution_history');
    expect(text).not.toContain('lists of task results');
  });

  test('that is no QDash’s is refused, an empty one is not', async () => {
    const { db } = qdash;
    await db.dropDatabase();
    expect(worse(await look())).toMatchObject([
      { status: 'WARNING', message: expect.stringContaining('is empty') },
    ]);
    await db.collection('orders').insertOne({ a: 1 });
    expect(worse(await look())).toMatchObject([
      {
        status: 'PROBLEM',
        message: expect.stringContaining('it lacks chip, qubit and task_result_history'),
      },
    ]);
  });
});

/** Stands for a server of another version. */
const serverOf = (version: string, compatibility: string | null = version) =>
  ({
    command: async () => ({ version }),
    admin: () => ({
      command: async () => {
        if (compatibility === null) throw new MongoServerError({ message: 'not authorized', code: 13 });
        return { featureCompatibilityVersion: { version: compatibility }, ok: 1 };
      },
    }),
  }) as unknown as Db;

describe('the version of MongoDB', () => {
  test.each(['4.4.29', '5.0.31', '5.2.0'])(
    '%s is too old, for the doctor and for a start',
    async (version) => {
      const findings = await serverFindings(say, serverOf(version), { project: null, now: NOW });
      expect(findings).toMatchObject([
        { status: 'PROBLEM', advice: expect.stringContaining('6.0 or later') },
      ]);
      await expect(requireSupportedMongo(serverOf(version))).rejects.toThrow(
        `is version ${version}, and QPilot's queries need 6.0 or later`,
      );
    },
  );

  test.each(['6.0.0', '6.0.0-rc1', '8.0.4', '10.0.0'])('%s is new enough', async (version) => {
    await expect(requireSupportedMongo(serverOf(version))).resolves.toBeUndefined();
  });

  test('a new server that still behaves as an old one is refused, with the command that ends that', async () => {
    await expect(requireSupportedMongo(serverOf('7.0.2', '5.0'))).rejects.toThrow(
      /version 7\.0\.2, but behaves as 5\.0 .*setFeatureCompatibilityVersion: "6\.0"/,
    );
    expect(await serverFindings(say, serverOf('7.0.2', '5.0'), { project: null, now: NOW })).toMatchObject([
      { status: 'PROBLEM' },
    ]);
  });

  test('where the user may not ask how a server behaves, its version decides', async () => {
    await expect(requireSupportedMongo(serverOf('7.0.2', null))).resolves.toBeUndefined();
  });
});

describe('plans of MongoDB', () => {
  const explain = async (plan: Document): Promise<readonly Explained[]> => {
    const cursor = { explain: async () => plan, toArray: async () => [] };
    const db = { collection: () => ({ find: () => cursor }) } as unknown as Db;
    const told: Explained[] = [];
    await explainingDb(db, new Set(['chip']), (explained) => told.push(explained))
      .collection('chip')
      .find()
      .toArray();
    return told;
  };
  const scan = { stage: 'FETCH', inputStage: { stage: 'IXSCAN', indexName: 'by_chip' } };

  test.each<[string, Document, string[]]>([
    [
      'an ordinary one',
      { winningPlan: scan, rejectedPlans: [{ inputStage: { indexName: 'other' } }] },
      ['by_chip'],
    ],
    ['one of the slot-based engine', { winningPlan: { queryPlan: scan, slotBasedPlan: {} } }, ['by_chip']],
    [
      'one of shards',
      { winningPlan: { shards: [{ winningPlan: scan }, { winningPlan: scan }] } },
      ['by_chip'],
    ],
    ['a scan of the collection', { winningPlan: { stage: 'COLLSCAN' }, rejectedPlans: [scan] }, []],
  ])('are understood: %s', async (_name, queryPlanner, indexes) => {
    expect(await explain({ queryPlanner })).toEqual([{ collection: 'chip', indexes }]);
    expect(await explain({ stages: [{ $cursor: { queryPlanner } }, { $group: {} }] })).toEqual([
      { collection: 'chip', indexes },
    ]);
  });

  test('are asked of reads only', () => {
    const db = explainingDb({ collection: () => ({}) } as unknown as Db, new Set(), () => undefined);
    expect(() => db.command({ dropDatabase: 1 })).toThrow('command cannot be explained');
    expect(() => db.collection('chip').insertOne({})).toThrow('insertOne cannot be explained');
  });
});

describe('servers that do not answer', () => {
  test('are problems, told without their addresses', async () => {
    const findings = [
      ...(await postgresFindings('postgres://ann:hush@127.0.0.1:1/x', 10)),
      ...(await mongoFindings(
        { uri: 'mongodb://ann:hush@127.0.0.1:1', database: 'qdash', project: null },
        NOW,
        100,
      )),
      ...(await mongoFindings({ uri: 'mongodb://', database: 'qdash', project: null }, NOW)),
    ];
    expect(findings.map(({ status }) => status)).toEqual(['PROBLEM', 'PROBLEM', 'PROBLEM']);
    expect(texts(findings)).toContain('no answer (ECONNREFUSED)');
    expect(texts(findings)).toContain('MONGODB_URI is not a MongoDB address');
    expect(texts(findings)).not.toMatch(/hush|127\.0\.0\.1/);
  });

  test('Postgres says how far its tables are, and that a database is missing', async () => {
    const database = await createTestDatabase();
    expect(worse(await postgresFindings(database.url, 10))).toEqual([]);
    expect(texts(await postgresFindings(database.url, 10))).toContain('uses up to 16 connections');
    expect(texts(await postgresFindings(database.url, 100_000))).toContain('lower DATABASE_CONNECTIONS');
    expect(texts(await postgresFindings(database.url, 10))).toMatch(
      /\d+ migrations applied, the last is 2026/,
    );
    await database.drop();
    expect(texts(await postgresFindings(database.url, 10))).toContain('the database does not exist');
  });
});

describe('a clock', () => {
  const seconds = (count: number) => clockFinding(say, async () => new Date(Date.now() + count * 1000));
  test('that is off is told by how much and which way', async () => {
    expect(await seconds(0)).toMatchObject({ status: 'OK' });
    expect(await seconds(-30)).toMatchObject({
      status: 'WARNING',
      message: 'its clock is 30 s behind this machine',
    });
    expect(await seconds(3600)).toMatchObject({
      status: 'PROBLEM',
      message: expect.stringContaining('3600 s ahead'),
    });
  });
});

describe('the provider of models', () => {
  const KEY = 'sk-a-very-secret-key';
  const ask = async (answer: { status: number; body: object } | null) => {
    const server = createServer((_request, response) => {
      response.writeHead(answer?.status ?? 500, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer?.body));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const close = () => new Promise((resolve) => server.close(resolve));
    if (answer === null) await close();
    const access = { apiKey: KEY, baseUrl, api: 'chat' } as const;
    const providers = [createOpenAiProvider(access, { maxOutputTokens: 100 }, new ResourceStack())];
    const catalog = createModelCatalog({
      models: [],
      preferred: null,
      fallbackModel: null,
      unknownContextTokens: 16_000,
      table: shippedModelTable,
      providers,
      offlineAnalyst: createOfflineAnalyst({ now: () => NOW }),
    });
    const findings = await modelFindings({ catalog, providers }, new AbortController().signal);
    if (answer !== null) await close();
    expect(texts(findings)).not.toContain(KEY);
    return findings.at(-1);
  };

  test.each([
    ['has the model', { status: 200, body: { data: [{ id: 'gpt-4.1' }] } }, 'OK', 'has gpt-4.1'],
    [
      'lacks the model',
      { status: 200, body: { data: [{ id: 'other' }] } },
      'WARNING',
      'does not list gpt-4.1',
    ],
    [
      'has no list',
      { status: 404, body: { error: { message: 'no' } } },
      'WARNING',
      'does not list its models',
    ],
    [
      'refuses the key',
      { status: 401, body: { error: { message: `Incorrect API key provided: ${KEY}` } } },
      'PROBLEM',
      'refused the key',
    ],
    ['is away', null, 'PROBLEM', 'could not be reached'],
  ])('that %s', async (_name, answer, status, words) => {
    expect(await ask(answer)).toMatchObject({ status, message: expect.stringContaining(words) });
  });
});

describe('the machine', () => {
  test('is judged by the walls of its sandbox', async () => {
    const sandbox = sandboxAnswering(() => ({}));
    const judge = (report: Partial<SelfTestReport>) =>
      sandboxFindings({
        ...sandbox,
        selfTests: async () => [
          {
            engine: 'pyodide',
            ok: true,
            missing: null,
            namespaces: false,
            walls: [],
            remarks: [],
            ...report,
          },
        ],
      });
    const wall = { name: 'connect', ok: false, required: false, detail: 'connected' };
    expect(await judge({ walls: [wall] })).toMatchObject([
      { status: 'OK', message: 'analyses run on the pyodide engine with math, statistics' },
      {
        status: 'WARNING',
        message: 'the pyodide engine does not prevent analysed code from: connect (connected)',
      },
    ]);
    expect(await judge({ walls: [{ ...wall, required: true }] })).toMatchObject([
      {},
      { status: 'PROBLEM', advice: expect.stringContaining('SANDBOX_ALLOW_WITHOUT_NAMESPACES=1') },
    ]);
    const missing = 'bubblewrap is not installed';
    expect(await judge({ engine: 'native', missing })).toMatchObject([
      {},
      {
        status: 'WARNING',
        message: `the native engine cannot run: ${missing}`,
        advice: expect.stringContaining('apt-get install bubblewrap'),
      },
    ]);
    const failing = async () => Promise.reject(new Error('no memory'));
    expect(texts(await sandboxFindings({ ...sandbox, selfTests: failing }))).toContain(
      'failed to start: no memory',
    );
  });

  test('is judged by its folders', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'qpilot-doctor-'));
    await writeFile(join(folder, 'file'), '');
    expect(texts(await dataFolderFindings(join(folder, 'a/b')))).toContain('can be created');
    expect(await dataFolderFindings(join(folder, 'file/below'))).toMatchObject([{ status: 'PROBLEM' }]);
    expect(await figureFolderFindings(folder)).toMatchObject([{ status: 'OK' }]);
    expect(await figureFolderFindings(join(folder, 'file'))).toMatchObject([{ status: 'PROBLEM' }]);
    await rm(folder, { recursive: true });
  });
});

test('the command says everything as JSON and exits with 1 on a problem', async () => {
  const qdash = await openQdashDatabase();
  await writeAgedDatabase(qdash.db, 'HEAD');
  const database = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'qpilot-doctor-'));
  const env = {
    ...bareEnvironment,
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    MONGODB_URI: process.env['MONGODB_TEST_URI'],
    MONGODB_DB: qdash.db.databaseName,
    QPILOT_PROJECT: 'p1',
    QPILOT_TIME_ZONE: 'Asia/Tokyo',
    OPENAI_API_KEY: 'sk-a-very-secret-key',
    OPENAI_BASE_URL: 'http://127.0.0.1:1/v1',
  };
  const { code, stdout } = await new Promise<{ code: number; stdout: string }>((resolve) => {
    const child = execFile(
      process.execPath,
      ['src/operations/cli/doctor.ts', '--json'],
      { env },
      (_error, text) => resolve({ code: child.exitCode ?? -1, stdout: text }),
    );
  });
  const { ok, findings } = JSON.parse(stdout) as { ok: boolean; findings: Finding[] };
  expect({ ok, code }).toEqual({ ok: false, code: 1 });
  expect(findings.filter(({ status }) => status === 'PROBLEM').map(({ area }) => area)).toEqual(['models']);
  expect([...new Set(findings.map(({ area }) => area))]).toEqual([
    'data folder',
    'calibration database (MongoDB)',
    'calibration data',
    'indexes',
    'conversations (PostgreSQL)',
    'job queue',
    'storage',
    'limits',
    'calendar',
    'live source',
    'models',
    'MCP servers',
    'configuration files',
    'Python sandbox',
    'figures',
  ]);
  expect(findings).toContainEqual(expect.objectContaining({ message: 'days are counted in Asia/Tokyo' }));
  expect(stdout).not.toContain('sk-a-very');
  await Promise.all([qdash.close(), database.drop(), rm(dataDir, { recursive: true })]);
});

test('what is stored is told by kind with its period, and what cannot be measured is no end of the examination', async () => {
  const database = await createTestDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'qpilot-doctor-'));
  const retention = {
    conversations: null,
    jobs: null,
    workspaces: null,
    stepRecords: 30,
    keptResults: 30,
    audit: 365,
  };
  const text = texts(await storageFindings(database.url, folder, retention));
  expect(text).toMatch(/ok {7}conversations: \d\.\d MB\n/);
  expect(text).toMatch(/ok {7}step records: \d\.\d MB, kept 30 days/);
  await database.drop();
  const gone = await storageFindings(database.url, folder, retention);
  expect(gone).toMatchObject([{ status: 'WARNING', message: expect.stringContaining('not measured') }]);
  await rm(folder, { recursive: true });
});
