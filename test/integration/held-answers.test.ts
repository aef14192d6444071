import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { openDoor } from '../../src/identity/door.ts';
import { startServer, type RunningServer } from '../../src/server/http.ts';
import { LOCAL_CALLER } from '../../src/services/members/access.ts';
import { noTracing } from '../../src/base/tracing/tracing.ts';
import { HELD_ANSWERS } from '../../src/server/held-answers.ts';
import { createPictures } from '../../src/pictures/pictures.ts';
import { createLogger } from '../../src/base/log.ts';
import type { CalibrationStore } from '../../src/stores/calibration-store.ts';
import { createCalibrationServices } from '../../src/services/calibration/calibration-services.ts';
import { createMongoCalibrationStore } from '../../src/stores/mongo/calibration-store.ts';
import { shippedMetrics, shippedTopologies } from '../support/catalogue.ts';
import { post } from '../support/graphql-client.ts';
import {
  chipDocument,
  entityDocument,
  NOW,
  openQdashDatabase,
  parameter,
  t1Result,
  type QdashDatabase,
} from '../support/qdash-database.ts';
import { startOwnMongo } from '../support/databases.ts';
import { OPEN } from '../support/start-test-server.ts';
import { stubServices } from '../support/stub-services.ts';

const START = '2026-02-24T02:00:00Z';
const QUERY = `query ($chipId: String!) {
  chip(chipId: $chipId) { summary { parameters { name count median } } }
}`;

let qdash: QdashDatabase;
let opened: RunningServer[];
let nowMs: number;

beforeEach(async () => {
  [opened, nowMs] = [[], 0];
  qdash = await openQdashDatabase(null, 'UTC', startOwnMongo()); // whose clock no other test file moves
  const { db } = qdash;
  await db.collection('project').insertMany([
    { project_id: 'p1', name: 'One', owner_username: 'rin' },
    { project_id: 'p2', name: 'Two', owner_username: 'rin' },
  ]);
  await db.collection('chip').insertMany([chipDocument('C1'), chipDocument('C2')]);
  await db
    .collection('qubit')
    .insertMany([
      entityDocument('C1', '0', { t1: parameter(40, 'μs', { task_id: 'first' }) }),
      entityDocument('C2', '0', { t1: parameter(7) }),
    ]);
  await db.collection('task_result_history').insertOne(t1Result('C1', '0', START, 40, { task_id: 'first' }));
});
afterEach(async () => {
  for (const server of opened) await server.close();
  await qdash.close();
});

type Changes = {
  readonly maxBytes?: number;
  readonly dearMs?: number;
  /** Changes reads of the store. */
  readonly store?: (real: CalibrationStore) => Partial<CalibrationStore>;
};

/** A server over the test's database with a count of how often it read current values of qubits. */
async function serve({ store: change, ...bounds }: Changes = {}) {
  const real = createMongoCalibrationStore(qdash.db);
  const counts = { reads: 0, marks: 0 };
  const changed = { ...real, ...change?.(real) };
  const services = createCalibrationServices({
    store: {
      ...changed,
      currentValues: async (kind, query) => {
        if (kind === 'QUBIT') counts.reads += 1;
        return changed.currentValues(kind, query);
      },
      chipMark: async (scope) => {
        counts.marks += 1;
        return changed.chipMark(scope);
      },
    },
    metrics: shippedMetrics,
    topologies: shippedTopologies,
    project: null,
    now: () => NOW,
  });
  const server = await startServer({
    host: '127.0.0.1',
    port: 0,
    production: false,
    graphqlJit: true,
    heldAnswers: { ...HELD_ANSWERS, nowMs: () => nowMs, ...bounds },
    client: null,
    open: OPEN,
    door: openDoor(LOCAL_CALLER, stubServices({}).access),
    rates: null,
    persistedOnly: false,
    maxFileBytes: 1,
    services: stubServices(services),
    pictures: createPictures(),
    health: { required: {}, optional: {}, ready: {} },
    now: () => NOW,
    log: createLogger('silent'),
    tracing: noTracing,
  });
  opened.push(server);
  const ask = async (chipId = 'C1', project = 'p1', query = QUERY) => {
    const headers = { 'x-project-id': project };
    const { data, errors } = await post(server.url, query, { variables: { chipId }, headers });
    return { data, errors };
  };
  /** The median of T1. */
  const t1 = async (chipId = 'C1'): Promise<unknown> => {
    const { data } = await ask(chipId);
    const chip = data?.['chip'] as { summary: { parameters: { name: string; median: number }[] } };
    return chip.summary.parameters.find(({ name }) => name === 't1')?.median;
  };
  return { counts, ask, t1 };
}

