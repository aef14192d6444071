import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { v4 as uuid } from 'uuid';
import type { Session, ToolCall, Turn, Usage } from '../../../src/domain/conversation/session.ts';
import { appendBatch } from '../../../src/stores/pg/event-batches.ts';
import { insertEvents, readEvents } from '../../../src/stores/pg/events.ts';
import { newId } from '../../../src/stores/pg/ids.ts';
import { findMessageOfSession } from '../../../src/stores/pg/messages.ts';
import { holdTokens } from '../../../src/stores/pg/token-holds.ts';
import { listToolCalls } from '../../../src/stores/pg/tool-calls.ts';
import { finishTurn, NOTHING_KNOWN, type TurnEnd, withdrawTurn } from '../../../src/stores/pg/turn-finish.ts';
import { readActivity } from '../../../src/stores/pg/usage.ts';
import { until } from '@qpilot/test-support';
import { viewer } from '../../support/chat.ts';
import { endLeases } from '../../support/leases.ts';
import { openPgStore, type PgStore } from './pg-store.ts';

const owner = uuid();
const other = uuid();
const completed: TurnEnd = { ...NOTHING_KNOWN, status: 'COMPLETED', error: null };
const interrupted: TurnEnd = { ...completed, status: 'INTERRUPTED' };
const usage: Usage = {
  inputTokens: 70,
  outputTokens: 30,
  cachedTokens: 0,
  totalTokens: 100,
  costUsd: null,
  model: 'm',
};

let store: PgStore;
let session: Session;
let turn: Turn;
beforeAll(async () => void (store = await openPgStore()));
afterAll(() => store.close());
beforeEach(async () => {
  session = await store.newSession();
  turn = await store.newTurn(session.id, owner);
});

const finish = (right: Parameters<typeof finishTurn>[2], end = completed) =>
  finishTurn(store.db, turn, right, end);
const logOf = async (): Promise<string[]> =>
  (await readEvents(store.pool, session.id, 0, 100)).map(({ type }) => type);
const spender = () => ({ sessionId: session.id, viewerId: viewer.id, projectId: viewer.projectId });

describe('who may end a running turn', () => {
  test('its owner, once', async () => {
    expect(await finish({ as: 'owner', owner: other })).toBeNull();
    expect(await finish({ as: 'owner', owner })).toMatchObject({ id: turn.id, status: 'COMPLETED' });
    expect(await finish({ as: 'owner', owner })).toBeNull();
    expect(await logOf()).toEqual(['TurnStartedEvent', 'TurnFinishedEvent']);
  });

  test('a successor, only after the lease has run out', async () => {
    expect(await finish({ as: 'successor' }, interrupted)).toBeNull();
    await endLeases(store, [session.id]);
    expect(await finish({ as: 'successor' }, interrupted)).toMatchObject({ status: 'INTERRUPTED' });
    expect(await finish({ as: 'owner', owner })).toBeNull();
  });

  test('an heir, unless the turn is its own', async () => {
    expect(await finish({ as: 'heir', of: other }, interrupted)).toBeNull();
    expect(await finish({ as: 'heir', of: owner }, interrupted)).toMatchObject({ status: 'INTERRUPTED' });
  });

  test('of several at the same moment exactly one', async () => {
    await endLeases(store, [session.id]);
    const ends = await Promise.all([
      finish({ as: 'owner', owner }),
      finish({ as: 'successor' }, interrupted),
      finish({ as: 'heir', of: owner }, interrupted),
    ]);
    expect(ends.filter((ended) => ended !== null)).toHaveLength(1);
    expect(await logOf()).toEqual(['TurnStartedEvent', 'TurnFinishedEvent']);
  });

  test('nobody withdraws it, but its queued follower', async () => {
    const queued = await store.newTurn(session.id, null);
    expect(await store.transact((tx) => withdrawTurn(tx, turn, 'no'))).toBeNull();
    expect(await finishTurn(store.db, queued, { as: 'owner', owner }, completed)).toBeNull();
    expect(await store.transact((tx) => withdrawTurn(tx, queued, 'changed my mind'))).toMatchObject({
      status: 'CANCELLED',
      error: { code: 'CANCELLED', message: 'changed my mind' },
    });
  });
});

