/** Imports by HTTP into a calibration database that is away, or has no room: each refusal says which, and what is sent again arrives. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { startMongo } from '@qpilot/embedded-stores';
import { createTestApp, type TestApp } from '../support/create-test-app.ts';
import { createTestMongo } from '../support/databases.ts';
import { mountSmallDisk } from '../support/small-disk.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

async function startOn(uri: string, dbName: string): Promise<TestApp> {
  const app = await createTestApp({ env: { MONGODB_URI: uri, MONGODB_DB: dbName, CALIBRATION_WRITES: '1' } });
  cleanUps.push(() => app.stop());
  return app;
}

/** A table of so many values of two qubits. */
async function send(app: TestApp, values: number, fields: Readonly<Record<string, string>> = {}) {
  const rows = Array.from(
    { length: values },
    (_, row) =>
      `${row % 2},${row}.5,${new Date(Date.parse('2026-03-01T00:00:00Z') + row * 60_000).toISOString()}\n`,
  );
  const form = new FormData();
  form.append('files', new Blob(['qid,T1 (us),time\n', ...rows]), 'table.csv');
  for (const [name, value] of Object.entries({ chip: 'small', create: '1', size: '2', ...fields }))
    form.append(name, value);
  const response = await fetch(`${app.url}/import/demo`, { method: 'POST', body: form });
  const body = (await response.json()) as {
    errors?: readonly { extensions: { code: string } }[];
    added?: number;
  };
  return {
    status: response.status,
    code: body.errors?.[0]?.extensions.code,
    again: response.headers.get('retry-after'),
    added: body.added,
  };
}

test.each([{}, { preview: '1' }])(
  'with the database away, %p is refused with CALIBRATION_AWAY',
  async (fields) => {
    const mongo = await createTestMongo();
    const proxy = await startTcpProxy(mongo.uri);
    cleanUps.push(
      () => mongo.drop(),
      () => proxy.close(),
    );
    const app = await startOn(
      `mongodb://${new URL(proxy.url).host}/?serverSelectionTimeoutMS=1000`,
      mongo.dbName,
    );
    expect((await send(app, 2)).status).toBe(201);
    proxy.cut();
    const refused = { status: 503, code: 'CALIBRATION_AWAY', again: '2' };
    expect(await send(app, 4, fields)).toMatchObject(refused);
    expect(await send(app, 4, fields)).toMatchObject(refused);
    proxy.mend();
    expect(await send(app, 4)).toMatchObject({ status: 201, added: 2 });
  },
);

test('with the disk of the database full, it is refused with DISK_FULL, and completed once there is room', async () => {
  const disk = await mountSmallDisk(1_500);
  if (disk === null) return;
  cleanUps.push(() => disk.remove());
  const sockets = await mkdtemp(join(tmpdir(), 'qpilot-mongo-'));
  const mongo = await startMongo({ file: join(disk.folder, 'm.db'), socketPath: join(sockets, 'm.sock') });
  cleanUps.push(
    () => rm(sockets, { recursive: true, force: true }),
    () => mongo.stop(),
  );
  const app = await startOn(mongo.uri, 'qdash');
  expect((await send(app, 2)).status).toBe(201);
  expect(await send(app, 3_000)).toMatchObject({ status: 503, code: 'DISK_FULL', again: '30' });
  await disk.resize(400_000);
  expect(await send(app, 3_000)).toMatchObject({ status: 201 });
  expect(await send(app, 3_000)).toMatchObject({ status: 201, added: 0 });
});