/** What QDash does when a task has measured a value: nothing of ours has a part in it. */
const measure = (value: number, chipId = 'C1') =>
  qdash.db
    .collection('qubit')
    .updateOne({ chip_id: chipId, qid: '0' }, { $set: { 'data.t1': parameter(value) } });

describe('an answer about a chip', () => {
  test('is made once for a version, and anew after every kind of write to the database', async () => {
    const { counts, t1, ask } = await serve();
    const first = await ask();
    expect(await ask()).toEqual(first);
    expect(counts.reads).toBe(1);

    await measure(50);
    expect(await t1()).toBe(50);
    await qdash.db.collection('qubit').deleteOne({ chip_id: 'C1', qid: '0' });
    expect((await ask()).data).toEqual({ chip: { summary: null } });
    await qdash.db.collection('qubit').insertOne(entityDocument('C1', '0', { t1: parameter(60) }));
    expect(await t1()).toBe(60);
    await qdash.db.collection('chip').deleteOne({ chip_id: 'C1' });
    expect((await ask()).errors).toEqual([
      expect.objectContaining({ message: expect.stringContaining('there is no chip C1') }),
    ]);
  });

  test('leaves out a result that was excluded a moment ago, however old the result', async () => {
    const { t1 } = await serve();
    expect(await t1()).toBe(40);
    await qdash.db
      .collection('task_result_history')
      .updateOne({ task_id: 'first' }, { $set: { excluded: true } });
    expect(await t1()).toBeUndefined();
  });

  test('is the newest on each of two servers', async () => {
    const [one, other] = [await serve(), await serve()];
    expect([await one.t1(), await other.t1()]).toEqual([40, 40]);
    await measure(50);
    expect([await one.t1(), await other.t1()]).toEqual([50, 50]);
    await measure(60);
    expect([await other.t1(), await one.t1()]).toEqual([60, 60]);
  });

  test('that was written into while it was made is made anew for the next request', async () => {
    let written = false;
    const { t1 } = await serve({
      store: (real) => ({
        // After the values were read, before the answer is made.
        excludedTaskIds: async (...query) => {
          if (!written) await measure(50);
          written = true;
          return real.excludedTaskIds(...query);
        },
      }),
    });
    expect(await t1()).toBe(40);
    expect(await t1()).toBe(50);
  });

  test('is shared by requests that come together', async () => {
    const { counts, t1 } = await serve();
    expect(await Promise.all(Array.from({ length: 20 }, () => t1()))).toEqual(Array(20).fill(40));
    expect(counts.reads).toBe(1);
  });

  test('is of its chip, project, document and variables only', async () => {
    const { t1, ask } = await serve();
    expect([await t1('C1'), await t1('C2')]).toEqual([40, 7]);
    expect((await ask('C1', 'p2')).data).toEqual({ chip: null });
    expect((await ask('C1', 'nowhere')).errors).toHaveLength(1);
    const names = `query ($chipId: String!) { chip(chipId: $chipId) { summary { qubitCount } } }`;
    expect((await ask('C1', 'p1', names)).data).toEqual({ chip: { summary: { qubitCount: 1 } } });
    expect(await t1('C1')).toBe(40);
  });

  test('is refused as soon as its project is gone', async () => {
    const { ask } = await serve();
    expect((await ask()).errors).toEqual([]);
    await qdash.db.collection('project').deleteOne({ project_id: 'p1' });
    expect((await ask()).errors).toEqual([
      expect.objectContaining({ message: expect.stringContaining('you have no project p1') }),
    ]);
  });

  test('is not held beyond the memory allowed, nor with an error', async () => {
    const { counts, ask } = await serve({ maxBytes: 400 });
    await ask();
    await ask();
    expect(counts.reads).toBe(2); // more than a quarter of it
    const failing = await serve();
    const wrong = `query ($chipId: String!) {
      chip(chipId: $chipId) { summary { qubitCount } metric(name: "nothing") { name } }
    }`;
    const answers = [await failing.ask('C1', 'p1', wrong), await failing.ask('C1', 'p1', wrong)];
    expect(answers.map(({ errors }) => errors.length)).toEqual([1, 1]);
    expect(failing.counts.reads).toBe(2);
  });

  test('gives way to newer ones', async () => {
    const text = (await (await serve()).ask('C1')).data;
    const { counts, ask } = await serve({ maxBytes: 10 * JSON.stringify({ data: text }).length });
    for (const chipId of ['C1', 'C2', 'C1', 'C2']) await ask(chipId);
    expect(counts.reads).toBe(2);
    for (let index = 0; index < 6; index += 1) {
      await ask('C1', 'p1', `${QUERY} # ${index}`);
    }
    expect(counts.reads).toBe(8);
    await ask('C2');
    expect(counts.reads).toBe(9);
  });
});