describe('the end of a turn', () => {
  const call = (): ToolCall => ({
    id: newId(),
    sessionId: session.id,
    turnId: turn.id,
    callId: 'c1',
    tool: 'rank_qubits',
    label: 'Rank',
    description: '',
    arguments: {},
    status: 'RUNNING',
    durationMs: null,
    dataSource: null,
    preview: null,
    freshness: null,
    resultJson: null,
    error: null,
    approval: null,
  });

  test('keeps what had arrived as its message, and closes the calls that were open', async () => {
    const open = call();
    await appendBatch(store.pool, {
      sessionId: session.id,
      turnId: turn.id,
      owner,
      number: 1,
      events: [
        { type: 'TokenEvent', payload: { text: 'T1 is ', offset: 0 } },
        {
          type: 'ToolCallStartedEvent',
          payload: {
            callId: 'c1',
            tool: open.tool,
            label: open.label,
            description: '',
            arguments: {},
            round: 1,
          },
        },
      ],
      toolCalls: [open],
      charts: [],
      tables: [],
    });
    await endLeases(store, [session.id]);
    const ended = await finish({ as: 'successor' }, interrupted);
    const message = await findMessageOfSession(store.db, session.id, ended?.answerId ?? '');
    expect(message).toMatchObject({ role: 'ASSISTANT', text: 'T1 is ', turnId: turn.id });
    expect(await listToolCalls(store.db, session.id, turn.id)).toEqual([
      { ...open, status: 'CANCELLED', preview: 'Not finished' },
    ]);
    expect((await logOf()).slice(-2)).toEqual(['ToolCallFinishedEvent', 'TurnFinishedEvent']);
  });

  test('waits for what is on its way into the log, and has it in its message', async () => {
    const onItsWay = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const writing = store.transact(async (tx) => {
      await insertEvents(tx, session.id, turn.id, [
        { type: 'TokenEvent', payload: { text: 'late', offset: 0 } },
      ]);
      held.resolve();
      await onItsWay.promise;
    });
    await held.promise;
    const ending = finish({ as: 'owner', owner });
    await until(
      async () => {
        const waiting = `select from pg_locks where not granted and database =
          (select oid from pg_database where datname = current_database())
          or (locktype = 'transactionid' and not granted)`;
        return ((await store.pool.query(waiting)).rowCount ?? 0) > 0;
      },
      { what: 'the end that waits for the log' },
    );
    onItsWay.resolve();
    await writing;
    const message = await findMessageOfSession(store.db, session.id, (await ending)?.answerId ?? '');
    expect(message?.text).toBe('late');
  });

  test('has no message where nothing had arrived, unless it completed', async () => {
    expect(await finish({ as: 'owner', owner }, { ...completed, status: 'FAILED' })).toMatchObject({
      answerId: null,
    });
    turn = await store.newTurn(session.id, owner);
    expect((await finish({ as: 'owner', owner }))?.answerId).not.toBeNull();
  });

  test('counts its tokens once and releases those that were set aside', async () => {
    const { spent: before } = await readActivity(store.db, spender());
    await holdTokens(
      store.db,
      { ...spender(), id: turn.id },
      {
        tokens: 500,
        sessionTokens: 1_000,
        userTokensPerDay: 1_000,
        projectTokensPerDay: 1_000,
      },
    );
    await finish({ as: 'owner', owner }, { ...completed, usage });
    await finish({ as: 'owner', owner }, { ...completed, usage });
    const { spent: after } = await readActivity(store.db, spender());
    expect(after.bySession).toBe(100);
    expect(after.byViewerToday - before.byViewerToday).toBe(100);
    expect(after.byProjectToday - before.byProjectToday).toBe(100);
    const { rows } = await store.pool.query('select from token_holds where turn_id = $1', [turn.id]);
    expect(rows).toEqual([]);
  });
});
