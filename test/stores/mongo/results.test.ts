import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type Db, type Document, MongoClient, ObjectId } from 'mongodb';
import { CalibrationAwayError } from '../../../src/base/errors.ts';
import type { TaskResultFilter } from '../../../src/domain/values/task-result.ts';
import type {
  CalibrationStore,
  MeasurementQuery,
  TimeCursor,
} from '../../../src/stores/calibration-store.ts';
import { createMongoCalibrationStore } from '../../../src/stores/mongo/calibration-store.ts';
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
afterEach(async () => {
  for (const { name } of await db.listCollections().toArray()) await db.collection(name).deleteMany({});
});

const scope = { projectId: 'p1', chipIds: ['C1'] };
const time = (hour: number): string => new Date(Date.UTC(2026, 1, 24, hour)).toISOString();
const at = (hour: number): Date => new Date(time(hour));
const insert = (...rows: readonly Document[]) => db.collection('task_result_history').insertMany([...rows]);
/** A T1 run on Q0 of chip C1 that ended at `hour`. */
const run = (id: string, hour: number, rest: Document = {}): Document =>
  resultDocument('C1', '0', time(hour), { task_id: id, ...rest });
const t1 = (value: unknown) => ({ output_parameters: { t1: value } });
/** Rows that no read of chip C1 in project p1 may return. */
const elsewhere = (rest: Document = {}): Document[] => [
  run('foreign project', 9, { project_id: 'p2', ...rest }),
  run('other chip', 9, { chip_id: 'C2', ...rest }),
];

describe('measurements', () => {
  const query: MeasurementQuery = {
    ...scope,
    kind: 'QUBIT',
    parameter: 't1',
    taskNames: ['CheckT1'],
    qids: null,
    cooldownId: null,
    from: null,
    to: null,
  };
  const read = async (more: Partial<MeasurementQuery> = {}) =>
    (await store.latestMeasurements({ ...query, ...more }, 20)).map(({ taskId }) => taskId).toSorted();

  test('are the usable results of the chip in the project', async () => {
    await insert(
      run('good', 1),
      run('bare number', 2, t1(50)),
      run('failed', 3, { status: 'failed' }),
      run('excluded', 3, { excluded: true }),
      run('not a number', 3, t1(parameter(Number.NaN))),
      run('infinite', 3, t1(parameter(Number.POSITIVE_INFINITY))),
      run('text', 3, t1(parameter('48'))),
      run('a truth', 3, t1(parameter(true))),
      run('nothing', 3, t1(null)),
      run('another parameter', 3, { output_parameters: { t2: parameter(1) } }),
      run('another task', 3, { name: 'CheckRabi' }),
      run('old, without the mark', 4, { excluded: undefined }),
      ...elsewhere(),
    );
    expect(await read()).toEqual(['bare number', 'good', 'old, without the mark']);
    expect(await read({ taskNames: null })).toContain('another task');
    expect(await read({ chipIds: ['C1', 'C2'] })).toContain('other chip');
    expect(await read({ chipIds: [] })).toEqual([]);
    const averages = await store.averages(query);
    expect(averages.map(({ count }) => count).toSorted((a, b) => a - b)).toEqual([1, 2]);
    const [best] = await store.bestMeasurements(query, 'GREATEST');
    expect(best?.taskId).toBe('bare number');
  });

  test('of a qubit and of a coupling or a whole chip are never mixed', async () => {
    await insert(
      run('qubit', 1),
      resultDocument('C1', '0-1', time(1), { task_id: 'coupling' }),
      run('system', 1, { task_type: 'system' }),
    );
    expect(await read()).toEqual(['qubit']);
    expect(await read({ kind: 'COUPLING' })).toEqual(['coupling']);
    expect(await read({ kind: 'COUPLING', qids: ['1-0'] })).toEqual([]);
    expect(await read({ qids: [] })).toEqual([]);
  });

  test('of a window end from its start up to before its end, whatever their times are stored as', async () => {
    const noEnd = { end_at: null };
    await insert(
      run('before', 1),
      run('first', 2),
      run('as text', 2, { end_at: '2026-02-24T02:30:00' }),
      run('by its start', 1, { ...noEnd, start_at: at(2) }),
      run('by a start as text', 1, { ...noEnd, start_at: '2026-02-24T02:45:00' }),
      run('started within, ended after', 3, { start_at: at(2) }),
      run('without a time', 1, { ...noEnd, start_at: null }),
    );
    const within = ['as text', 'by a start as text', 'by its start', 'first'];
    expect(await read({ from: at(2), to: at(3) })).toEqual(within);
    expect(await read({ from: at(2) })).toEqual([...within, 'started within, ended after']);
    expect(await read({ to: at(2) })).toEqual(['before']);
    expect(await read()).not.toContain('without a time');
  });

  test('of a cool-down include those that name none, but not those of another', async () => {
    await insert(
      run('this', 1, { cooldown_id: 'cd1' }),
      run('empty', 1, { cooldown_id: '' }),
      run('null', 1, { cooldown_id: null }),
      run('missing', 1, { cooldown_id: undefined }),
      run('other', 1, { cooldown_id: 'cd2' }),
    );
    expect(await read({ cooldownId: 'cd1' })).toEqual(['empty', 'missing', 'null', 'this']);
  });

  test('that are equal leave the later one as the best, and of one instant the newer document', async () => {
    const id = (n: number) => ({ _id: ObjectId.createFromTime(1_700_000_000 + n) });
    await insert(
      run('early', 1, { ...t1(parameter(50)), ...id(9) }),
      run('late', 2, { ...t1(parameter(50)), ...id(2) }),
      run('late, newer document', 2, { ...t1(parameter(50)), ...id(3) }),
      run('less', 3, t1(parameter(40))),
    );
    const best = async (by: 'GREATEST' | 'LEAST') =>
      (await store.bestMeasurements(query, by)).map(({ taskId }) => taskId);
    expect(await best('GREATEST')).toEqual(['late, newer document']);
    expect(await best('LEAST')).toEqual(['less']);
  });

  test('of averages have the newest time, one for each unit', async () => {
    await insert(
      run('a', 1, t1(parameter(40, 'us'))),
      run('b', 3, t1(parameter(50, 'us'))),
      run('c', 2, t1(parameter(0.04, 'ms'))),
    );
    const averages = (await store.averages(query)).toSorted((a, b) => b.count - a.count);
    expect(averages).toMatchObject([
      { qid: '0', mean: 45, count: 2, newestAt: at(3) },
      { qid: '0', mean: 0.04, count: 1, newestAt: at(2), unit: 'ms' },
    ]);
  });
});

