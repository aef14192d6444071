/** Files of calibration data by HTTP: previewed, imported as the commands import them, and by whom. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { openImports } from '../../src/app/imports.ts';
import { shippedMetrics } from '../support/catalogue.ts';
import { createTestApp, type TestApp } from '../support/create-test-app.ts';
import { DEMO_NOW } from '../support/demo-database.ts';
import { post } from '../support/graphql-client.ts';
import { auth, becomeOwner, join } from '../support/people.ts';
import { describeWithSharedData, sharedPath } from '../support/shared-data.ts';

let it: TestApp;
let owner: string;
let key: string;
beforeAll(async () => {
  const env = { AUTH_MODE: 'accounts', CALIBRATION_WRITES: '1' };
  it = await createTestApp({ env, projects: ['other'] });
  const mongo = await MongoClient.connect(it.environment['MONGODB_URI'] ?? '');
  // As after an earlier import: otherwise its project would be that of somebody else.
  await mongo.db(it.environment['MONGODB_DB']).collection('qpilot_meta').insertOne({ version: 1 });
  await mongo.close();
  owner = await becomeOwner(it);
  key = await keyOf(owner);
});
afterAll(() => it.stop());

async function keyOf(cookie: string): Promise<string> {
  const body = { name: 'control system', days: 30, role: 'editor', projectId: 'demo' };
  return String((await auth(it.url, '/keys', { body, cookie })).body['key']);
}

type Sent = Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>;
type Answer = {
  readonly preview: boolean;
  readonly source: string;
  readonly chipIds: readonly string[];
  readonly added: number;
  readonly alreadyThere: number;
  readonly lines: readonly string[];
  readonly guesses: readonly string[];
  readonly errors: readonly { readonly message: string; readonly extensions: { readonly code: string } }[];
};

/** As `curl -F files=@… -F chip=…` sends it. */
async function send(
  files: Sent,
  fields: Readonly<Record<string, string>> = {},
  { project = 'demo', headers = { authorization: `Bearer ${key}` } as Record<string, string> } = {},
) {
  const form = new FormData();
  for (const [name, content] of Object.entries(files)) form.append('files', new Blob([content]), name);
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  const response = await fetch(`${it.url}/import/${project}`, { method: 'POST', headers, body: form });
  const text = await response.text();
  const body = (text.startsWith('{') ? JSON.parse(text) : {}) as Answer;
  return { status: response.status, text, ...body, message: body.errors?.[0]?.message ?? '' };
}

const run = (query: string) =>
  post(it.url, query, { headers: { authorization: `Bearer ${key}`, 'x-project-id': 'demo' } });
const chips = async () => (await run('{ chips { chipId size } }')).data?.['chips'];
const TABLE = '\uFEFFqid,T1 (us),time\n0,45.2,2026-05-01 10:00\n1,50.1,2026-05-01 10:00\n';

describeWithSharedData('the files of an IBM backend', () => {
  const read = async (name: string) =>
    new Uint8Array(await readFile(sharedPath(`data/ibm-backends/${name}`)));

  test('are previewed, imported, found already there, and in the audit', async () => {
    const files = {
      'props_manila.json.gz': new Uint8Array(gzipSync(await read('props_manila.json'))),
      'conf_manila.json': await read('conf_manila.json'),
    };
    const before = await chips();
    const preview = await send(files, { preview: '1' });
    expect(preview).toMatchObject({ status: 200, preview: true, source: 'ibm', chipIds: ['manila'] });
    expect(preview.added).toBeGreaterThan(50);
    expect(preview.lines.join('\n')).toMatch(
      /manila: snapshot of .*\n.*5 qubits.*\n.*records: \d+ taken, \d+ not taken/u,
    );
    expect(preview.text).not.toMatch(/qpilot-import-/u);
    expect(await chips()).toEqual(before);

    const { status, added, lines } = await send(files);
    expect([status, added, lines]).toEqual([201, preview.added, preview.lines]);
    expect(await chips()).toContainEqual({ chipId: 'manila', size: 5 });
    const again = await send(files);
    expect([again.added, again.alreadyThere]).toEqual([0, added]);

    const log = await post(
      it.url,
      '{ auditLog(first: 20) { nodes { kind action outcome personName ids { name id } } } }',
      { headers: { cookie: owner, 'x-project-id': 'demo', origin: it.url } },
    );
    const { nodes } = (log.data ?? {})['auditLog'] as { nodes: readonly object[] };
    const found = nodes.filter((node) => 'action' in node && node.action === 'POST /import/');
    const imported = { kind: 'CHANGE', outcome: 'DONE', ids: [{ name: 'chipId', id: 'manila' }] };
    expect(found).toEqual([expect.objectContaining(imported), expect.objectContaining(imported)]);
  });

  test('of a snapshot without its configuration are refused by their names', async () => {
    const { status, message } = await send({ 'props_manila.json': await read('props_manila.json') });
    expect([status, message]).toEqual([
      400,
      expect.stringMatching(/^\S+ has properties \(props_manila.json\)/u),
    ]);
  });
});

