import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createSessionData } from '../../../src/agent/data/session-data.ts';
import type { Session } from '../../../src/domain/conversation/session.ts';
import { createLogger } from '../../../src/base/log.ts';
import { openDatabase, type OpenDatabase } from '../../../src/stores/pg/database.ts';
import { newId } from '../../../src/stores/pg/ids.ts';
import { createSessionDataStore } from '../../../src/stores/pg/session-data.ts';
import { insertSession } from '../../../src/stores/pg/sessions.ts';
import { viewer } from '../../support/chat.ts';
import { createTestDatabase, type TestDatabase } from '../../support/databases.ts';

let database: TestDatabase;
let store: OpenDatabase;
let session: Session;

beforeAll(async () => {
  database = await createTestDatabase();
  store = openDatabase(database.url, { log: createLogger('silent') });
});
afterAll(async () => {
  await store.close();
  await database.drop();
});
beforeEach(async () => {
  const about = { kind: 'COPILOT', title: 'a', chipId: null, qid: null, taskId: null } as const;
  session = await store.db
    .transaction()
    .execute((tx) => insertSession(tx, viewer, { id: newId(), ...about }));
});

describe('results that a session keeps', () => {
  test('come back as they were put, newest last, and a newer one replaces its key', async () => {
    const data = createSessionDataStore(store.db);
    const json = '{"a":  1.0, "b":"\\u0000"}';
    await data.put(session.id, 't1', { json: '{"old":true}', freshness: null }, 1_000);
    await data.put(session.id, 't2', { json: '[]', freshness: null }, 1_000);
    const at = new Date('2026-05-01T02:03:04.567Z');
    const freshness = { source: 'SNAPSHOT', newestAt: at, oldestAt: null, staleAfterSeconds: 60 } as const;
    await data.put(session.id, 't1', { json, freshness }, 1_000);
    expect(await data.get(session.id, 't1')).toBe(json);
    expect(await data.get(session.id, 'nothing')).toBeNull();
    const kept = await data.list(session.id);
    expect(kept.map((entry) => [entry.key, entry.bytes, entry.freshness])).toEqual([
      ['t2', 2, null],
      ['t1', json.length, freshness],
    ]);
    expect(await data.all(session.id)).toEqual([
      { key: 't2', json: '[]' },
      { key: 't1', json },
    ]);
  });

  test('take little room where they are long, and are read as older servers stored them', async () => {
    const data = createSessionDataStore(store.db);
    const json = JSON.stringify(
      Array.from({ length: 500 }, (_, q) => ({ qid: `Q${q}`, t1_us: 40.25 + q / 8, at: '2026-05-01' })),
    );
    await data.put(session.id, 'long', { json, freshness: null }, 1_000_000);
    const { rows } = await store.pool.query(
      'select body, bytes, pg_column_size(body_zstd) as taken from session_data where session_id = $1',
      [session.id],
    );
    expect(rows).toEqual([{ body: null, bytes: json.length, taken: expect.any(Number) }]);
    expect(rows[0].taken).toBeLessThan(json.length / 8);
    expect(await data.get(session.id, 'long')).toBe(json);
    await data.put(session.id, 'long', { json: '[1]', freshness: null }, 1_000_000);
    expect(await data.get(session.id, 'long')).toBe('[1]');
    await store.pool.query(
      "insert into session_data (session_id, key, body, bytes) values ($1, 'older', $2, 10)",
      [session.id, json],
    );
    expect(await data.all(session.id)).toEqual([
      { key: 'long', json: '[1]' },
      { key: 'older', json },
    ]);
  });

  test('the oldest go when the session holds too much', async () => {
    const data = createSessionDataStore(store.db);
    for (const key of ['a', 'b', 'c'])
      await data.put(session.id, key, { json: 'x'.repeat(40), freshness: null }, 100);
    expect((await data.list(session.id)).map(({ key }) => key)).toEqual(['b', 'c']);
  });

  test('never more than they may be, also when two servers put at the same moment, and the newest stays', async () => {
    const data = createSessionDataStore(store.db);
    const body = { json: 'x'.repeat(40), freshness: null };
    await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((key) => data.put(session.id, key, body, 100)));
    const kept = await data.list(session.id);
    expect(kept.map(({ bytes }) => bytes)).toEqual([40, 40]);
    await data.put(session.id, 'last', { ...body, json: 'y'.repeat(90) }, 100);
    expect(await data.all(session.id)).toEqual([{ key: 'last', json: 'y'.repeat(90) }]);
  });

  test('one that alone is too large is refused with its size, and the others stay', async () => {
    const data = createSessionData(createSessionDataStore(store.db), session.id, 2_000_000);
    await data.put('small', '[1]');
    await expect(data.put('t1', 'x'.repeat(3_000_000))).rejects.toThrow(
      't1: has 3.0 MB, and a conversation keeps at most 2.0 MB; ask for less',
    );
    expect(await data.all()).toBe('{"small":[1]}');
  });
});
