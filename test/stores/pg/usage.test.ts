import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { v4 as uuid } from 'uuid';
import type { Session, TokenTotals, Viewer } from '../../../src/domain/conversation/session.ts';
import { newId } from '../../../src/stores/pg/ids.ts';
import { readLiveQuota, takeLiveCall } from '../../../src/stores/pg/live-calls.ts';
import { findSessionUsage, readActivity, readViewerDay, type Spender } from '../../../src/stores/pg/usage.ts';
import { addUsage, openPgStore, type PgStore } from './pg-store.ts';

let store: PgStore;
/** New for every test, so that nothing is spent at first. */
let who: Viewer;
let session: Session;
beforeAll(async () => void (store = await openPgStore()));
afterAll(() => store.close());
beforeEach(async () => {
  who = { id: uuid(), name: 'Ada', projectId: uuid(), role: 'owner', isOperator: true };
  session = await store.newSession(who);
});

const tokens = (inputTokens: number, outputTokens: number, costUsd: number | null = 0.5): TokenTotals => ({
  inputTokens,
  outputTokens,
  cachedTokens: 1,
  totalTokens: inputTokens + outputTokens,
  costUsd,
});
const spenderOf = (of: Session, by: Viewer = who): Spender => ({
  sessionId: of.id,
  viewerId: by.id,
  projectId: by.projectId,
});
const spend = (usage: TokenTotals, spender = spenderOf(session)) =>
  store.transact((tx) => addUsage(tx, spender, usage));
const spent = async (spender = spenderOf(session)) => (await readActivity(store.db, spender)).spent;
/** Moves the counters of a day back, as time does. */
const nextDay = (ids: readonly string[], days = 1) =>
  store.pool.query('update daily_usage set day = day - $2::int where id = any($1)', [ids, days]);

describe('tokens', () => {
  test('are summed for the session, the user and the project', async () => {
    expect(await spent()).toEqual({ bySession: 0, byViewerToday: 0, byProjectToday: 0 });
    await spend(tokens(70, 30));
    await spend(tokens(5, 0));
    expect(await spent()).toEqual({ bySession: 105, byViewerToday: 105, byProjectToday: 105 });
  });

  test('from a cache count for limits as far as they were charged', async () => {
    await spend({ ...tokens(1_000, 50), cachedTokens: 800, chargedTokens: 330 });
    expect(await spent()).toEqual({ bySession: 330, byViewerToday: 330, byProjectToday: 330 });
    const [read] = await findSessionUsage(store.db, who, [session.id]);
    expect(read).toMatchObject({ totalTokens: 1_050, chargedTokens: 330 });
  });

  test('of a colleague count for the project, those of the same user elsewhere for the user', async () => {
    const colleague = { ...who, id: uuid() };
    const elsewhere = { ...who, projectId: uuid() };
    await spend(tokens(1, 0));
    await spend(tokens(10, 0), spenderOf(await store.newSession(colleague), colleague));
    await spend(tokens(100, 0), spenderOf(await store.newSession(elsewhere), elsewhere));
    expect(await spent()).toEqual({ bySession: 1, byViewerToday: 101, byProjectToday: 11 });
    expect(await readViewerDay(store.db, who)).toMatchObject({ totalTokens: 101 });
    expect(await readViewerDay(store.db, colleague)).toMatchObject({ totalTokens: 10 });
  });

  test('of a user and a project with the same name are counted apart', async () => {
    const same = { ...who, projectId: who.id };
    const colleague = { ...same, id: uuid() };
    await spend(tokens(1, 0), spenderOf(session, same));
    await spend(tokens(10, 0), spenderOf(session, colleague));
    expect(await spent(spenderOf(session, same))).toMatchObject({ byViewerToday: 1, byProjectToday: 11 });
  });

  test('that many turns spend at once are all counted', async () => {
    const sessions = await Promise.all(Array.from({ length: 8 }, () => store.newSession(who)));
    await Promise.all(sessions.map((each) => spend(tokens(3, 4), spenderOf(each))));
    expect(await spent(spenderOf(sessions[0]!))).toEqual({
      bySession: 7,
      byViewerToday: 56,
      byProjectToday: 56,
    });
  });

  test('of a session stay, while those of the day begin anew at midnight UTC', async () => {
    await spend(tokens(70, 30));
    await nextDay([who.id, who.projectId]);
    expect(await spent()).toEqual({ bySession: 100, byViewerToday: 0, byProjectToday: 0 });
    expect(await readViewerDay(store.db, who)).toMatchObject({ totalTokens: 0, costUsd: 0 });
    await spend(tokens(1, 1));
    expect(await spent()).toEqual({ bySession: 102, byViewerToday: 2, byProjectToday: 2 });
  });

  test('are those of the day in UTC, whatever the time zone of the database', async () => {
    for (const zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
      const read = await store.transact(async (tx) => {
        await sql`set local time zone ${sql.lit(zone)}`.execute(tx);
        await addUsage(tx, spenderOf(session), tokens(1, 0));
        return (await readActivity(tx, spenderOf(session))).spent;
      });
      expect(read.byViewerToday).toBe(read.bySession);
    }
  });

  test('of sessions are read in the order of the ids, nothing of those of others', async () => {
    await spend(tokens(70, 30));
    const none = { inputTokens: 0, outputTokens: 0, cachedTokens: 0, totalTokens: 0, costUsd: 0 };
    const nothing = { ...none, chargedTokens: 0 };
    const mine = { ...tokens(70, 30), chargedTokens: 100 };
    expect(await findSessionUsage(store.db, who, [newId(), session.id, 'no id'])).toEqual([
      nothing,
      mine,
      nothing,
    ]);
    for (const other of [
      { ...who, id: uuid() },
      { ...who, projectId: uuid() },
    ])
      expect(await findSessionUsage(store.db, other, [session.id])).toEqual([nothing]);
  });

  test('beyond 32 bits are counted exactly', async () => {
    await spend(tokens(3_000_000_000, 1));
    await spend(tokens(3_000_000_000, 1));
    expect(await spent()).toMatchObject({ bySession: 6_000_000_002, byProjectToday: 6_000_000_002 });
  });
});

