import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type Db, type Document, ObjectId } from 'mongodb';
import type { CalibrationStore, Slice, TimeCursor } from '../../../src/stores/calibration-store.ts';
import { createMongoCalibrationStore } from '../../../src/stores/mongo/calibration-store.ts';
import {
  chipDocument,
  entityDocument,
  openQdashDatabase,
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

const at = (hour: number): Date => new Date(Date.UTC(2026, 1, 24, hour));
const insert = (collection: string, ...rows: readonly Document[]) =>
  db.collection(collection).insertMany([...rows]);
const scope = { projectId: 'p1', chipIds: ['C1'] };

/** All rows of a list, read in pages of `limit`. */
async function readPages<Row>(
  limit: number,
  read: (page: { limit: number; after: TimeCursor | null }) => Promise<Slice<Row>>,
): Promise<Row[]> {
  const rows: Row[] = [];
  let after: TimeCursor | null = null;
  // Bounded, so that pages that repeat rows fail and do not go on for ever.
  for (let pages = 0; pages < 20; pages += 1) {
    const page: Slice<Row> = await read({ limit, after });
    rows.push(...page.map(({ row }) => row));
    if (page.length === 0) return rows;
    after = page.at(-1)?.cursor ?? null;
  }
  return rows;
}

describe('executions', () => {
  const execution = (id: string, startAt: unknown, rest: Document = {}): Document => ({
    project_id: 'p1',
    chip_id: 'C1',
    username: 'rin',
    execution_id: id,
    name: 'Daily',
    status: 'completed',
    tags: ['daily'],
    start_at: startAt,
    end_at: null,
    message: '',
    ...rest,
  });

  test.each([1, 2, 3, 7])(
    'of equal, text and missing times come in one order in pages of %d',
    async (limit) => {
      await insert(
        'execution_history',
        execution('none-1', null),
        execution('same-1', at(2)),
        execution('text-1', '2026-02-24T01:00:00'),
        execution('same-3', at(2)),
        execution('newest', at(3)),
        execution('same-2', at(2)),
        execution('oldest', at(1)),
        execution('text-2', '2026-02-24T02:00:00'),
        execution('none-2', null),
        execution('none-3', null),
      );
      const read = (page: { limit: number; after: TimeCursor | null }) =>
        store.executionSlice({ ...scope, filter: {}, ...page });
      expect((await readPages(limit, read)).map(({ executionId }) => executionId)).toEqual([
        'newest',
        'same-3',
        'same-2',
        'same-1',
        'oldest',
        'text-2',
        'text-1',
        'none-3',
        'none-2',
        'none-1',
      ]);
    },
  );

  test('of other projects and chips are never listed or found by id', async () => {
    await insert(
      'execution_history',
      execution('mine', at(1)),
      execution('other chip', at(2), { chip_id: 'C2' }),
      execution('other project', at(3), { project_id: 'p2' }),
    );
    const list = async (chipIds: string[]) =>
      (await store.executionSlice({ projectId: 'p1', chipIds, filter: {}, limit: 9, after: null })).map(
        ({ row }) => row.executionId,
      );
    expect(await list(['C1'])).toEqual(['mine']);
    expect(await list(['C1', 'C2'])).toEqual(['other chip', 'mine']);
    expect(await list([])).toEqual([]);
    const ids = ['mine', 'other chip', 'other project', 'unknown'];
    const found = await store.executions('p1', ids);
    expect(found.map(({ executionId }) => executionId).toSorted()).toEqual(['mine', 'other chip']);
    expect(await store.executions('p1', [])).toEqual([]);
  });

  test('are narrowed by statuses, by all of the tags, and from a start up to another', async () => {
    await insert(
      'execution_history',
      execution('a', at(1), { status: 'failed', tags: ['x', 'y'] }),
      execution('b', at(2), { status: 'running', tags: ['x'] }),
      execution('c', at(3), { tags: [] }),
    );
    const list = async (filter: Parameters<CalibrationStore['executionSlice']>[0]['filter']) =>
      (await store.executionSlice({ ...scope, filter, limit: 9, after: null })).map(
        ({ row }) => row.executionId,
      );
    expect(await list({ status: ['FAILED', 'RUNNING'] })).toEqual(['b', 'a']);
    expect(await list({ status: [] })).toEqual([]);
    expect(await list({ tags: ['x'] })).toEqual(['b', 'a']);
    expect(await list({ tags: ['y', 'x'] })).toEqual(['a']);
    expect(await list({ tags: [] })).toEqual(['c', 'b', 'a']);
    expect(await list({ from: at(2), to: at(3) })).toEqual(['b']);
  });

  test('with odd or missing fields are read without a guess', async () => {
    await insert('execution_history', {
      project_id: 'p1',
      chip_id: 'C1',
      execution_id: 'odd',
      status: 'a status of a later version',
      tags: 'daily',
      start_at: '2026-02-24T01:00:00',
      end_at: at(2),
      elapsed_time: 'soon',
      name: 7,
    });
    expect(await store.executions('p1', ['odd'])).toEqual([
      {
        projectId: 'p1',
        chipId: 'C1',
        executionId: 'odd',
        name: '',
        status: 'PENDING',
        tags: [],
        startAt: at(1),
        endAt: at(2),
        elapsedSeconds: 3600,
        message: '',
      },
    ]);
  });
});

describe('machine notes', () => {
  const note = (n: number, timestamp: unknown, rest: Document = {}): Document => ({
    _id: ObjectId.createFromTime(1_700_000_000 + n),
    project_id: 'p1',
    chip_id: 'C1',
    execution_id: `e${n}`,
    task_id: `t${n}`,
    note: { n },
    timestamp,
    ...rest,
  });
  const read =
    (filter: Document = {}) =>
    (page: { limit: number; after: TimeCursor | null }) =>
      store.machineNoteSlice({ ...scope, filter, ...page });

  test.each([1, 2, 5])('come newest first, of equals the newer document, in pages of %d', async (limit) => {
    await insert(
      'calibration_note',
      note(1, at(1)),
      note(3, at(2)),
      note(2, at(2)),
      note(4, at(2)),
      note(5, null),
      note(6, '2026-02-24T01:00:00'),
      note(7, at(9), { project_id: 'p2' }),
      note(8, at(9), { chip_id: 'C2' }),
    );
    const notes = await readPages(limit, read());
    expect(notes.map(({ taskId }) => taskId)).toEqual(['t4', 't3', 't2', 't1', 't6', 't5']);
  });

  test('are narrowed to an execution and a task, and dated by their document if need be', async () => {
    await insert('calibration_note', note(1, at(1)), note(2, at(1), { execution_id: 'e1' }), note(3, null));
    const tasks = async (filter: Document) => (await readPages(9, read(filter))).map(({ taskId }) => taskId);
    expect(await tasks({ executionId: 'e1' })).toEqual(['t2', 't1']);
    expect(await tasks({ executionId: 'e1', taskId: 't1' })).toEqual(['t1']);
    expect(await tasks({ executionId: null, taskId: null })).toHaveLength(3);
    const [undated] = await readPages(9, read({ taskId: 't3' }));
    expect(undated?.timestamp).toEqual(new Date(1_700_000_003_000));
  });
});

describe('notes by people', () => {
  const note = (content: unknown, rest: Document = {}) => ({
    content,
    updated_by: 'rin',
    updated_at: at(1),
    ...rest,
  });

  test('are read from all their places, old and new, with what they are about', async () => {
    const target = (type: string, id: string, rest: Document) => ({
      project_id: 'p1',
      chip_id: 'C1',
      target_type: type,
      target_id: id,
      ...rest,
    });
    await insert('chip', chipDocument('C1', { note: note('on the chip') }));
    await insert(
      'qubit',
      entityDocument(
        'C1',
        '0',
        {},
        {
          note: note('on Q0'),
          metric_notes: { t1: note('T1 of Q0'), t2: note('  ') },
        },
      ),
    );
    await insert('coupling', entityDocument('C1', '0-1', {}, { note: note('on 0-1') }));
    await insert('chip_note', {
      project_id: 'p1',
      chip_id: 'C1',
      cooldown_id: 'cd1',
      note: note('this cool-down'),
    });
    await insert(
      'target_note',
      target('coupling', '1-2', { note: note('on 1-2'), cooldown_id: 'cd1' }),
      target('qubit', '3', { note: note('on Q3', { updated_by: 5, updated_at: 'never' }) }),
    );
    await insert('metric_note', target('qubit', '4', { metric_key: 't2', note: note('T2 of Q4') }));
    const notes = await store.humanNotes(scope);
    const key = ({ subject, qid, metric, cooldownId, text }: (typeof notes)[number]) =>
      [subject, qid, metric, cooldownId, text].join(' ');
    expect(notes.map(key).toSorted()).toEqual([
      'CHIP    on the chip',
      'CHIP   cd1 this cool-down',
      'COUPLING 0-1   on 0-1',
      'COUPLING 1-2  cd1 on 1-2',
      'QUBIT 0   on Q0',
      'QUBIT 0 t1  T1 of Q0',
      'QUBIT 3   on Q3',
      'QUBIT 4 t2  T2 of Q4',
    ]);
    expect(notes.find(({ qid }) => qid === '3')).toMatchObject({ author: null, updatedAt: null });
    expect(notes.find(({ qid }) => qid === '4')).toMatchObject({ author: 'rin', updatedAt: at(1) });
  });

  test('of other projects and chips, empty ones and ones that are no notes are left out', async () => {
    for (const collection of ['chip', 'chip_note'])
      await insert(
        collection,
        { project_id: 'p2', chip_id: 'C1', username: 'a', note: note('foreign') },
        { project_id: 'p1', chip_id: 'C2', username: 'a', note: note('other chip') },
      );
    await insert(
      'qubit',
      entityDocument('C1', '0', {}, { note: 'text', metric_notes: ['t1'] }),
      entityDocument('C1', '1', {}, { note: note(''), metric_notes: { t1: null } }),
      entityDocument('C1', '2', {}, { note: note(7) }),
    );
    expect(await store.humanNotes(scope)).toEqual([]);
  });

  test('on task results come newest first, at most as many as asked, and only of these chips', async () => {
    const noted = (id: string, updatedAt: unknown, rest: Document = {}) =>
      resultDocument('C1', '3', '2026-02-24T00:00:00Z', {
        task_id: id,
        user_note: note(`note on ${id}`, { updated_at: updatedAt }),
        ...rest,
      });
    await insert(
      'task_result_history',
      noted('old', at(1)),
      noted('new', at(3)),
      noted('middle', at(2)),
      noted('undated', null),
      noted('foreign', at(9), { project_id: 'p2' }),
      noted('other chip', at(9), { chip_id: 'C2' }),
    );
    const notes = await store.taskResultNotes(scope, 2);
    expect(notes.map(({ taskId }) => taskId)).toEqual(['new', 'middle']);
    expect(notes[0]).toMatchObject({ subject: 'TASK_RESULT', qid: '3', text: 'note on new', metric: null });
    expect(await store.taskResultNotes(scope, 9)).toHaveLength(3);
  });
});

describe('provenance', () => {
  const version = (id: string, n: number, rest: Document = {}): Document => ({
    project_id: 'p1',
    chip_id: 'C1',
    entity_id: id,
    parameter_name: 't1',
    qid: '0',
    version: n,
    value: 40 + n,
    unit: 'us',
    error: 0.5,
    execution_id: 'e',
    task_id: 't',
    task_name: 'CheckT1',
    valid_from: at(n),
    ...rest,
  });
  const ids = (rows: readonly { readonly entityId: string }[]) => rows.map(({ entityId }) => entityId);

  test('versions of a parameter are the newest of each qubit, newest first', async () => {
    await insert(
      'parameter_versions',
      version('a1', 1),
      version('a3', 3),
      version('a2', 2),
      version('b5', 5, { qid: '1' }),
      version('b4', 4, { qid: '1' }),
      version('other parameter', 9, { parameter_name: 't2' }),
      version('other qubit', 9, { qid: '2' }),
      version('other chip', 9, { chip_id: 'C2' }),
      version('foreign', 9, { project_id: 'p2' }),
    );
    const read = async (qids: string[], limit: number) =>
      ids(await store.parameterVersions({ ...scope, parameter: 't1', qids, limit }));
    expect(await read(['0', '1'], 2)).toEqual(['b5', 'b4', 'a3', 'a2']);
    expect(await read(['0'], 9)).toEqual(['a3', 'a2', 'a1']);
    expect(await read([], 9)).toEqual([]);
    expect(await store.newestVersions({ ...scope, parameters: ['t1', 't2'], qids: ['0'] })).toEqual(
      expect.arrayContaining([
        { parameter: 't1', qid: '0', version: 3 },
        { parameter: 't2', qid: '0', version: 9 },
      ]),
    );
  });

  test('versions and runs are found by id on the chips of the project only', async () => {
    const run = (id: string, rest: Document = {}) => ({
      project_id: 'p1',
      chip_id: 'C1',
      activity_id: id,
      qid: '0',
      task_name: 'CheckT1',
      execution_id: 'e',
      task_id: 't',
      status: 'completed',
      started_at: at(1),
      ...rest,
    });
    const elsewhere = [
      ['chip', { chip_id: 'C2' }],
      ['project', { project_id: 'p2' }],
    ] as const;
    await insert(
      'parameter_versions',
      version('mine', 1),
      ...elsewhere.map(([id, rest]) => version(id, 2, rest)),
    );
    await insert('provenance_activities', run('mine'), ...elsewhere.map(([id, rest]) => run(id, rest)));
    const asked = ['mine', 'chip', 'project', 'unknown'];
    expect(ids(await store.versionsById(scope, asked))).toEqual(['mine']);
    expect(await store.activitiesById(scope, asked)).toMatchObject([
      { activityId: 'mine', taskName: 'CheckT1', status: 'COMPLETED', startedAt: at(1), endedAt: null },
    ]);
  });

  test('a version with odd or missing fields is read without a guess', async () => {
    const _id = ObjectId.createFromTime(1_700_000_000);
    await insert('parameter_versions', {
      _id,
      project_id: 'p1',
      chip_id: 'C1',
      entity_id: 'odd',
      value: 'many',
      version: 'x',
    });
    expect(await store.versionsById(scope, ['odd'])).toMatchObject([
      {
        version: 0,
        value: null,
        text: 'many',
        unit: '',
        error: null,
        validFrom: new Date(1_700_000_000_000),
      },
    ]);
  });

  test('relations lead from the given sources, of the known kinds, within the project', async () => {
    const relation = (n: number, type: string, rest: Document = {}) => ({
      project_id: 'p1',
      relation_id: `r${n}`,
      relation_type: type,
      source_type: 'entity',
      source_id: 'a',
      target_type: 'activity',
      target_id: `target ${n}`,
      ...rest,
    });
    await insert(
      'provenance_relations',
      relation(1, 'wasGeneratedBy'),
      relation(2, 'used', { source_type: 'activity', source_id: 'run' }),
      relation(3, 'wasDerivedFrom'),
      relation(4, 'wasInformedBy'),
      relation(5, 'used', { source_id: 'not asked for' }),
      relation(6, 'used', { project_id: 'p2' }),
      relation(7, 'used', { target_id: null }),
    );
    const relations = await store.provenanceRelations('p1', ['a', 'run']);
    expect(
      relations.map(({ relation: kind, sourceId, targetId }) => `${sourceId} ${kind} ${targetId}`).toSorted(),
    ).toEqual(['a WAS_DERIVED_FROM target 3', 'a WAS_GENERATED_BY target 1', 'run USED target 2']);
  });
});

describe('cool-downs and projects', () => {
  test('belong to the project; what is missing is empty', async () => {
    await insert(
      'cooldown',
      {
        project_id: 'p1',
        cooldown_id: 'cd1',
        chip_ids: ['C1', 7],
        started_at: at(1),
        note: { content: 'n', updated_by: 'rin', updated_at: at(2) },
      },
      { project_id: 'p2', cooldown_id: 'foreign', chip_ids: ['C1'] },
    );
    expect(await store.cooldowns('p1')).toEqual([
      {
        cooldownId: 'cd1',
        cryostatId: null,
        description: '',
        startedAt: at(1),
        endedAt: null,
        chipIds: ['C1'],
        note: 'n',
        noteBy: 'rin',
        noteAt: at(2),
      },
    ]);
    await insert(
      'project',
      { project_id: 'p1', name: '' },
      { project_id: 'p2', name: 'Two' },
      { name: 'none' },
    );
    expect(await store.projects()).toEqual(
      expect.arrayContaining([
        { projectId: 'p1', name: 'p1' },
        { projectId: 'p2', name: 'Two' },
      ]),
    );
    expect(await store.projects()).toHaveLength(2);
  });

  test('chips are those of the project, all or the named ones, with defaults for old documents', async () => {
    await insert(
      'chip',
      { project_id: 'p1', chip_id: 'bare', username: 'a' },
      chipDocument('C1', { activity_status: 'inactive', current_cooldown_id: 'cd1' }),
      chipDocument('C1', { username: 'other' }),
      chipDocument('C9', { project_id: 'p2' }),
    );
    const all = await store.chips('p1', null);
    expect(all.map(({ chipId }) => chipId).toSorted()).toEqual(['C1', 'C1', 'bare']);
    expect(await store.chips('p1', ['bare', 'C9'])).toMatchObject([
      { chipId: 'bare', size: 64, installedAt: null, topologyId: null, layout: null, isActive: true },
    ]);
    expect(await store.chips('p1', [])).toEqual([]);
    expect(all.filter(({ isActive }) => !isActive)).toMatchObject([{ currentCooldownId: 'cd1' }]);
  });
});
