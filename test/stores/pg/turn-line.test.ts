import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { v4 as uuid } from 'uuid';
import type { Viewer } from '../../../src/domain/conversation/session.ts';
import { countAhead, nextInLine } from '../../../src/stores/pg/turn-line.ts';
import { startNextTurn } from '../../../src/stores/pg/turn-start.ts';
import { viewer } from '../../support/chat.ts';
import { openPgStore, type PgStore } from './pg-store.ts';

let store: PgStore | null = null;
beforeEach(async () => {
  await store?.close();
  store = await openPgStore();
});
afterAll(() => store?.close());

const ann: Viewer = { ...viewer, id: 'ann' };
const bob: Viewer = { ...viewer, id: 'bob' };
const room = { turnsPerUser: 2, most: 10 };
const here = uuid();
const lease = { owner: here, leaseMs: 60_000, asOf: new Date() };

/** A conversation whose first turn waits, or runs. */
async function conversation(who: Viewer, owner: string | null = null) {
  const { id } = await store!.newSession(who);
  return { id, turn: await store!.newTurn(id, owner, who) };
}

const line = async (): Promise<string[]> =>
  (await nextInLine(store!.db, room)).map(({ sessionId }) => sessionId);

describe('the line of waiting conversations', () => {
  test('takes users in turns, and the oldest first among equals', async () => {
    const [a1, a2, b1] = [await conversation(ann), await conversation(ann), await conversation(bob)];
    expect(await line()).toEqual([a1.id, b1.id, a2.id]);
    const ids = [a1, a2, b1].map(({ turn }) => turn.id);
    expect(await countAhead(store!.db, ann, ids)).toEqual([0, 2, null]);
    expect(await countAhead(store!.db, bob, ids)).toEqual([null, null, 1]);
  });

  test('counts what is being answered: who has more waits longer', async () => {
    await conversation(ann, here);
    const [a1, b1] = [await conversation(ann), await conversation(bob)];
    expect(await line()).toEqual([b1.id, a1.id]);
  });

  test('gives a user no more than may be answered at once, even of two processes that start the same', async () => {
    await conversation(ann, here);
    const [a1, a2] = [await conversation(ann), await conversation(ann)];
    expect(await line()).toEqual([a1.id]);
    const started = await Promise.all(
      [a1, a2].map(({ id }) =>
        startNextTurn(store!.db, { sessionId: id, viewerId: ann.id, turnsPerUser: 2 }, lease),
      ),
    );
    expect(started.filter((one) => one !== null)).toHaveLength(1);
  });

  test('leaves out conversations that are being answered, and phases of jobs', async () => {
    const busy = await conversation(ann, here);
    const behind = await store!.newTurn(busy.id, null, ann);
    const job = await store!.newSession(bob, 'JOB');
    await store!.newTurn(job.id, null, bob);
    expect(await line()).toEqual([]);
    expect(await countAhead(store!.db, ann, [behind.id])).toEqual([null]);
  });
});
