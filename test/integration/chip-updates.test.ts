import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import type { Db } from 'mongodb';
import type { Chip } from '../../src/domain/chip/chip.ts';
import type { CalibrationServices } from '../../src/services/calibration/calibration-services.ts';
import { createChipUpdates } from '../../src/services/calibration/chip-updates.ts';
import { createCalibrationServices } from '../../src/services/calibration/calibration-services.ts';
import type { CalibrationStore } from '../../src/stores/calibration-store.ts';
import { createMongoCalibrationStore } from '../../src/stores/mongo/calibration-store.ts';
import { shippedMetrics, shippedTopologies } from '../support/catalogue.ts';
import { sse } from '../support/graphql-client.ts';
import {
  chipDocument,
  entityDocument,
  NOW,
  openQdashDatabase,
  resultDocument,
  t1Result,
  viewer,
} from '../support/qdash-database.ts';
import type { QdashDatabase } from '../support/qdash-database.ts';
import { startTestServer } from '../support/start-test-server.ts';
import { until } from '@qpilot/test-support';
import { subscribe } from '../support/websocket-client.ts';

const POLL_MS = 5;
const START = '2026-02-24T02:00:00Z';

let qdash: QdashDatabase;
let store: CalibrationStore;
let services: CalibrationServices;
/** Looks at chips, oldest first, by chip id. */
let looks: string[];
/** Looks under way, and the most there ever were at once. */
let inFlight: number;
let mostInFlight: number;
let broken: Error | null;
let isAway: boolean;
let left: AbortController;

beforeEach(async () => {
  qdash = await openQdashDatabase();
  looks = [];
  [inFlight, mostInFlight] = [0, 0];
  [broken, isAway] = [null, false];
  left = new AbortController();
  const real = createMongoCalibrationStore(qdash.db);
  store = {
    ...real,
    chipMark: async (scope) => {
      if (broken) throw broken;
      inFlight += 1;
      mostInFlight = Math.max(mostInFlight, inFlight);
      const mark = await real.chipMark(scope);
      inFlight -= 1;
      looks.push(scope.chipIds.join());
      return isAway ? null : mark;
    },
  };
  services = createCalibrationServices({
    store,
    metrics: shippedMetrics,
    topologies: shippedTopologies,
    project: null,
    chipPollMs: POLL_MS,
    now: () => NOW,
  });
  const { db } = qdash;
  await db.collection('project').insertOne({ project_id: 'p1', name: 'One', owner_username: 'rin' });
  await db.collection('chip').insertMany([chipDocument('C1'), chipDocument('C2')]);
  await db.collection('qubit').insertOne(entityDocument('C1', '0'));
  const running = { task_id: 'running', status: 'running', end_at: null };
  await db
    .collection('task_result_history')
    .insertMany([
      t1Result('C1', '0', START, 40, { task_id: 'old' }),
      resultDocument('C1', '0', START, running),
    ]);
});
afterEach(async () => {
  left.abort();
  await qdash.close();
});

/** Chips told so far, and the stream's end. */
type Following = { readonly told: Chip[]; readonly ended: Promise<void> };

/** Follows a chip; resolves once it was looked at, so that what is written from now on is news. */
async function follow(chipId: string, signal = left.signal): Promise<Following> {
  const stream = await services.chipUpdates.follow(viewer, chipId, signal);
  const told: Chip[] = [];
  const ended = (async () => {
    for await (const chip of stream) told.push(chip);
  })();
  ended.catch(() => undefined);
  const before = looks.length;
  await until(() => looks.length > before + 1);
  return { told, ended };
}

const T1_TASK = { task_id: 'old' };
const NEWS: readonly (readonly [string, (db: Db) => Promise<unknown>])[] = [
  [
    'a new result',
    (db) => db.collection('task_result_history').insertOne(t1Result('C1', '0', NOW.toISOString(), 41)),
  ],
  [
    'the end of a run that was under way',
    (db) =>
      db
        .collection('task_result_history')
        .updateOne({ task_id: 'running' }, { $set: { status: 'completed', end_at: NOW } }),
  ],
  [
    'the exclusion of a result',
    (db) => db.collection('task_result_history').updateOne(T1_TASK, { $set: { excluded: true } }),
  ],
  [
    'a remark on a result',
    (db) =>
      db
        .collection('task_result_history')
        .updateOne(T1_TASK, { $set: { user_note: { content: 'Odd', updated_at: NOW } } }),
  ],
  [
    'a new execution',
    (db) =>
      db
        .collection('execution_history')
        .insertOne({ project_id: 'p1', chip_id: 'C1', execution_id: 'x', status: 'running', start_at: NOW }),
  ],
  [
    'a note of a machine',
    (db) =>
      db
        .collection('calibration_note')
        .insertOne({ project_id: 'p1', chip_id: 'C1', execution_id: 'x', task_id: 'master', timestamp: NOW }),
  ],
  [
    'an import of current values',
    (db) => db.collection('qubit').updateOne({ qid: '0' }, { $set: { 'system_info.updated_at': NOW } }),
  ],
  ['an import of a qubit', (db) => db.collection('qubit').insertOne(entityDocument('C1', '1'))],
  [
    'a note of a person on the chip',
    (db) => db.collection('chip').updateOne({ chip_id: 'C1' }, { $set: { 'note.updated_at': NOW } }),
  ],
  [
    'a note of a person on a metric',
    (db) =>
      db
        .collection('metric_note')
        .insertOne({ project_id: 'p1', chip_id: 'C1', note: { content: 'Drifts', updated_at: NOW } }),
  ],
];

