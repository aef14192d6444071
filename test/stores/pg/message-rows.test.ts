import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { v4 as uuid } from 'uuid';
import type {
  Message,
  Session,
  StoredVisual,
  ToolCall,
  Turn,
  Viewer,
} from '../../../src/domain/conversation/session.ts';
import { appendBatch } from '../../../src/stores/pg/event-batches.ts';
import { newId } from '../../../src/stores/pg/ids.ts';
import {
  findImageBody,
  findImagesOfMessages,
  type NewImage,
  readImageDigests,
  readMessagePictures,
} from '../../../src/stores/pg/message-images.ts';
import {
  findMessageOfSession,
  findMessages,
  insertMessage,
  rowToMessage,
  type NewMessage,
} from '../../../src/stores/pg/messages.ts';
import { findRatings, putRating } from '../../../src/stores/pg/ratings.ts';
import { findToolCalls, findToolCallsOfTurns, listToolCalls } from '../../../src/stores/pg/tool-calls.ts';
import {
  findCharts,
  findTables,
  type StoredChart,
  type StoredTable,
} from '../../../src/stores/pg/visuals.ts';
import { viewer } from '../../support/chat.ts';
import { openPgStore, type PgStore } from './pg-store.ts';

const owner = uuid();
/** Neither of these people may read what belongs to `viewer`. */
const others: readonly Viewer[] = [
  { ...viewer, id: 'eve' },
  { ...viewer, projectId: 'another' },
];

let store: PgStore;
let session: Session;
let turn: Turn;
beforeAll(async () => void (store = await openPgStore()));
afterAll(() => store.close());
beforeEach(async () => {
  session = await store.newSession();
  turn = await store.newTurn(session.id, owner);
});

const insert = (more: Partial<NewMessage> = {}): Promise<Message> =>
  store.transact(async (tx) => {
    const statement = insertMessage(tx, {
      id: newId(),
      sessionId: session.id,
      turnId: turn.id,
      projectId: viewer.projectId,
      viewerId: viewer.id,
      role: 'ASSISTANT',
      text: 'T1 is 48 μs',
      blocks: [{ type: 'text', text: 'T1 is 48 μs' }],
      freshness: [],
      model: 'm',
      assessment: null,
      strippedTables: 0,
      unverifiedTable: false,
      ...more,
    });
    return rowToMessage(await statement.returningAll().executeTakeFirstOrThrow());
  });

describe('messages', () => {
  test('come back as they were stored, with times as dates', async () => {
    const stored = await insert({
      text: '量子 "q" \\ \n 🙂',
      blocks: [
        { type: 'text', text: 'a\n' },
        { type: 'chart', chartId: uuid() },
        { type: 'table', tableId: uuid() },
      ],
      freshness: [
        {
          source: 'SNAPSHOT',
          newestAt: new Date('2026-02-01T00:00:00.123Z'),
          oldestAt: null,
          staleAfterSeconds: 60,
        },
      ],
      assessment: 'WARNING',
      strippedTables: 2,
      unverifiedTable: true,
    });
    expect(stored).toMatchObject({ text: '量子 "q" \\ \n 🙂', assessment: 'WARNING', strippedTables: 2 });
    expect(stored.freshness[0]?.newestAt).toEqual(new Date('2026-02-01T00:00:00.123Z'));
    expect(await findMessages(store.db, viewer, [stored.id])).toEqual([stored]);
    expect(stored).not.toHaveProperty('viewerId');
  });

  test('are in the order of their ids, null where they are unknown or of others', async () => {
    const [one, two] = [await insert(), await insert()];
    const ids = [two.id, newId(), 'no id', one.id, two.id];
    expect(await findMessages(store.db, viewer, ids)).toEqual([two, null, null, one, two]);
    for (const other of others) expect(await findMessages(store.db, other, [one.id])).toEqual([null]);
  });

  test('of a session are not found in another one', async () => {
    const mine = await insert();
    const other = await store.newSession();
    expect(await findMessageOfSession(store.db, session.id, mine.id)).toEqual(mine);
    expect(await findMessageOfSession(store.db, other.id, mine.id)).toBeNull();
  });
});

