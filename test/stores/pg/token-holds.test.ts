import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { v4 as uuid } from 'uuid';
import { holdTokens, type WantedTokens } from '../../../src/stores/pg/token-holds.ts';
import { finishTurn, NOTHING_KNOWN } from '../../../src/stores/pg/turn-finish.ts';
import { viewer } from '../../support/chat.ts';
import { endLeases } from '../../support/leases.ts';
import { openPgStore, type PgStore } from './pg-store.ts';

let store: PgStore;
beforeAll(async () => void (store = await openPgStore()));
afterAll(() => store.close());

const NO_LIMITS = { sessionTokens: Infinity, userTokensPerDay: Infinity, projectTokensPerDay: Infinity };

/** A running turn in a session of its own, for a user who has spent nothing. */
async function running(who = { ...viewer, id: uuid(), projectId: uuid() }) {
  const session = await store.newSession(who);
  const owner = uuid();
  const { id } = await store.newTurn(session.id, owner, who);
  const spender = { id, sessionId: session.id, viewerId: who.id, projectId: who.projectId };
  return {
    who,
    sessionId: session.id,
    hold: (tokens: number, limits: Partial<WantedTokens> = {}) =>
      holdTokens(store.db, spender, { ...NO_LIMITS, ...limits, tokens }),
    finish: () =>
      finishTurn(
        store.db,
        { id, sessionId: session.id },
        { as: 'owner', owner },
        { ...NOTHING_KNOWN, status: 'COMPLETED', error: null },
      ),
  };
}

test('concurrent turns of one user never reserve more than the budget together', async () => {
  const first = await running();
  const turns = [first, ...(await Promise.all(Array.from({ length: 7 }, () => running(first.who))))];
  await Promise.all(turns.map(({ hold }) => hold(300, { userTokensPerDay: 1_000 })));
  const { rows } = await store.pool.query<{ tokens: number }>(
    'select tokens::int from token_holds where viewer_id = $1 order by tokens desc',
    [first.who.id],
  );
  const granted = rows.map(({ tokens }) => tokens);
  expect(granted).toEqual([300, 300, 300, 100, 0, 0, 0, 0]);
});

test('a turn replaces its own reservation and does not count it', async () => {
  const turn = await running();
  await turn.hold(400);
  expect(await turn.hold(250)).toMatchObject({
    held: { byViewerToday: 0 },
  });
  const next = await running(turn.who);
  expect(await next.hold(0)).toMatchObject({
    held: { bySession: 0, byViewerToday: 250, byProjectToday: 250 },
  });
});

test('a project counts the reservations of all its users, and other projects none', async () => {
  const turn = await running();
  await turn.hold(400);
  const colleague = await running({ ...turn.who, id: uuid() });
  expect((await colleague.hold(0)).held).toEqual({
    bySession: 0,
    byViewerToday: 0,
    byProjectToday: 400,
  });
  const elsewhere = await running({ ...turn.who, projectId: uuid() });
  expect((await elsewhere.hold(0)).held).toEqual({
    bySession: 0,
    byViewerToday: 400,
    byProjectToday: 0,
  });
});

test('a turn whose lease ran out counts no more', async () => {
  const turn = await running();
  await turn.hold(400);
  const next = await running(turn.who);
  await endLeases(store, [turn.sessionId]);
  expect((await next.hold(0)).held.byViewerToday).toBe(0);
});

test('a turn that has ended reserves nothing, and fractions and negative grants are cut', async () => {
  const [ended, turn] = [await running(), await running()];
  await ended.finish();
  await ended.hold(400);
  expect((await (await running(ended.who)).hold(0)).held.byViewerToday).toBe(0);
  await turn.hold(12.9);
  expect((await (await running(turn.who)).hold(0)).held.byViewerToday).toBe(12);
  await turn.hold(-5);
  expect((await (await running(turn.who)).hold(0)).held.byViewerToday).toBe(0);
});
