import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { createLiveSource } from '../../src/sources/live/live-source.ts';
import { createLiveLimiter } from '../../src/sources/live/limiter.ts';
import { createLogger } from '../../src/base/log.ts';
import { openDatabase, type OpenDatabase } from '../../src/stores/pg/database.ts';
import { createTestDatabase, type TestDatabase } from '../support/databases.ts';
import { startAnsweringServer } from './answering-server.ts';

const log = createLogger('silent');
const chip = { projectId: 'p', chipId: 'a' };
const elsewhere = { projectId: 'q', chipId: 'a' };

let database: TestDatabase;
/** As two server processes have them. */
let handles: readonly [OpenDatabase, OpenDatabase];

beforeAll(async () => {
  database = await createTestDatabase();
  handles = [openDatabase(database.url, { log }), openDatabase(database.url, { log })];
});
beforeEach(() => sql`delete from live_calls`.execute(handles[0].db));
afterAll(async () => {
  await Promise.all(handles.map((handle) => handle.close()));
  await database.drop();
});

const limiters = () => handles.map(({ db }) => createLiveLimiter({ db, log }));

/** How many of `count` attempts at once, spread over both processes, were allowed. */
async function allowedOf(count: number, scopeOf: (index: number) => typeof chip): Promise<number> {
  const both = limiters();
  const permissions = await Promise.all(
    Array.from({ length: count }, (_, index) => both[index % 2]!.take(scopeOf(index))),
  );
  return permissions.filter(({ allowed }) => allowed).length;
}

/** Lets time pass without waiting for it. */
const age = (seconds: number) =>
  sql`update live_calls set called_at = called_at - ${seconds} * interval '1 second'`.execute(handles[0].db);

describe('limits of live calls', () => {
  test('of forty attempts at once from two processes, fifteen are allowed for a chip', async () => {
    expect(await allowedOf(40, () => chip)).toBe(15);
  });

  test('of sixty attempts at once over three chips, thirty are allowed for a project, and others are left alone', async () => {
    expect(await allowedOf(60, (index) => ({ projectId: 'p', chipId: `chip-${index % 3}` }))).toBe(30);
    expect(await allowedOf(16, () => elsewhere)).toBe(15);
  });

  test('of two attempts at the last free place one is allowed', async () => {
    await allowedOf(14, () => chip);
    expect(await allowedOf(2, () => chip)).toBe(1);
  });

  test('what is refused is not counted, says when to come back, and comes back a minute after the first call', async () => {
    await allowedOf(15, () => chip);
    await age(40);
    const [limiter] = limiters();
    const refused = await limiter!.take(chip);
    if (refused.allowed) throw new Error('a sixteenth call was allowed');
    expect(refused).toMatchObject({
      because: 'LIMIT',
      message: expect.stringMatching(/15 live calls a minute.*in (19|20) s$/),
    });
    expect(refused.retryAfterMs).toBeGreaterThan(10_000);
    expect(refused.retryAfterMs).toBeLessThanOrEqual(20_000);
    await age(20);
    expect((await limiter!.take(chip)).allowed).toBe(true);
  });

  test('what is left can be read without using it up', async () => {
    await allowedOf(4, () => chip);
    await allowedOf(3, () => ({ ...chip, chipId: 'b' }));
    const [limiter] = limiters();
    for (let reads = 0; reads < 2; reads += 1) {
      expect(await limiter!.quota(chip)).toEqual({
        chip: { limit: 15, left: 11 },
        project: { limit: 30, left: 23 },
      });
    }
    await age(61);
    expect(await limiter!.quota(chip)).toEqual({
      chip: { limit: 15, left: 15 },
      project: { limit: 30, left: 30 },
    });
  });

  test('calls that failed count like others', async () => {
    const server = await startAnsweringServer();
    try {
      server.answerJson({}, 500);
      const [limiter] = limiters();
      const source = createLiveSource({ url: server.url, limiter: limiter!, now: () => new Date(), log });
      for (let calls = 0; calls < 16; calls += 1) await source.read(chip, new AbortController().signal);
      expect(server.requests).toHaveLength(15);
      expect(await source.read(chip, new AbortController().signal)).toMatchObject({ reason: 'RATE_LIMITED' });
    } finally {
      await server.close();
    }
  });
});

test('while the store is down nothing is asked, nor is repeated what was read before', async () => {
  const source = await startAnsweringServer();
  source.answerJson({ chip: 'a', at: '2026-05-20T00:00:00Z', values: [] });
  const hangingUp = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  await once(hangingUp, 'listening');
  const { port } = hangingUp.address() as AddressInfo;
  const down = openDatabase(`postgresql://127.0.0.1:${port}/qpilot`, { log });
  try {
    const alive = createLiveLimiter({ db: handles[0].db, log });
    const dead = createLiveLimiter({ db: down.db, log });
    let limiter = alive;
    const live = createLiveSource({
      url: source.url,
      limiter: { take: (scope) => limiter.take(scope), quota: (scope) => limiter.quota(scope) },
      now: () => new Date(),
      log,
    });
    const { signal } = new AbortController();
    expect(await live.read(chip, signal)).toMatchObject({ type: 'values' });
    limiter = dead;
    expect(await live.read(chip, signal)).toMatchObject({
      type: 'fallback',
      reason: 'RATE_LIMITED',
      message: expect.stringContaining('cannot be checked'),
    });
    expect(await live.quota(chip)).toBeNull();
    expect(source.requests).toHaveLength(1);
  } finally {
    await down.close();
    hangingUp.close();
    await source.close();
  }
});