describe('a table', () => {
  test('with a byte order mark needs a chip, and the error names the field that creates one', async () => {
    expect((await send({ 't1.csv': TABLE })).message).toBe(
      'name the chip that the table belongs to: the field "chip" ID',
    );
    const unknown = await send({ 't1.csv': TABLE }, { chip: 'lab' });
    expect([unknown.status, unknown.message]).toEqual([
      400,
      expect.stringContaining('pass the field "create" to create it'),
    ]);
    expect(await send({ 't1.csv': TABLE }, { chip: 'lab', create: '1' })).toMatchObject({
      status: 201,
      added: 2,
      chipIds: ['lab'],
    });
  });

  test('whose unit was guessed is imported only with yes', async () => {
    const guessed = { 't1.csv': 'qid,T1,time\n0,40.5,2026-05-02 10:00\n1,55.5,2026-05-02 10:00\n' };
    const preview = await send(guessed, { chip: 'lab', preview: '1' });
    expect(preview.guesses).toEqual([expect.stringContaining('the unit of T1')]);
    const refused = await send(guessed, { chip: 'lab' });
    expect([refused.status, refused.message]).toEqual([400, expect.stringContaining('the field "yes"')]);
    expect(await send(guessed, { chip: 'lab', yes: '1' })).toMatchObject({ status: 201, added: 2 });
  });
});

test('the command with which the documentation pushes a table imports it with an API key', async () => {
  const page = await readFile(new URL('../../docs/operating.md', import.meta.url), 'utf8');
  const [, command = ''] = /This pushes a table:\n\n```sh\n([^]*?)```/u.exec(page) ?? [];
  const here = command.replace('http://127.0.0.1:4000', it.url).replace('chip=lab', 'chip=pushed');
  const push = (QPILOT_KEY: string) =>
    promisify(execFile)('bash', ['-euo', 'pipefail', '-c', here], { env: { ...process.env, QPILOT_KEY } });
  const { stdout } = await push(key);
  expect(JSON.parse(stdout)).toMatchObject({ preview: false, chipIds: ['pushed'], added: 2 });
  expect(await chips()).toContainEqual({ chipId: 'pushed', size: 2 });
  await expect(push(`${key}x`)).rejects.toThrow();
});

test('a Qibolab calibration is known by what it holds', async () => {
  const content = JSON.stringify({ single_qubits: { 0: { t1: [20_000, 100] }, 1: { t1: [30_000, 100] } } });
  const nameless = await send({ 'calibration.json': content }, { time: '2026-05-03 10:00' });
  expect(nameless.message).toContain('the field "chip"');
  expect(
    await send({ 'calibration.json': content }, { time: '2026-05-03 10:00', chip: 'qw2q' }),
  ).toMatchObject({ status: 201, source: 'qibolab', chipIds: ['qw2q'], added: 2 });
});

