import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type Db, type Document, ObjectId } from 'mongodb';
import type { CalibrationStore } from '../../../src/stores/calibration-store.ts';
import { createMongoCalibrationStore } from '../../../src/stores/mongo/calibration-store.ts';
import { openQdashDatabase, type QdashDatabase, resultDocument } from '../../support/qdash-database.ts';

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
const at = (hour: number): Date => new Date(Date.UTC(2026, 1, 24, hour));
const insert = (collection: string, ...rows: readonly Document[]) =>
  db.collection(collection).insertMany([...rows]);
const post = (content: string, hour: number, rest: Document = {}): Document => ({
  _id: new ObjectId(),
  project_id: 'p1',
  username: 'rin',
  title: null,
  content,
  parent_id: null,
  is_closed: false,
  is_ai_reply: false,
  system_info: { created_at: at(hour), updated_at: at(hour) },
  ...rest,
});
const replyTo = (root: Document, content: string, hour: number, rest: Document = {}) =>
  post(content, hour, { parent_id: String(root['_id']), ...rest });
const texts = (rows: readonly { readonly text: string }[]) => rows.map(({ text }) => text).toSorted();

describe('issues', () => {
  const run = (task_id: string, chip: string, qid: string, rest: Document = {}) =>
    resultDocument(chip, qid, '2026-02-24T00:00:00Z', { task_id, ...rest });

  test('are found by the chip of their results, with replies, titles and states of their threads', async () => {
    const root = post('It fell', 1, { task_id: 'r1', title: 'T1 of Q03', is_closed: true });
    await insert('task_result_history', run('r1', 'C1', '3', { cooldown_id: 'cd1' }), run('r2', 'C2', '3'));
    await insert(
      'issue',
      root,
      replyTo(root, 'The pump was on', 2, { task_id: 'r1', username: 'ann' }),
      replyTo(root, 'I agree', 3, { task_id: 'r1', username: 'qdash', is_ai_reply: true }),
      post('On another chip', 4, { task_id: 'r2' }),
      post('On a result that is gone', 4, { task_id: 'gone' }),
      post('Of another project', 4, { task_id: 'r1', project_id: 'p2' }),
    );
    const { rows, isCut } = await store.issuePosts(scope, 10);
    expect(isCut).toBe(false);
    expect(texts(rows)).toEqual(['I agree', 'It fell', 'The pump was on']);
    expect(rows.find(({ author }) => author === 'ann')).toEqual({
      source: 'ISSUE',
      isAi: false,
      subject: 'TASK_RESULT',
      qid: '3',
      metric: null,
      taskId: 'r1',
      chipId: 'C1',
      cooldownId: 'cd1',
      validFrom: null,
      validUntil: null,
      title: 'T1 of Q03',
      isResolved: true,
      text: 'The pump was on',
      author: 'ann',
      updatedAt: at(2),
    });
    expect(rows.filter(({ isAi }) => isAi).map(({ text }) => text)).toEqual(['I agree']);
  });

  test('are the newest, and say that there may be more', async () => {
    await insert('task_result_history', run('r1', 'C1', '3'));
    await insert('issue', ...[1, 2, 3].map((hour) => post(`at ${hour}`, hour, { task_id: 'r1' })));
    const { rows, isCut } = await store.issuePosts(scope, 2);
    expect([texts(rows), isCut]).toEqual([['at 2', 'at 3'], true]);
  });

  test('of the first version have another name', async () => {
    await insert('task_result_history', run('r1', 'C1', '3'));
    await insert('task_result_comment', post('An old comment', 1, { task_id: 'r1' }));
    expect(texts((await store.issuePosts(scope, 10)).rows)).toEqual(['An old comment']);
  });
});

describe('cases learnt from issues', () => {
  test('are those that a person approved, of these chips', async () => {
    const learnt = (status: string, rest: Document = {}): Document => ({
      project_id: 'p1',
      chip_id: 'C1',
      qid: '3',
      task_id: 'r1',
      status,
      title: `A ${status} case`,
      symptom: 'T1 fell',
      root_cause: 'Pump',
      resolution: '',
      resolution_status: 'resolved',
      lesson_learned: ['Look at the log', 'Then at the fit'],
      reviewed_by: 'rin',
      system_info: { created_at: at(1), updated_at: at(2) },
      ...rest,
    });
    await insert(
      'issue_knowledge',
      learnt('approved'),
      learnt('draft'),
      learnt('rejected'),
      learnt('approved', { chip_id: 'C2' }),
      learnt('approved', { project_id: 'p2' }),
    );
    expect(await store.issueKnowledge(scope, 10)).toEqual([
      expect.objectContaining({
        source: 'KNOWLEDGE',
        subject: 'QUBIT',
        qid: '3',
        title: 'A approved case',
        text: 'Symptom: T1 fell\nCause: Pump\nLesson: Look at the log; Then at the fit',
        isResolved: true,
        author: 'rin',
        updatedAt: at(2),
      }),
    ]);
  });
});