describe('a database whose server reports no time of its newest write', () => {
  const store = () => ({ writeClock: async () => null });

  test('is asked for marks, which a new value changes', async () => {
    const { counts, t1 } = await serve({ store, dearMs: 0 });
    expect([await t1(), await t1()]).toEqual([40, 40]);
    expect(counts).toEqual({ reads: 1, marks: 2 });
    await qdash.db
      .collection('qubit')
      .updateOne(
        { chip_id: 'C1', qid: '0' },
        { $set: { 'data.t1': parameter(50), 'system_info.updated_at': new Date() } },
      );
    expect(await t1()).toBe(50);
  });

  test('is believed for as long as the bound where a mark sees nothing, and no longer', async () => {
    const { t1 } = await serve({ store, dearMs: 0 });
    expect(await t1()).toBe(40);
    await measure(50); // without `updated_at`, as an edit by hand
    nowMs += HELD_ANSWERS.maxAgeMs - 1;
    expect(await t1()).toBe(40);
    nowMs += 1;
    expect(await t1()).toBe(50);
  });

  test('is not asked for marks that cost more than the answers', async () => {
    const { counts, t1 } = await serve({ store, dearMs: 1_000 });
    expect([await t1(), await t1()]).toEqual([40, 40]);
    expect(counts).toEqual({ reads: 2, marks: 0 });
  });
});

describe('the write clock', () => {
  test('moves with each write, and only then', async () => {
    const store = createMongoCalibrationStore(qdash.db);
    const before = await store.writeClock();
    expect(before).not.toBeNull();
    await measure(50);
    const after = await store.writeClock();
    expect(after).not.toBe(before);
    await qdash.db.collection('qubit').deleteMany({ chip_id: 'nowhere' });
    expect(await store.writeClock()).toBe(after);
  });

  test('is absent while the database is away: nothing is taken from memory', async () => {
    const client = new MongoClient('mongodb://127.0.0.1:9', { serverSelectionTimeoutMS: 50 });
    const away = createMongoCalibrationStore(client.db('none'));
    const { ask } = await serve({ store: () => away });
    const { errors } = await ask();
    expect(errors).toHaveLength(1);
    await client.close();
  });
});
