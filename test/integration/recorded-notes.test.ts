/** What was written about a chip: where it is looked for, who may see it, and what a model reads of it. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Document } from 'mongodb';
import type { RunningServer } from '../../src/server/http.ts';
import { post } from '../support/graphql-client.ts';
import {
  chipDocument,
  entityDocument,
  NOW,
  openQdashDatabase,
  t1Result,
  viewer,
  type QdashDatabase,
} from '../support/qdash-database.ts';
import { startTestServer } from '../support/start-test-server.ts';
import { argumentsOf, openToolBench } from '../support/tool-bench.ts';

let qdash: QdashDatabase;
let server: RunningServer;
beforeAll(async () => {
  qdash = await openQdashDatabase();
  server = await startTestServer(qdash.services);
});
afterAll(async () => {
  await server.close();
  await qdash.close();
});
beforeEach(async () => {
  const { db } = qdash;
  for (const { name } of await db.listCollections().toArray()) await db.collection(name).deleteMany({});
  await db.collection('project').insertOne({ project_id: 'p1', name: 'p1', owner_username: 'rin' });
  await db.collection('chip').insertOne(chipDocument('C'));
  await db.collection('qubit').insertMany(['0', '1', '2'].map((qid) => entityDocument('C', qid)));
  await db
    .collection('task_result_history')
    .insertOne(t1Result('C', '1', '2026-02-24T00:00:00Z', 48, { task_id: 'r1' }));
});

const day = (date: string): Date => new Date(`2026-02-${date}T00:00:00Z`);
const insert = (collection: string, ...rows: readonly Document[]) =>
  qdash.db.collection(collection).insertMany([...rows]);
const written = (content: string, date: string, by = 'ann') => ({
  content,
  updated_by: by,
  updated_at: day(date),
});
const ofChip = { project_id: 'p1', chip_id: 'C' };
const onQubit = (qid: string) => ({ ...ofChip, target_type: 'qubit', target_id: qid, scope_key: `k${qid}` });
const posted = (content: string, date: string, rest: Document) => ({
  project_id: 'p1',
  username: 'ann',
  content,
  parent_id: null,
  system_info: { created_at: day(date), updated_at: day(date) },
  ...rest,
});

const call = async (args: object) => {
  const bench = openToolBench({ services: qdash.services, viewer, chipId: 'C', now: NOW });
  const { output, result, error } = await bench.call(
    'get_calibration_notes',
    argumentsOf('get_calibration_notes', { kind: 'human', ...args }),
  );
  expect(error).toBeNull();
  expect(output.length).toBeLessThanOrEqual(1_500);
  return { output, summary: result!.formattedSummary, data: result!.data as Record<string, unknown> };
};
const ask = async (selection: string): Promise<Record<string, unknown>> => {
  const { data, errors } = await post(server.url, `{ chip(chipId: "C") { ${selection} } }`, {
    headers: { 'x-project-id': 'p1' },
  });
  expect(errors).toEqual([]);
  return data?.['chip'] as Record<string, unknown>;
};

describe('that nobody left a note', () => {
  test('is said with where was looked, and what the database does not have', async () => {
    for (const name of ['issue', 'issue_knowledge', 'forum_post']) await qdash.db.dropCollection(name);
    const { summary } = await call({});
    expect(summary).toBe(
      [
        'Nobody left a note on C.',
        'Searched, of any age: notes, comments, remarks on task results, cool-downs and AI reviews.',
        'This database has no issues, cases learnt from issues and forum posts on the chip.',
      ].join('\n'),
    );
    const { humanNotes, aiNotes, notesSearched } = await ask(
      'humanNotes { text } aiNotes { text } notesSearched { source isKept newest }',
    );
    expect([humanNotes, aiNotes]).toEqual([[], []]);
    expect(notesSearched).toContainEqual({ source: 'FORUM', isKept: false, newest: null });
    expect(notesSearched).toContainEqual({ source: 'COMMENT', isKept: true, newest: null });
  });

  test('is said beside posts that name no chip, which may be about any', async () => {
    await insert('forum_post', posted('An older one', '19', {}));
    await insert('forum_post', posted('The fridge room is closed', '20', { title: 'Friday' }));
    const { summary, data } = await call({});
    expect(summary).toContain('Nobody left a note on C.');
    const said =
      '2 forum posts of the project name no chip.\nOn the project: “The fridge room is closed” (ann, 2026-02-20 00:00 UTC; forum “Friday”; open).';
    expect(summary).toContain(said);
    expect(data['project_notes']).toMatchObject([{ about: 'project', author: 'ann' }, { about: 'project' }]);
    expect((await call({ qid: '1' })).summary).not.toContain('of the project');
    const bench = openToolBench({ services: qdash.services, viewer, chipId: 'C', now: NOW });
    expect((await bench.result('get_lab_context', {})).formattedSummary).toContain(said);
    const { data: found, errors } = await post(
      server.url,
      '{ viewer { projectNotes { subject qid text title } } chip(chipId: "C") { humanNotes { text } } }',
      { headers: { 'x-project-id': 'p1' } },
    );
    expect(errors).toEqual([]);
    expect(found).toEqual({
      viewer: {
        projectNotes: [
          { subject: 'PROJECT', qid: null, text: 'The fridge room is closed', title: 'Friday' },
          { subject: 'PROJECT', qid: null, text: 'An older one', title: null },
        ],
      },
      chip: { humanNotes: [] },
    });
  });

  test.each<[string, () => Promise<unknown>]>([
    ['a comment', () => insert('target_note', { ...onQubit('1'), comments: [written('A remark', '20')] })],
    ['an issue', () => insert('issue', posted('A remark', '20', { task_id: 'r1', title: 'Fall' }))],
    [
      'a case',
      () =>
        insert('issue_knowledge', {
          ...ofChip,
          qid: '1',
          status: 'approved',
          title: 'Fall',
          symptom: 'A remark',
          reviewed_by: 'ann',
        }),
    ],
    [
      'a forum post',
      () => insert('forum_post', posted('A remark', '20', { chip_id: 'C', target_id: '1', title: 'Q' })),
    ],
    [
      'a note on the chip that names the qubit',
      () => insert('chip_note', { ...ofChip, scope_key: 'global', note: written('A remark on Q1', '20') }),
    ],
    [
      'a remark on a result',
      () =>
        qdash.db
          .collection('task_result_history')
          .updateOne({ task_id: 'r1' }, { $set: { user_note: written('A remark', '20') } }),
    ],
  ])('is not said beside %s', async (_what, write) => {
    await write();
    const { summary } = await call({ qid: 'Q01' });
    expect(summary).toContain('1 note of people on Q01 on C, newest first.');
    expect(summary).toMatch(/^On .*“(?:Symptom: )?A remark.*ann/mu);
    const { humanNotes } = await ask('humanNotes(qid: "1") { author text }');
    expect(humanNotes).toEqual([{ author: 'ann', text: expect.stringContaining('A remark') }]);
    expect((await call({ qid: '2' })).summary).toContain('Nobody left a note on Q02 on C.');
  });

  test('is said where only an importer or a model wrote', async () => {
    await qdash.db.collection('task_result_history').updateOne(
      { task_id: 'r1' },
      {
        $set: {
          user_note: written('T2 is longer than 2·T1', '20', 'qpilot'),
          ai_review_note: written('## AI review', '21', 'qdash-ai'),
        },
      },
    );
    const { summary } = await call({});
    expect(summary).toContain('Nobody left a note on C.');
    expect(summary).not.toContain('T2 is longer');
    expect(summary).toContain('1 remark of language models.\nOn a result of Q01: “## AI review” (qdash-ai');
    expect(await ask('humanNotes { text } aiNotes { source isAi qid }')).toEqual({
      humanNotes: [],
      aiNotes: [{ source: 'AI_REVIEW', isAi: true, qid: '1' }],
    });
  });

  test('says so if only the newest were searched', async () => {
    await insert(
      'issue',
      ...Array.from({ length: 500 }, (_, n) => posted(`${n}`, '20', { task_id: 'of another chip' })),
    );
    const { summary } = await call({});
    expect(summary).toContain('Searched, the newest only: 500 issues.');
  });
});

test('posts of other projects, deleted posts and unapproved cases are seen by nobody', async () => {
  await insert('forum_post', posted('foreign', '20', { chip_id: 'C', project_id: 'p2' }));
  await insert('forum_post', posted('deleted', '20', { chip_id: 'C', is_deleted: true }));
  await insert('issue', posted('foreign', '20', { task_id: 'r1', project_id: 'p2' }));
  await insert('issue_knowledge', { ...ofChip, status: 'draft', symptom: 'not approved' });
  await insert('target_note', { ...onQubit('1'), project_id: 'p2', comments: [written('foreign', '20')] });
  await insert('cooldown', {
    project_id: 'p2',
    cooldown_id: 'x',
    chip_ids: ['C'],
    note: written('foreign', '20'),
  });
  expect((await call({})).summary).toContain('Nobody left a note on C.');
});

test('a note holds for its range, or for as long as its cool-down lasted', async () => {
  await insert('cooldown', {
    project_id: 'p1',
    cooldown_id: 'cd1',
    started_at: day('01'),
    ended_at: day('15'),
    chip_ids: ['C'],
    note: written('Leak in the still line', '15'),
  });
  const forCooldown = { cooldown_id: 'cd1', scope_started_at: day('01'), scope_ended_at: null };
  const forRange = { scope_started_at: day('03'), scope_ended_at: day('05') };
  await insert('cooldown_wiring_event', {
    project_id: 'p1',
    cooldown_id: 'cd1',
    actor: 'rin',
    action: 'checkpoint',
    comment: 'Attenuator of line 3 swapped',
    created_at: day('06'),
  });
  await insert('target_note', { ...onQubit('1'), ...forCooldown, note: written('Noisy', '02') });
  await insert('metric_note', {
    ...onQubit('2'),
    ...forRange,
    metric_key: 't1',
    note: written('On loan', '04'),
  });
  const { summary, data } = await call({});
  expect(summary).toContain('On Q01: “Noisy” (ann, 2026-02-02 00:00 UTC; held until 2026-02-15 00:00 UTC).');
  expect(summary).toContain(
    'On t1 of Q02: “On loan” (ann, 2026-02-04 00:00 UTC; held until 2026-02-05 00:00 UTC).',
  );
  expect(summary).toMatch(
    /On the chip: “Leak in the still line” \(ann, .*; on the cool-down; held until 2026-02-15/u,
  );
  expect(summary).toContain(
    'On the chip: “Attenuator of line 3 swapped” (rin, 2026-02-06 00:00 UTC; on the cool-down “wiring”; cool-down cd1).',
  );
  expect(data['human_notes']).toContainEqual(
    expect.objectContaining({ text: 'Noisy', valid_until: '2026-02-15T00:00:00.000Z', over: true }),
  );
  const { humanNotes } = await ask('humanNotes(qid: "1") { text validFrom validUntil cooldownId }');
  expect(humanNotes).toEqual([
    {
      text: 'Noisy',
      validFrom: '2026-02-01T00:00:00.000Z',
      validUntil: '2026-02-15T00:00:00.000Z',
      cooldownId: 'cd1',
    },
  ]);
});

describe('what a model reads', () => {
  const long = (n: number): string => `Remark ${n}: ${'very long words of a person '.repeat(40)}`;

  test('is at most 1,500 characters, says which of how many, and leads to the rest', async () => {
    await insert('target_note', {
      ...onQubit('1'),
      comments: Array.from({ length: 30 }, (_, n) =>
        written(long(n + 1), `${n % 20 < 9 ? '0' : ''}${(n % 20) + 1}`),
      ),
    });
    const seen = new Set<string>();
    let skip = 0;
    for (let page = 0; page < 30 && skip < 30; page += 1) {
      const { output, summary } = await call({ last_n: 50, skip });
      for (const [, n = ''] of summary.matchAll(/“Remark (\d+):/gu)) seen.add(n);
      const next = /skip (\d+)/u.exec(output)?.[1];
      const [, from, to] = /newest first; (\d+) to (\d+) here/u.exec(summary) ?? [];
      expect(Number(from)).toBe(skip + 1);
      skip = next === undefined ? 30 : Number(next);
      expect(Number(to)).toBe(skip);
    }
    expect(seen.size).toBe(30);
  });

  test('has names and counts of what machines kept in place of raw values, and those of one qubit', async () => {
    const rabi = Object.fromEntries(
      Array.from({ length: 64 }, (_, n) => [`Q0${n}`, { amplitude: 0.4123456 + n, frequency: 12.5 }]),
    );
    await insert(
      'calibration_note',
      ...Array.from({ length: 10 }, (_, n) => ({
        ...ofChip,
        execution_id: `2026022${n}-001`,
        task_id: 'master',
        username: 'rin',
        note: { rabi_params: rabi },
        timestamp: day(`1${n}`),
      })),
    );
    const { output, summary } = await call({ kind: 'machine' });
    expect(summary).toBe(
      '10 machine notes; the newest, of execution 20260229-001 (2026-02-19 00:00 UTC), holds rabi_params (64).',
    );
    expect(output).toContain('3 of 10; others by execution_id');
    expect(output).not.toContain('amplitude');
    const one = await call({ kind: 'machine', qid: 'Q1', execution_id: '20260224-001' });
    expect(one.summary).toContain('Q01: rabi_params amplitude 1.412, frequency 12.5, as stored.');
  });
});

test('all that is read of notes costs the same commands, few or many', async () => {
  const chip = await qdash.services.chips.get(viewer, 'C');
  const count = async (): Promise<number> => {
    qdash.commands.length = 0;
    await qdash.services.notes.recorded(chip);
    return qdash.commands.length;
  };
  await insert('issue', posted('one', '20', { task_id: 'r1' }));
  await insert('forum_post', posted('one', '20', { chip_id: 'C' }));
  const few = await count();
  await insert('issue', ...Array.from({ length: 90 }, (_, n) => posted(`${n}`, '20', { task_id: 'r1' })));
  await insert('forum_post', ...Array.from({ length: 90 }, (_, n) => posted(`${n}`, '20', { chip_id: 'C' })));
  await insert('target_note', { ...onQubit('1'), comments: [written('A remark', '20')] });
  expect(await count()).toBe(few);
});