describe('costs', () => {
  const costs = async () => {
    const [ofSession] = await findSessionUsage(store.db, who, [session.id]);
    return [ofSession?.costUsd, (await readViewerDay(store.db, who)).costUsd];
  };

  test('are summed, and unknown from the first call without a price on', async () => {
    await spend(tokens(1, 1, 0.25));
    await spend(tokens(1, 1, 0.5));
    expect(await costs()).toEqual([0.75, 0.75]);
    await spend(tokens(1, 1, null));
    await spend(tokens(1, 1, 0.5));
    expect(await costs()).toEqual([null, null]);
    await nextDay([who.id]);
    await spend(tokens(1, 1, 0.5));
    expect(await costs()).toEqual([null, 0.5]);
  });

  test('of a turn that used no tokens are none, even without a price', async () => {
    await spend(tokens(1, 1, 0.25));
    await spend({ ...tokens(0, 0, null), cachedTokens: 0 });
    expect(await costs()).toEqual([0.25, 0.25]);
  });
});

describe('activity', () => {
  const activity = (sessionId = newId(), viewerId = who.id) =>
    readActivity(store.db, { viewerId, projectId: who.projectId, sessionId });

  test('is none of somebody who asked nothing', async () => {
    expect(await activity()).toMatchObject({
      turnsLastMinute: 0,
      minuteOverInMs: 0,
      otherRunningSessions: 0,
      otherWaitingSessions: 0,
      open: [],
      lacks: ['TABLES', 'KEPT_DATA'],
      spent: { bySession: 0, byViewerToday: 0, byProjectToday: 0 },
    });
  });

  test('counts turns of the last minute in all projects, and when the oldest leaves', async () => {
    const elsewhere = { ...who, projectId: uuid() };
    const old = await store.newTurn(session.id, uuid(), who);
    const other = await store.newSession(elsewhere);
    await store.newTurn(other.id, null, elsewhere);
    await store.newTurn(other.id, null, elsewhere);
    expect(await activity()).toMatchObject({
      turnsLastMinute: 3,
      otherRunningSessions: 1,
      otherWaitingSessions: 1,
    });
    expect(await activity(session.id)).toMatchObject({ otherRunningSessions: 0, otherWaitingSessions: 1 });
    expect(await activity(newId(), uuid())).toMatchObject({
      turnsLastMinute: 0,
      otherRunningSessions: 0,
      otherWaitingSessions: 0,
    });
    const setAge = (seconds: number) =>
      store.pool.query(`update turns set created_at = now() - $2 * interval '1 second' where id = $1`, [
        old.id,
        seconds,
      ]);
    await setAge(45);
    const { minuteOverInMs } = await activity();
    expect(minuteOverInMs).toBeGreaterThan(10_000);
    expect(minuteOverInMs).toBeLessThanOrEqual(20_000);
    await setAge(61);
    expect(await activity()).toMatchObject({
      turnsLastMinute: 2,
      otherRunningSessions: 1,
      otherWaitingSessions: 1,
    });
  });

  test('does not count the phases of jobs, nor a session whose turns have ended', async () => {
    const owner = uuid();
    await store.newTurn((await store.newSession(who, 'JOB')).id, owner, who);
    await store.endTurn(await store.newTurn(session.id, owner, who), owner);
    expect(await activity()).toMatchObject({
      turnsLastMinute: 1,
      otherRunningSessions: 0,
      otherWaitingSessions: 0,
    });
  });
});