describe('runs', () => {
  test('of tasks are those of the chip, and of a status only among the newest', async () => {
    await insert(
      run('failed long ago', 1, { status: 'failed' }),
      ...Array.from({ length: 12 }, (_, n) => run(`good ${n}`, 2 + n)),
      run('failed lately', 20, { status: 'failed' }),
      ...elsewhere({ status: 'failed' }),
    );
    const query = { ...scope, taskNames: ['CheckT1'], qids: ['0'] };
    const ids = async (status: 'FAILED' | null) =>
      (await store.recentRuns({ ...query, status }, 1)).map(({ taskId }) => taskId);
    expect(await ids('FAILED')).toEqual(['failed lately']);
    expect(await ids(null)).toContain('failed lately');
    expect(await store.recentRuns({ ...query, taskNames: [], status: null }, 1)).toEqual([]);
    expect(await store.recentRuns({ ...query, qids: ['1'], status: null }, 1)).toEqual([]);
  });

  test('of a metric have their value, also those that failed or were excluded', async () => {
    await insert(
      run('excluded', 2, { excluded: true }),
      run('failed', 1, { status: 'failed', output_parameters: {} }),
      ...elsewhere(),
    );
    const runs = await store.newestRuns(
      { ...scope, kind: 'QUBIT', parameter: 't1', taskNames: ['CheckT1'], qids: null },
      5,
    );
    const found = runs.map(({ taskId, status, excluded, value }) => [taskId, status, excluded, value]);
    expect(new Set(found)).toEqual(
      new Set([
        ['excluded', 'COMPLETED', true, 48],
        ['failed', 'FAILED', false, null],
      ]),
    );
  });

  test('tell what a task writes, unless the run recorded nothing', async () => {
    await insert(
      run('a', 1, { output_parameter_names: ['t1', '', 7, 't1_err'] }),
      run('b', 1, { name: 'Failed', status: 'failed' }),
      run('c', 1, { name: 'Old', output_parameter_names: undefined }),
      run('d', 1, { name: 'Chip', task_type: 'system' }),
      ...elsewhere({ name: 'Elsewhere' }),
    );
    const outputs = await store.taskOutputs(scope);
    expect(outputs.toSorted((a, b) => (a.taskName < b.taskName ? -1 : 1))).toEqual([
      { taskName: 'CheckT1', kind: 'QUBIT', outputs: ['t1', 't1_err'] },
      { taskName: 'Chip', kind: null, outputs: ['t1'] },
      { taskName: 'Failed', kind: 'QUBIT', outputs: null },
      { taskName: 'Old', kind: 'QUBIT', outputs: null },
    ]);
  });

  test('are known by id within the project', async () => {
    await insert(
      run('mine', 1, { excluded: true }),
      run('not excluded', 1),
      run('foreign', 1, { project_id: 'p2', excluded: true, name: 'Foreign' }),
    );
    const ids = ['mine', 'not excluded', 'foreign', 'unknown'];
    expect(await store.excludedTaskIds('p1', ids)).toEqual(['mine']);
    expect(await store.taskNamesOf('p1', ids)).toEqual(['CheckT1']);
    expect((await store.taskResults('p1', ids)).map(({ taskId }) => taskId).toSorted()).toEqual([
      'mine',
      'not excluded',
    ]);
  });
});