describe('forum posts', () => {
  test('are threads that name the chip and their replies; deleted ones are not read', async () => {
    const onQubit = post('Can it be tuned?', 1, {
      title: 'Q03',
      chip_id: 'C1',
      target_type: 'qubit',
      target_id: '3',
      status: 'resolved',
    });
    const onChip = post('Warm-up on Friday', 2, { title: 'Plans', chip_id: 'C1' });
    const deleted = post('Deleted', 3, { chip_id: 'C1', is_deleted: true });
    await insert(
      'forum_post',
      onQubit,
      onChip,
      deleted,
      replyTo(onQubit, 'No', 4),
      replyTo(onQubit, 'Deleted reply', 5, { is_deleted: true }),
      replyTo(deleted, 'Below a deleted thread', 5),
      post('General talk', 6),
      post('Of another chip', 6, { chip_id: 'C2' }),
      post('Of another project', 6, { chip_id: 'C1', project_id: 'p2' }),
    );
    const { rows } = await store.forumPosts(scope, 10);
    expect(
      rows.map(({ subject, qid, title, isResolved, text }) => [subject, qid, title, isResolved, text]),
    ).toEqual(
      expect.arrayContaining([
        ['QUBIT', '3', 'Q03', true, 'Can it be tuned?'],
        ['QUBIT', '3', 'Q03', true, 'No'],
        ['CHIP', null, 'Plans', false, 'Warm-up on Friday'],
      ]),
    );
    expect(rows).toHaveLength(3);
    expect((await store.forumPosts(scope, 2)).isCut).toBe(true);
  });
});

test('forum posts that name no chip are found apart from those of chips', async () => {
  const root = post('The fridge room is closed', 1, { title: 'Friday', chip_id: null });
  await insert(
    'forum_post',
    root,
    replyTo(root, 'Until noon', 2, { chip_id: null }),
    post('Nothing named', 3),
    post('Named nothing', 3, { chip_id: '' }),
    post('Of a chip', 4, { chip_id: 'C1' }),
    post('Deleted', 4, { is_deleted: true }),
    post('Of another project', 4, { project_id: 'p2' }),
  );
  const { rows } = await store.forumPosts({ projectId: 'p1', chipIds: null }, 10);
  expect(texts(rows)).toEqual(['Named nothing', 'Nothing named', 'The fridge room is closed', 'Until noon']);
  expect(new Set(rows.map(({ subject }) => subject))).toEqual(new Set(['PROJECT']));
  expect(texts((await store.forumPosts(scope, 10)).rows)).toEqual(['Of a chip']);
});

test('secrets in posts are redacted', async () => {
  await insert(
    'forum_post',
    post('the key is sk-proj-abcdefghijklmnopqrstuvwxyz0123456789', 1, { chip_id: 'C1' }),
  );
  const { rows } = await store.forumPosts(scope, 10);
  expect(rows[0]!.text).not.toContain('abcdefghijklmnop');
});

test('reads cost the same commands whatever there is, and none of them fails without collections', async () => {
  const countOf = async (): Promise<number> => {
    qdash.commands.length = 0;
    await Promise.all([
      store.issuePosts(scope, 10),
      store.issueKnowledge(scope, 10),
      store.forumPosts(scope, 10),
    ]);
    return qdash.commands.length;
  };
  for (const name of ['issue', 'issue_knowledge', 'forum_post']) await db.dropCollection(name);
  expect(await countOf()).toBe(4);
  await insert('issue', ...Array.from({ length: 30 }, (_, n) => post(`${n}`, 1, { task_id: `r${n}` })));
  await insert('forum_post', ...Array.from({ length: 30 }, (_, n) => post(`${n}`, 1, { chip_id: 'C1' })));
  expect(await countOf()).toBe(6);
});
