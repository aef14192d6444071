/** Large tables: the server goes on while they are imported, and nothing is lost where an import ends early. */
import { request as httpRequest } from 'node:http';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MongoClient, type Db } from 'mongodb';
import { createTestApp, type TestApp } from '../support/create-test-app.ts';
import { slowness } from '../support/took.ts';
import { until } from '@qpilot/test-support';
import { longTable } from '../../bench/silence/large-requests.ts';

let it: TestApp;
let mongo: MongoClient;
let db: Db;
beforeAll(async () => {
  it = await createTestApp({ env: { CALIBRATION_WRITES: '1' } });
  mongo = await MongoClient.connect(it.environment['MONGODB_URI'] ?? '');
  db = mongo.db(it.environment['MONGODB_DB']);
  await db.collection('qpilot_meta').insertOne({ version: 1 });
});
afterAll(async () => {
  await mongo.close();
  await it.stop();
});

type Line = {
  readonly progress?: { readonly step: string; readonly done: number; readonly total: number | null };
  readonly status?: number;
  readonly added?: number;
  readonly alreadyThere?: number;
  readonly errors?: readonly { readonly message: string }[];
};

function formOf(table: string, fields: Readonly<Record<string, string>>): FormData {
  const form = new FormData();
  form.append('files', new Blob([table]), 't.csv');
  for (const [name, value] of Object.entries({ create: '1', ...fields })) form.append(name, value);
  return form;
}

async function importLines(
  table: string,
  fields: Readonly<Record<string, string>>,
): Promise<readonly Line[]> {
  const headers = { accept: 'application/x-ndjson' };
  const response = await fetch(`${it.url}/import/demo`, {
    method: 'POST',
    headers,
    body: formOf(table, fields),
  });
  const text = await response.text();
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

/** Longest time between two turns of this thread's loop while `work` runs, in milliseconds of processor time. */
async function longestSliceMs(work: () => Promise<unknown>): Promise<number> {
  const cpuMs = (): number => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1_000;
  };
  let [last, longest] = [cpuMs(), 0];
  const timer = setInterval(() => {
    const now = cpuMs();
    longest = Math.max(longest, now - last);
    last = now;
  }, 1);
  try {
    await work();
    return longest;
  } finally {
    clearInterval(timer);
  }
}

test('a preview of 200,000 rows keeps the main thread for a moment at a time, and tells how far it is', async () => {
  const table = longTable(200_000);
  const form = new Response(formOf(table, { chip: 'large', preview: '1' }));
  const type = form.headers.get('content-type') ?? '';
  const body = new Uint8Array(await form.arrayBuffer());
  let lines: readonly Line[] = [];
  const longest = await longestSliceMs(async () => {
    const headers = { accept: 'application/x-ndjson', 'content-type': type, 'content-length': body.length };
    const sent = httpRequest(`${it.url}/import/demo`, { method: 'POST', headers });
    const answered = once(sent, 'response');
    sent.end(body);
    const [response] = (await answered) as [AsyncIterable<Buffer>];
    const parts: Buffer[] = [];
    for await (const part of response) parts.push(part);
    lines = Buffer.concat(parts)
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Line);
  });
  expect(lines.at(-1)).toMatchObject({ status: 200, added: 200_000, alreadyThere: 0 });
  const steps = new Set(lines.map(({ progress }) => progress?.step));
  expect([...steps]).toEqual(['waiting', 'reading', 'checking', 'writing', undefined]);
  expect(longest).toBeLessThan(100 * slowness());
}, 300_000);

test('an import whose client leaves ends, and the same table again adds the rest', async () => {
  const rows = 8_000;
  const table = longTable(rows);
  const results = db.collection('task_result_history');
  const stored = () => results.countDocuments({ chip_id: 'left' });
  const leaving = new AbortController();
  const sent = fetch(`${it.url}/import/demo`, {
    method: 'POST',
    body: formOf(table, { chip: 'left', yes: '1' }),
    signal: leaving.signal,
  });
  await until(async () => (await stored()) > 0);
  leaving.abort();
  await expect(sent).rejects.toThrow();
  // Of a project one import follows the other, so that this one begins when that one is gone.
  const look = (await importLines(table, { chip: 'left', preview: '1' })).at(-1);
  const before = await stored();
  expect(look).toMatchObject({ status: 200, added: rows - before, alreadyThere: before });
  expect(before).toBeLessThan(rows);
  expect(await db.collection('chip').countDocuments({ chip_id: 'left' })).toBe(0);
  const again = (await importLines(table, { chip: 'left', yes: '1' })).at(-1);
  expect(again).toMatchObject({ status: 201, added: rows - before, alreadyThere: before });
  expect(await stored()).toBe(rows);
  const third = (await importLines(table, { chip: 'left', yes: '1' })).at(-1);
  expect(third).toMatchObject({ status: 201, added: 0, alreadyThere: rows });
}, 300_000);

test('a table with a row twice has it once', async () => {
  const [header = '', first = '', ...rest] = longTable(600).trimEnd().split('\n');
  const table = [header, first, ...rest, first].join('\n');
  const done = (await importLines(table, { chip: 'twice', yes: '1' })).at(-1);
  expect(done).toMatchObject({ status: 201, added: 600, alreadyThere: 0 });
  expect(await db.collection('task_result_history').countDocuments({ chip_id: 'twice' })).toBe(600);
}, 300_000);