describe('pictures', () => {
  const image = (digest: string): NewImage => ({
    mediaType: 'image/png',
    width: 3,
    height: 2,
    body: Buffer.from(`bytes of ${digest}`),
    digest,
  });
  /** The question of a turn that was queued with pictures. */
  const asked = async (images: readonly NewImage[], keepsImagesOf?: string): Promise<string> => {
    const question = { type: 'new', text: 'see', images, ...(keepsImagesOf && { keepsImagesOf }) } as const;
    return (await store.newTurn(session.id, null, viewer, { question })).questionId;
  };

  test('keep their order and bytes, and are listed without the bytes', async () => {
    const id = await asked([image('z'), image('a'), image('m')]);
    expect(await readImageDigests(store.db, id)).toEqual(['z', 'a', 'm']);
    const pictures = await readMessagePictures(store.db, session.id, id);
    expect(pictures.map(({ data }) => Buffer.from(data, 'base64').toString())).toEqual([
      'bytes of z',
      'bytes of a',
      'bytes of m',
    ]);
    const [none, listed] = await findImagesOfMessages(store.db, viewer, [newId(), id]);
    expect(none).toEqual([]);
    expect(listed).toHaveLength(3);
    expect(listed?.[0]).toMatchObject({ messageId: id, mediaType: 'image/png', width: 3, height: 2 });
    expect(listed?.[0]).not.toHaveProperty('body');
    const body = await findImageBody(store.db, viewer, listed?.[1]?.id ?? '');
    expect([body?.contentType, body?.body.toString()]).toEqual(['image/png', 'bytes of a']);
  });

  test('of others, of other sessions and under unknown ids are none', async () => {
    const id = await asked([image('a')]);
    const [[mine] = []] = await findImagesOfMessages(store.db, viewer, [id]);
    for (const other of others) {
      expect(await findImagesOfMessages(store.db, other, [id])).toEqual([[]]);
      expect(await findImageBody(store.db, other, mine?.id ?? '')).toBeNull();
    }
    expect(await findImageBody(store.db, viewer, 'no id')).toBeNull();
    const elsewhere = await store.newSession();
    expect(await readMessagePictures(store.db, elsewhere.id, id)).toEqual([]);
  });

  test('are kept by an edited question under ids of their own, but only within the session', async () => {
    const id = await asked([image('a'), image('b')]);
    const edited = await asked([], id);
    expect(await readImageDigests(store.db, edited)).toEqual(['a', 'b']);
    const [before, after] = await findImagesOfMessages(store.db, viewer, [id, edited]);
    expect(before?.map((each) => each.id)).not.toEqual(after?.map((each) => each.id));
    session = await store.newSession();
    expect(await readImageDigests(store.db, await asked([], id))).toEqual([]);
  });
});

describe('ratings', () => {
  const given = { rating: 2, kind: 'OUTDATED', comment: 'old', correctedAnswer: '50 μs' } as const;
  const rate = (who: Viewer, id: string, rating: Parameters<typeof putRating>[3]) =>
    store.transact((tx) => putRating(tx, who, id, rating));

  test('are replaced whole by the same person, and those of two people are apart', async () => {
    const { id } = await insert();
    const [mine, hers] = [viewer, { ...viewer, id: 'eve' }];
    await rate(mine, id, given);
    await rate(hers, id, { ...given, rating: 5 });
    const [first] = await findRatings(store.db, mine, [id]);
    expect(first).toMatchObject(given);
    await rate(mine, id, { rating: 4, kind: null, comment: null, correctedAnswer: null });
    const [second] = await findRatings(store.db, mine, [id]);
    expect(second).toMatchObject({ rating: 4, kind: null, comment: null, correctedAnswer: null });
    expect(second?.ratedAt.getTime()).toBeGreaterThanOrEqual(first?.ratedAt.getTime() ?? Infinity);
    expect(await findRatings(store.db, hers, [id])).toMatchObject([{ rating: 5 }]);
  });

  test('are read in the order of the messages, not from another project, and go from 1 to 5', async () => {
    const [one, two] = [await insert(), await insert()];
    await rate(viewer, two.id, given);
    expect(await findRatings(store.db, viewer, [one.id, two.id, 'no id'])).toMatchObject([null, given, null]);
    expect(await findRatings(store.db, { ...viewer, projectId: 'another' }, [two.id])).toEqual([null]);
    for (const rating of [0, 6])
      await expect(rate(viewer, one.id, { ...given, rating })).rejects.toThrow('check constraint');
  });
});