describe('task results', () => {
  const list = async (
    { qid, ...filter }: TaskResultFilter,
    page: { limit: number; after: TimeCursor | null } = { limit: 20, after: null },
  ) => {
    const [slice = []] = await store.taskResultSlices({
      ...scope,
      filter,
      qids: qid ? [qid] : null,
      ...page,
    });
    return slice;
  };
  const ids = async (filter: TaskResultFilter) => (await list(filter)).map(({ row }) => row.taskId);

  test.each([1, 2, 4])(
    'come by start, of equals by id, those without one last, in pages of %d',
    async (limit) => {
      const started = (id: string, startAt: unknown) => run(id, 9, { start_at: startAt });
      await insert(
        started('x', at(1)),
        started('b', at(2)),
        started('c', at(2)),
        started('a', at(2)),
        started('z', null),
        started('y', null),
        started('new', at(3)),
        ...elsewhere(),
      );
      const seen: string[] = [];
      let after: TimeCursor | null = null;
      while (seen.length <= 7) {
        const page = await list({}, { limit, after });
        seen.push(...page.map(({ row }) => row.taskId));
        if (page.length === 0) break;
        after = page.at(-1)?.cursor ?? null;
        await insert(run(`arrives ${seen.length}`, 20)); // before the page, so it moves nothing
      }
      expect(seen).toEqual(['new', 'c', 'b', 'a', 'x', 'z', 'y']);
    },
  );

  test('of many qubits are read together, and each page is the one that its qubit has alone', async () => {
    const starts = [at(3), at(2), at(2), at(2), at(1), '2026-01-01T00:00:00', '2025-01-01', null, null];
    const qids = Array.from({ length: 16 }, (_, index) => String(index));
    await insert(
      ...qids.flatMap((qid) =>
        // Another number of results each, from none to more than a page.
        starts.slice(0, Number(qid)).map((startAt, index) => {
          const task_type = index % 2 === 0 ? 'qubit' : 'global';
          return run(`${qid}:${index}`, 9, { qid, start_at: startAt, task_type });
        }),
      ),
      ...elsewhere(),
    );
    for (const limit of [1, 2, 3, 5, 20]) {
      const alone = await Promise.all(qids.map((qid) => list({ qid }, { limit, after: null })));
      const page = { limit, after: null };
      const together = await store.taskResultSlices({ ...scope, filter: {}, qids, ...page });
      expect(together).toEqual(alone);
      const after = alone[9]?.at(-1)?.cursor ?? null;
      const next = await Promise.all(qids.map((qid) => list({ qid }, { limit, after })));
      expect(await store.taskResultSlices({ ...scope, filter: {}, qids, limit, after })).toEqual(next);
    }
  });

  test('are narrowed by each filter, and by all of them together', async () => {
    await insert(
      run('a', 1),
      run('b', 2, { name: 'CheckRabi', status: 'failed', execution_id: 'e2' }),
      run('c', 3, { qid: '1', excluded: true }),
    );
    expect(await ids({})).toEqual(['c', 'b', 'a']);
    expect(await ids({ taskName: 'CheckRabi' })).toEqual(['b']);
    expect(await ids({ qid: '1' })).toEqual(['c']);
    expect(await ids({ status: ['FAILED', 'PENDING'] })).toEqual(['b']);
    expect(await ids({ executionId: 'e2' })).toEqual(['b']);
    expect(await ids({ includeExcluded: false })).toEqual(['b', 'a']);
    expect(await ids({ includeExcluded: true })).toEqual(['c', 'b', 'a']);
    const start = new Date(at(2).getTime() - 30_000);
    expect(await ids({ from: start })).toEqual(['c', 'b']);
    expect(await ids({ to: start })).toEqual(['a']);
    expect(await ids({ taskName: 'CheckRabi', qid: '1' })).toEqual([]);
  });

  test('that are the latest are completed and not excluded, one of each qubit and chip', async () => {
    const id = (n: number) => ({ _id: ObjectId.createFromTime(1_700_000_000 + n) });
    await insert(
      run('old', 1),
      run('same time', 2, id(1)),
      run('same time, newer document', 2, id(9)),
      run('failed', 5, { status: 'failed' }),
      run('excluded', 5, { excluded: true }),
      run('other task', 5, { name: 'CheckRabi' }),
      run('Q1', 1, { qid: '1' }),
      run('Q2', 1, { qid: '2' }),
      ...elsewhere(),
    );
    const latest = async (qids: string[], chipIds = ['C1']) =>
      (await store.latestTaskResults({ projectId: 'p1', chipIds, taskName: 'CheckT1', qids }))
        .map(({ taskId }) => taskId)
        .toSorted();
    expect(await latest(['0', '1'])).toEqual(['Q1', 'same time, newer document']);
    expect(await latest(['0'], ['C1', 'C2'])).toEqual(['other chip', 'same time, newer document']);
    expect(await latest(['7'])).toEqual([]);
    expect(await latest([])).toEqual([]);
  });

  test('with odd or missing fields are read without a guess', async () => {
    await insert({
      project_id: 'p1',
      chip_id: 'C1',
      task_id: 'odd',
      status: 7,
      figure_path: ['a.png', 3],
      tags: null,
      output_parameters: [1],
      run_parameters: 'none',
      user_note: 'text',
      excluded: 'yes',
      start_at: at(1),
      end_at: '2026-02-24T02:00:00',
    });
    const [row] = await store.taskResults('p1', ['odd']);
    expect(row).toMatchObject({
      name: '',
      qid: '',
      status: 'PENDING',
      cooldownId: null,
      elapsedSeconds: 3600,
      inputParameters: [],
      outputParameters: [],
      runParameters: {},
      figurePaths: ['a.png'],
      notes: [],
      importDoubt: null,
      excluded: false,
      excludedReason: null,
      tags: [],
    });
  });
});

