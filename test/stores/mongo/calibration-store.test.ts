import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Db, ObjectId } from 'mongodb';
import { bestByQubit, latestByQubit, type Measurement } from '../../../src/domain/values/measurement.ts';
import { statisticsOf } from '../../../src/domain/values/statistics.ts';
import type { CalibrationStore, MeasurementQuery } from '../../../src/stores/calibration-store.ts';
import { createMongoCalibrationStore } from '../../../src/stores/mongo/calibration-store.ts';
import { measurements } from '../../support/calibration-arbitraries.ts';
import {
  chipDocument,
  entityDocument,
  openQdashDatabase,
  parameter,
  type QdashDatabase,
  resultDocument,
} from '../../support/qdash-database.ts';

let qdash: QdashDatabase;
let db: Db;
let store: CalibrationStore;
beforeAll(async () => {
  qdash = await openQdashDatabase();
  db = qdash.db;
  store = createMongoCalibrationStore(db);
});
afterAll(() => qdash.close());

const documentOf = (row: Measurement) =>
  resultDocument('C1', row.qid, '2026-02-24T00:00:00Z', {
    _id: new ObjectId(row.documentId),
    task_id: row.taskId,
    name: row.taskName,
    status: row.status.toLowerCase(),
    excluded: row.excluded,
    start_at: null,
    end_at: row.at,
    output_parameters: row.value === null ? {} : { t1: parameter(row.value) },
  });

/** What is left of a measurement once it was stored and read. */
const essence = ({ qid, documentId, value, at }: Measurement) => ({ qid, documentId, value, at });
const essences = (map: ReadonlyMap<string, readonly Measurement[]>) =>
  [...map.values()]
    .flat()
    .map(essence)
    .toSorted((a, b) => (a.documentId < b.documentId ? -1 : 1));

describe('measurements', () => {
  test('reduced in the database are the same as reduced here', async () => {
    const query: MeasurementQuery = {
      projectId: 'p1',
      chipIds: ['C1'],
      kind: 'QUBIT',
      parameter: 't1',
      taskNames: null,
      qids: null,
      cooldownId: null,
      from: null,
      to: null,
    };
    await fc.assert(
      fc.asyncProperty(measurements, fc.integer({ min: 1, max: 3 }), async (rows, limit) => {
        await db.collection('task_result_history').deleteMany({ chip_id: 'C1' });
        if (rows.length > 0) await db.collection('task_result_history').insertMany(rows.map(documentOf));
        const latest = await store.latestMeasurements(query, limit);
        expect(essences(latestByQubit(latest, limit))).toEqual(essences(latestByQubit(rows, limit)));
        for (const by of ['GREATEST', 'LEAST'] as const) {
          const best = await store.bestMeasurements(query, by);
          const expected = new Map([...bestByQubit(rows, by)].map(([qid, row]) => [qid, [row]]));
          expect(essences(Map.groupBy(best, ({ qid }) => qid))).toEqual(essences(expected));
        }
      }),
      { numRuns: 15 },
    );
  });

  test('are narrowed to qubits, chips and times', async () => {
    const at = (hour: number) => `2026-02-24T0${hour}:00:00Z`;
    const rows = [
      resultDocument('C2', '0', at(1)),
      resultDocument('C2', '0', at(2)),
      resultDocument('C2', '1', at(2)),
      resultDocument('C3', '0', at(2)),
      resultDocument('C4', '0', at(2)),
    ];
    await db.collection('task_result_history').insertMany(rows);
    const found = await store.latestMeasurements(
      {
        projectId: 'p1',
        chipIds: ['C2', 'C3'],
        kind: 'QUBIT',
        parameter: 't1',
        taskNames: ['CheckT1'],
        qids: ['0'],
        cooldownId: null,
        from: new Date(at(1)),
        to: new Date(at(2)),
      },
      5,
    );
    expect(found).toMatchObject([{ chipId: 'C2', qid: '0', at: new Date(at(1)), value: 48, unit: 'μs' }]);
  });

  test('are averaged for each qubit and unit', async () => {
    const values = [40, 44, 51];
    const result = (value: unknown) =>
      resultDocument('C5', '0', '2026-02-24T01:00:00Z', { output_parameters: { t1: value } });
    await db
      .collection('task_result_history')
      .insertMany([
        ...values.map((value) => result(parameter(value))),
        result(parameter(Number.NaN)),
        result(0.05),
      ]);
    const scope = {
      projectId: 'p1',
      chipIds: ['C5'],
      kind: 'QUBIT' as const,
      parameter: 't1',
      taskNames: null,
      qids: null,
      cooldownId: null,
      from: null,
      to: null,
    };
    const averages = await store.averages(scope);
    expect(averages.toSorted((a, b) => b.count - a.count)).toMatchObject([
      {
        qid: '0',
        unit: 'μs',
        mean: 45,
        count: 3,
        deviation: expect.closeTo(statisticsOf(values).stdev ?? 0, 9),
      },
      { qid: '0', unit: '', mean: 0.05, count: 1, deviation: null },
    ]);
  });
});