describe('what a turn refers to', () => {
  const call = (more: Partial<ToolCall> = {}): ToolCall => ({
    id: newId(),
    sessionId: session.id,
    turnId: turn.id,
    callId: 'c1',
    tool: 'rank_qubits',
    label: 'Rank',
    description: '',
    arguments: { top: 3 },
    status: 'RUNNING',
    durationMs: null,
    dataSource: null,
    preview: null,
    freshness: null,
    resultJson: null,
    error: null,
    approval: null,
    ...more,
  });
  const chart = (): StoredChart => ({
    id: newId(),
    sessionId: session.id,
    turnId: turn.id,
    callId: null,
    type: 'chart',
    title: 'T',
    kind: 'BAR',
    data: [{ type: 'bar', y: [1, 2.5, null] }],
    layout: { title: 'T1 "μs"' },
  });
  const table = (): StoredTable => ({
    id: newId(),
    sessionId: session.id,
    turnId: turn.id,
    callId: 'c1',
    type: 'table',
    title: 'T',
    columns: [{ key: 'qid', label: 'Qubit', unit: null, format: 'text' }],
    rows: [{ qid: 'Q1' }, { qid: null }],
  });
  let number = 0;
  beforeEach(() => void (number = 0));
  const append = (calls: readonly ToolCall[], visuals: readonly StoredVisual[] = []) =>
    appendBatch(store.pool, {
      sessionId: session.id,
      turnId: turn.id,
      owner,
      number: (number += 1),
      events: [],
      toolCalls: calls,
      charts: visuals.filter((each) => each.type === 'chart'),
      tables: visuals.filter((each) => each.type === 'table'),
    });

  test('a call is stored when it starts and completed in place, with its result byte for byte', async () => {
    const started = call();
    await append([started]);
    expect(await findToolCalls(store.db, viewer, [started.id])).toEqual([started]);
    const ended: ToolCall = {
      ...started,
      status: 'OK',
      durationMs: 12,
      dataSource: 'SNAPSHOT',
      preview: '3 qubits',
      freshness: { source: 'SNAPSHOT', newestAt: new Date(0), oldestAt: null, staleAfterSeconds: null },
      resultJson: '{"b":1.0,  "a":[48.10]}',
    };
    await append([ended]);
    expect(await findToolCalls(store.db, viewer, [started.id])).toEqual([ended]);
  });

  test('a long result is stored compressed and comes back byte for byte', async () => {
    const rows = Array.from({ length: 500 }, (_, index) => ({
      qid: `Q${index}`,
      t1: index / 7,
      note: '量子 "é"',
    }));
    const resultJson = JSON.stringify({ rows });
    const started = call();
    await append([started]);
    const ended: ToolCall = { ...started, status: 'OK', durationMs: 1, dataSource: 'SNAPSHOT', resultJson };
    await append([ended]);
    expect(await findToolCalls(store.db, viewer, [started.id])).toEqual([ended]);
    const { rows: sizes } = await store.pool.query<{ plain: string | null; bytes: number }>(
      'select result_json as plain, length(result_zstd) as bytes from tool_calls where id = $1',
      [started.id],
    );
    expect(sizes[0]!.plain).toBeNull();
    expect(sizes[0]!.bytes).toBeLessThan(resultJson.length / 4);
  });

  test('calls are in the order in which they started, whatever ended first', async () => {
    const calls = [call(), call({ callId: 'c2' }), call({ callId: 'c3' })];
    await append(calls.toReversed());
    await append([{ ...calls[2]!, status: 'ERROR' }]);
    const ids = async () => (await listToolCalls(store.db, session.id, turn.id)).map(({ id }) => id);
    expect(await ids()).toEqual(calls.map(({ id }) => id));
    const [none, listed] = await findToolCallsOfTurns(store.db, viewer, [newId(), turn.id]);
    expect(none).toEqual([]);
    expect(listed?.map(({ id }) => id)).toEqual(calls.map(({ id }) => id));
    const other = await store.newSession();
    expect(await listToolCalls(store.db, other.id, turn.id)).toEqual([]);
  });

  test('charts and tables come back whole and in the order of the ids, each kind by itself', async () => {
    const [one, two, rows] = [chart(), chart(), table()];
    await append([], [one, two, rows]);
    expect(await findCharts(store.db, viewer, [two.id, rows.id, 'no id', one.id])).toEqual([
      two,
      null,
      null,
      one,
    ]);
    expect(await findTables(store.db, viewer, [one.id, rows.id])).toEqual([null, rows]);
  });

  test('long charts and tables take little room, and come back whole', async () => {
    const drawn = { ...chart(), data: [{ type: 'bar', y: Array.from({ length: 900 }, (_, at) => at % 7) }] };
    const rows = { ...table(), rows: Array.from({ length: 200 }, (_, at) => ({ qid: `Q${at} \u0001 "μ"` })) };
    await append([], [drawn, rows]);
    expect(await findCharts(store.db, viewer, [drawn.id])).toEqual([drawn]);
    expect(await findTables(store.db, viewer, [rows.id])).toEqual([rows]);
    const stored = await store.pool.query<{ bytes: number }>(
      `select pg_column_size(charts.*) as bytes from charts where id = $1
       union all select pg_column_size(tables.*) from tables where id = $2`,
      [drawn.id, rows.id],
    );
    for (const { bytes } of stored.rows) expect(bytes).toBeLessThan(1_000);
  });

  test('nothing of it is read by others, or stored by a process that lost the turn', async () => {
    const [made, drawn, rows] = [call(), chart(), table()];
    await append([made], [drawn, rows]);
    for (const other of others) {
      expect(await findToolCalls(store.db, other, [made.id])).toEqual([null]);
      expect(await findToolCallsOfTurns(store.db, other, [turn.id])).toEqual([[]]);
      expect(await findCharts(store.db, other, [drawn.id])).toEqual([null]);
      expect(await findTables(store.db, other, [rows.id])).toEqual([null]);
    }
    await store.endTurn(turn, owner);
    const late = [call(), chart(), table()] as const;
    expect(await append([late[0]], [late[1], late[2]])).toEqual({ stored: false });
    expect(await findToolCalls(store.db, viewer, [late[0].id])).toEqual([null]);
    expect(await findCharts(store.db, viewer, [late[1].id])).toEqual([null]);
    expect(await findTables(store.db, viewer, [late[2].id])).toEqual([null]);
  });
});