describe('current values', () => {
  test('are those of the chips in the project, by kind', async () => {
    await db
      .collection('qubit')
      .insertMany([
        entityDocument('C1', '0', { t1: parameter(40) }),
        entityDocument('C2', '0', { t1: parameter(41) }),
        entityDocument('C1', '1', { t1: parameter(42) }, { project_id: 'p2' }),
      ]);
    await db.collection('coupling').insertOne(entityDocument('C1', '0-1', { zx: 0.9 }));
    const all = { ...scope, qids: null, names: null };
    const ids = async (kind: 'QUBIT' | 'COUPLING', more: object = {}) =>
      (await store.currentValues(kind, { ...all, ...more })).map(({ chipId, qid }) => `${chipId}/${qid}`);
    expect(await ids('QUBIT')).toEqual(['C1/0']);
    expect(await ids('COUPLING')).toEqual(['C1/0-1']);
    expect(await ids('QUBIT', { qids: [] })).toEqual([]);
    expect(await store.entityIds('QUBIT', { projectId: 'p2', chipIds: ['C1'] })).toEqual([
      { chipId: 'C1', qid: '1' },
    ]);
    expect((await store.entities('QUBIT', scope)).map(({ qid }) => qid)).toEqual(['0']);
  });
});

describe('the mark of a chip', () => {
  const change = (collection: string, filter: Document, set: Document) => async () =>
    void (await db.collection(collection).updateOne(filter, { $set: set }));
  const add = (collection: string, row: Document) => async () =>
    void (await db.collection(collection).insertOne(row));
  const own = { project_id: 'p1', chip_id: 'C1' };
  const written = { 'system_info.updated_at': at(5) };
  const noted = { user_note: { content: 'n', updated_at: at(5) } };

  const fill = async () => {
    await db.collection('chip').insertOne(chipDocument('C1'));
    await db.collection('qubit').insertOne(entityDocument('C1', '0'));
    await db.collection('coupling').insertOne(entityDocument('C1', '0-1'));
    await insert(run('old', 1), run('new', 2));
    await db.collection('execution_history').insertOne({ ...own, execution_id: 'e1', start_at: at(1) });
  };

  test.each<readonly [string, () => Promise<void>]>([
    ['a new result', () => insert(run('newer', 3)).then(() => {})],
    ['the end of a run', change('task_result_history', { task_id: 'old' }, { end_at: at(4) })],
    ['a status', change('task_result_history', { task_id: 'new' }, { status: 'failed' })],
    ['an exclusion', change('task_result_history', { task_id: 'old' }, { excluded: true })],
    ['a note on a result', change('task_result_history', { task_id: 'old' }, noted)],
    ['the end of an execution', change('execution_history', own, { end_at: at(4) })],
    ['a machine note', add('calibration_note', { ...own, execution_id: 'e', timestamp: at(1) })],
    ['a write of a qubit', change('qubit', own, written)],
    ['a note on a coupling', change('coupling', own, { note: { updated_at: at(5) } })],
    ['a new note on the chip', add('chip_note', { ...own, note: { content: 'n' } })],
    ['a removed qubit', async () => void (await db.collection('qubit').deleteOne(own))],
  ])('changes with %s, and only then', async (_what, news) => {
    await fill();
    const mark = await store.chipMark(scope);
    expect(await store.chipMark(scope)).toBe(mark);
    await news();
    expect(await store.chipMark(scope)).not.toBe(mark);
  });

  test('does not change with news of other chips and projects', async () => {
    await fill();
    const mark = await store.chipMark(scope);
    await insert(
      ...elsewhere(),
      ...elsewhere(noted).map(({ _id, ...row }) => ({ ...row, task_id: `n ${_id}` })),
    );
    for (const other of [{ chip_id: 'C2' }, { project_id: 'p2' }]) {
      await db.collection('qubit').insertOne(entityDocument('C1', '9', {}, { ...other, ...written }));
      await db.collection('calibration_note').insertOne({ ...own, ...other, timestamp: at(9) });
    }
    expect(await store.chipMark(scope)).toBe(mark);
  });
});

test('an unreachable database is reported as such, and has no mark', async () => {
  const client = new MongoClient('mongodb://127.0.0.1:1', { serverSelectionTimeoutMS: 20 });
  try {
    const away = createMongoCalibrationStore(client.db('none'));
    await expect(away.chips('p1', null)).rejects.toThrow(CalibrationAwayError);
    await expect(away.executionSlice({ ...scope, filter: {}, limit: 1, after: null })).rejects.toThrow(
      CalibrationAwayError,
    );
    expect(await away.chipMark(scope)).toBeNull();
  } finally {
    await client.close();
  }
});