describe('a chip that is followed', () => {
  test.each(NEWS)('is told again after %s', async (_name, write) => {
    const [mine, other] = [await follow('C1'), await follow('C2')];
    expect(mine.told).toEqual([]);
    await write(qdash.db);
    await until(() => mine.told.length > 0);
    expect(mine.told.map(({ chipId }) => chipId)).toEqual(['C1']);
    const before = looks.length;
    await until(() => looks.slice(before).filter((chipId) => chipId === 'C2').length > 1);
    expect(other.told).toEqual([]);
  });

  test('is looked at once for all who follow it, until the last one leaves', async () => {
    const [first, second] = [new AbortController(), new AbortController()];
    const streams = [
      await follow('C1', first.signal),
      await follow('C1', second.signal),
      await follow('C1', second.signal),
    ];
    await NEWS[0]![1](qdash.db);
    await until(() => streams.every(({ told }) => told.length === 1));
    expect(mostInFlight).toBe(1);

    first.abort();
    await streams[0]!.ended;
    const before = looks.length;
    await until(() => looks.length > before + 1);

    second.abort();
    await Promise.all(streams.map(({ ended }) => ended));
    // One look may have been under way; a poller that lived on would look every few milliseconds.
    await follow('C2');
    const settled = looks.length;
    await until(() => looks.length > settled + 3);
    expect(new Set(looks.slice(settled))).toEqual(new Set(['C2']));
  });

  test('is read once for each change, whoever follows it', async () => {
    let reads = 0;
    const chips: typeof services.chips = {
      ...services.chips,
      get: async (...which) => {
        reads += 1;
        return services.chips.get(...which);
      },
    };
    const updates = createChipUpdates({ store, chips, pollMs: POLL_MS });
    const streams = await Promise.all(
      Array.from({ length: 20 }, () => updates.follow(viewer, 'C1', left.signal)),
    );
    const told = streams.map(async (stream) => {
      for await (const chip of stream) return chip.chipId;
      return null;
    });
    const before = looks.length;
    await until(() => looks.length > before + 1);
    reads = 0;
    await NEWS[0]![1](qdash.db);
    expect(await Promise.all(told)).toEqual(Array(20).fill('C1'));
    expect(reads).toBeLessThanOrEqual(2);
  });

  test('is followed by so many of a viewer and of all at once; places come free as streams end', async () => {
    const limits = { perUser: 2, inAll: 3 };
    const updates = createChipUpdates({ store, chips: services.chips, pollMs: POLL_MS, limits });
    const open = (id: string, signal = left.signal) => updates.follow({ ...viewer, id }, 'C1', signal);
    const leaving = new AbortController();
    await open('a');
    await open('a', leaving.signal);
    await expect(open('a')).rejects.toThrow(
      'no more streams of chips can be opened at this server: 2 of yours are open',
    );
    await open('b');
    await expect(open('c')).rejects.toThrow('3 are open in all');
    await expect(updates.follow(viewer, 'C9', left.signal)).rejects.toThrow();
    leaving.abort();
    await expect(updates.follow(viewer, 'C9', left.signal)).rejects.toThrow('there is no chip C9');
    const last = await open('c');
    await expect(open('d')).rejects.toThrow('3 are open in all');
    broken = new Error('no such index');
    await expect(last[Symbol.asyncIterator]().next()).rejects.toThrow('no such index');
    broken = null;
    await open('d');
  });

  test('is told of what happened while the database was away, once it is back', async () => {
    const { told } = await follow('C1');
    isAway = true;
    await NEWS[0]![1](qdash.db);
    const before = looks.length;
    await until(() => looks.length > before + 2);
    expect(told).toEqual([]);
    isAway = false;
    await until(() => told.length === 1);
  });

  test('has no mark while its database cannot be reached', async () => {
    const client = new MongoClient('mongodb://127.0.0.1:1', { serverSelectionTimeoutMS: 50 });
    const away = createMongoCalibrationStore(client.db('qdash'));
    expect(await away.chipMark({ projectId: 'p1', chipIds: ['C1'] })).toBeNull();
    await client.close();
  });

  test('must exist, and ends the stream when it goes away', async () => {
    await expect(services.chipUpdates.follow(viewer, 'C9', left.signal)).rejects.toThrow(
      'there is no chip C9',
    );
    const { ended } = await follow('C1');
    await qdash.db.collection('chip').deleteOne({ chip_id: 'C1' });
    await expect(ended).rejects.toThrow('there is no chip C1');
  });

  test('tells everyone who follows it when looking fails for good', async () => {
    const streams = [await follow('C1'), await follow('C1')];
    broken = new Error('not understood');
    for (const { ended } of streams) await expect(ended).rejects.toThrow('not understood');
  });
});

describe.each([
  ['server-sent events', sse],
  ['a WebSocket', subscribe],
] as const)('over %s', (_name, transport) => {
  test('chipUpdated sends what the chip has become', async () => {
    const server = await startTestServer({ ...services });
    try {
      const stream = transport(
        server.url,
        'subscription ($chipId: String!) { chipUpdated(chipId: $chipId) { chipId qubits { qid } } }',
        { chipId: 'C1' },
      );
      const first = stream.next();
      await until(() => looks.length > 1);
      await qdash.db.collection('qubit').insertOne(entityDocument('C1', '1'));
      const { value } = await first;
      expect(value).toMatchObject({
        data: { chipUpdated: { chipId: 'C1', qubits: [{ qid: '0' }, { qid: '1' }] } },
      });
      await stream.return(undefined);
    } finally {
      await server.close();
    }
  });
});