describe('runs', () => {
  const run = (name: string, at: string, rest: object = {}) =>
    resultDocument('C6', '0', at, { name, ...rest });

  test('are the newest of each task on each qubit, however they went', async () => {
    const failed = { status: 'failed', output_parameters: {}, output_parameter_names: [] };
    const old = Array.from({ length: 20 }, (_, hour) =>
      run('CheckT1', `2026-02-01T${String(hour).padStart(2, '0')}:00:00Z`),
    );
    const newest = [
      run('CheckT1', '2026-02-24T01:00:00Z', { task_id: 'f1', ...failed }),
      run('CheckRabi', '2026-02-24T03:00:00Z', { task_id: 'f2', ...failed }),
    ];
    await db.collection('task_result_history').insertMany([...old, ...newest]);
    const scope = { projectId: 'p1', chipIds: ['C6'] };
    const runs = await store.recentRuns({ ...scope, taskNames: ['CheckT1'], qids: null, status: null }, 2);
    expect(runs.find(({ taskId }) => taskId === 'f1')).toMatchObject({
      qid: '0',
      taskName: 'CheckT1',
      status: 'FAILED',
    });
    expect(runs.length).toBeLessThan(10);
    const failures = await store.recentRuns(
      { ...scope, taskNames: ['CheckT1'], qids: null, status: 'FAILED' },
      2,
    );
    expect(failures.map(({ taskId }) => taskId)).toEqual(['f1']);
    const t1 = { kind: 'QUBIT', parameter: 't1', qids: ['0'] } as const;
    const found = await store.newestRuns({ ...scope, ...t1, taskNames: ['CheckT1'] }, 2);
    const [newestRun, earlier] = found.toSorted((a, b) => Number(b.at) - Number(a.at));
    expect(newestRun).toMatchObject({ taskId: 'f1', taskName: 'CheckT1', status: 'FAILED', value: null });
    expect(earlier).toMatchObject({
      qid: '0',
      status: 'COMPLETED',
      excluded: false,
      value: 48,
      unit: 'μs',
    });
    const outputs = await store.taskOutputs(scope);
    expect(outputs.map(({ taskName }) => taskName).toSorted()).toEqual(['CheckRabi', 'CheckT1']);
    expect(outputs.find(({ taskName }) => taskName === 'CheckRabi')).toMatchObject({ outputs: null });
    expect(await store.taskNamesOf('p1', ['f1', 'f2', 'none'])).toEqual(
      expect.arrayContaining(['CheckRabi', 'CheckT1']),
    );
  });

  test('of which one was excluded are known by id', async () => {
    const rows = [true, false].map((excluded) =>
      run('CheckT1', '2026-02-24T05:00:00Z', { excluded, task_id: `x-${excluded}` }),
    );
    await db.collection('task_result_history').insertMany(rows);
    expect(await store.excludedTaskIds('p1', ['x-true', 'x-false'])).toEqual(['x-true']);
  });
});

describe('current values', () => {
  test('are read with the names asked for and nothing else', async () => {
    await db
      .collection('qubit')
      .insertMany([
        entityDocument('C7', '0', { t1: parameter(40), t2_echo: parameter(60) }),
        entityDocument('C7', '1', { t2_echo: 5 }),
      ]);
    const scope = { projectId: 'p1', chipIds: ['C7'] };
    const rows = await store.currentValues('QUBIT', { ...scope, qids: ['0', '1'], names: ['t1'] });
    const names = rows.map(({ qid, parameters }) => [qid, parameters.map(({ name }) => name)] as const);
    expect(new Map(names)).toEqual(
      new Map([
        ['0', ['t1']],
        ['1', []],
      ]),
    );
    const entities = await store.entities('QUBIT', scope);
    expect(new Map(entities.map(({ qid, parameterNames }) => [qid, parameterNames]))).toEqual(
      new Map([
        ['0', ['t1', 't2_echo']],
        ['1', ['t2_echo']],
      ]),
    );
    const ids = await store.entityIds('QUBIT', scope);
    expect(new Set(ids.map(({ chipId, qid }) => `${chipId}/${qid}`))).toEqual(new Set(['C7/0', 'C7/1']));
  });
});

describe('chips', () => {
  test('keep the places that came with an imported device', async () => {
    const layout = { '0': { row: 0, col: 0 }, '1': { row: 0, col: 1 }, bad: { row: -1, col: 'x' } };
    await db.collection('chip').insertOne(chipDocument('C8', { topology_id: 'device', layout }));
    const [chip] = await store.chips('p1', ['C8']);
    expect(chip).toMatchObject({ chipId: 'C8', topologyId: 'device', isActive: true });
    expect([...(chip?.layout ?? [])]).toEqual([
      ['0', { row: 0, column: 0 }],
      ['1', { row: 0, column: 1 }],
    ]);
  });
});

test('no document of the database is changed or added by any read', async () => {
  const count = () =>
    Promise.all(
      ['chip', 'qubit', 'task_result_history'].map((name) => db.collection(name).countDocuments({})),
    );
  const before = await count();
  qdash.commands.length = 0;
  const scope = { projectId: 'p1', chipIds: ['C1', 'C2', 'C7'] };
  const query = {
    ...scope,
    kind: 'QUBIT' as const,
    parameter: 't1',
    taskNames: null,
    qids: null,
    cooldownId: null,
    from: null,
    to: null,
  };
  await Promise.all([
    store.projects(),
    store.chips('p1', null),
    store.entities('COUPLING', scope),
    store.currentValues('QUBIT', { ...scope, qids: null, names: null }),
    store.excludedTaskIds('p1', ['a']),
    store.averages(query),
    store.latestMeasurements(query, 1),
    store.bestMeasurements(query, 'LEAST'),
    store.newestRuns({ ...query, taskNames: ['CheckT1'] }, 1),
    store.recentRuns({ ...scope, taskNames: ['CheckT1'], qids: null, status: null }, 1),
    store.taskOutputs(scope),
    store.taskNamesOf('p1', ['a']),
    store.taskResults('p1', ['a']),
    store.latestTaskResults({ ...scope, taskName: 'CheckT1', qids: ['0'] }),
    store.taskResultSlices({ ...scope, filter: {}, qids: null, limit: 2, after: null }),
  ]);
  expect(new Set(qdash.commands)).toEqual(new Set(['find', 'aggregate']));
  expect(await count()).toEqual(before);
});