describe('live calls', () => {
  const limits = { perChip: 3, perProject: 5 };
  const scope = (chipId = 'A', projectId = who.projectId) => ({ projectId, chipId });
  const take = (of = scope()) => takeLiveCall(store.db, of, limits);
  const left = async (of = scope()) => {
    const { chip, project } = await readLiveQuota(store.db, of, limits);
    return [chip.left, project.left];
  };
  const age = (seconds: number, chipId: string) =>
    store.pool.query(
      `update live_calls set called_at = now() - $1 * interval '1 second' where project_id = $2 and chip_id = $3`,
      [seconds, who.projectId, chipId],
    );

  test('are never more than allowed for a chip, however many come at once', async () => {
    const taken = await Promise.all(Array.from({ length: 10 }, () => take()));
    expect(taken.filter(({ allowed }) => allowed)).toHaveLength(3);
    for (const each of taken)
      if (!each.allowed) {
        expect(each.retryAfterMs).toBeGreaterThan(0);
        expect(each.retryAfterMs).toBeLessThanOrEqual(60_000);
      }
    expect(await left()).toEqual([0, 2]);
  });

  test('are never more than allowed for a project, whatever the chips', async () => {
    const chips = ['A', 'B', 'C', 'A', 'B', 'C', 'A', 'B', 'C'];
    const taken = await Promise.all(chips.map((chip) => take(scope(chip))));
    expect(taken.filter(({ allowed }) => allowed)).toHaveLength(5);
    expect((await left(scope('D')))[1]).toBe(0);
    expect(await take(scope('D'))).toMatchObject({ allowed: false });
  });

  test('of other projects are counted apart, also for a chip of the same name', async () => {
    for (let n = 0; n < 3; n += 1) await take();
    expect(await take()).toMatchObject({ allowed: false });
    const other = scope('A', uuid());
    expect(await left(other)).toEqual([3, 5]);
    expect(await take(other)).toEqual({ allowed: true });
  });

  test('that are a minute old count no more, and refused ones never did', async () => {
    for (let n = 0; n < 6; n += 1) await take();
    expect(await left()).toEqual([0, 2]);
    await age(59, 'A');
    const refused = await take();
    expect(refused).toMatchObject({ allowed: false });
    if (!refused.allowed) expect(refused.retryAfterMs).toBeLessThanOrEqual(1_000);
    await age(61, 'A');
    expect(await left()).toEqual([3, 5]);
    expect(await take()).toEqual({ allowed: true });
    const { rows } = await store.pool.query('select from live_calls where project_id = $1', [who.projectId]);
    expect(rows).toHaveLength(1); // the old ones are removed
  });

  test('are refused for as long as the longer of two limits', async () => {
    for (const chip of ['A', 'A', 'A', 'B', 'B']) await take(scope(chip));
    await age(50, 'A');
    const refused = await take();
    if (refused.allowed) throw new Error('both limits are reached');
    expect(refused.retryAfterMs).toBeLessThanOrEqual(10_000);
    await age(30, 'A');
    await age(50, 'B');
    const later = await take();
    if (later.allowed) throw new Error('both limits are reached');
    expect(later.retryAfterMs).toBeGreaterThan(20_000);
  });
});