test.each([
  ['JSON of no kind', { 'a.json': '{"hello": 1}' }, {}, 'a.json is JSON of no known kind'],
  [
    'several kinds at once',
    { 'a.csv': TABLE, 'b.json': '{"qubits": []}' },
    {},
    'the files are of several kinds',
  ],
  ['no file', {}, {}, 'no file was sent'],
  ['an unknown field', { 'a.csv': TABLE }, { chipid: 'x' }, 'chipid'],
  [
    'a cut gzip file',
    { 'a.csv.gz': new Uint8Array(gzipSync(TABLE).subarray(0, 30)) },
    {},
    'cannot be unpacked',
  ],
] as const)('%s is refused', async (_what, files, fields, message) => {
  const refused = await send(files, fields);
  expect([refused.status, refused.errors[0]?.extensions.code]).toEqual([400, 'INVALID_INPUT']);
  expect(refused.message).toContain(message);
});

test('a path in the name of a file leads nowhere', async () => {
  const refused = await send({ '../../evil.json': '{"qubits": 3}' });
  expect(refused.status).toBe(400);
  expect(refused.message).toMatch(/^[\w.]*evil\.json is not backend properties/u);
});

test('a form that is too large is refused before it is read', async () => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'multipart/form-data; boundary=x' };
  const answer = await new Promise<string>((resolve) => {
    const sent = httpRequest(`${it.url}/import/demo`, { method: 'POST', headers });
    // The connection may be gone before the answer is read.
    const cutOff = () => resolve('more than 64 MB');
    const megabyte = Buffer.alloc(1024 * 1024);
    const write = () => void sent.write(megabyte); // without end, as long as the server reads
    sent.on('drain', write).on('error', cutOff);
    sent.on('response', (response) => {
      void textOf(response)
        .then(resolve, cutOff)
        .finally(() => sent.destroy());
    });
    write();
  });
  expect(answer).toContain('more than 64 MB');
});

describe('who', () => {
  test('may not import is answered as if the project did not exist', async () => {
    const viewer = await join(it.url, owner, { email: 'vi@lab.example', projectId: 'demo', role: 'viewer' });
    const of = async (cookie: string, project: string) =>
      send({ 't1.csv': TABLE }, { chip: 'lab' }, { project, headers: { cookie } });
    const unknown = await of(owner, 'nowhere');
    expect(unknown.status).toBe(404);
    expect(await of(viewer, 'demo')).toEqual(unknown);
    expect(await send({ 't1.csv': TABLE }, {}, { headers: {} })).toEqual(unknown);
  });

  test('comes by a browser needs a header that other sites cannot send', async () => {
    const refused = await send({ 't1.csv': TABLE }, { chip: 'lab' }, { headers: { cookie: owner } });
    expect([refused.status, refused.message]).toEqual([
      400,
      expect.stringContaining('graphql-require-preflight'),
    ]);
    const headers = { cookie: owner, 'graphql-require-preflight': '1' };
    expect((await send({ 't1.csv': TABLE }, { chip: 'lab' }, { headers })).status).toBe(201);
  });
});

test('a server that reads the database of somebody else says so, and writes nothing', async () => {
  const mongo = await MongoClient.connect(it.environment['MONGODB_URI'] ?? '');
  const foreign = mongo.db(`${it.environment['MONGODB_DB']}_qdash`);
  const deps = {
    mongo: foreign,
    mongoUri: it.environment['MONGODB_URI'] ?? '',
    metrics: shippedMetrics,
    now: () => DEMO_NOW,
  };
  try {
    await foreign.collection('chip').insertOne({ chip_id: 'theirs' });
    const off = openImports({ ...deps, config: { calibrationWrites: false, mongodbDb: 'qdash' } });
    expect(await off.refusal()).toContain('MONGODB_URI');
    const on = openImports({ ...deps, config: { calibrationWrites: true, mongodbDb: 'qdash' } });
    expect(await on.refusal()).toContain('holds data that QPilot did not write');
    const viewer = { id: 'a', name: 'a', projectId: 'demo', role: 'owner', isOperator: true } as const;
    const request = { files: [], preview: false } as unknown as Parameters<typeof on.run>[1];
    await expect(on.run(viewer, request, AbortSignal.timeout(60_000), () => undefined)).rejects.toMatchObject(
      {
        code: 'CONFLICT',
      },
    );
    expect(await foreign.listCollections().toArray()).toHaveLength(1);
  } finally {
    await foreign.dropDatabase();
    await mongo.close();
  }
});
