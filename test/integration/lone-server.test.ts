/** A server that runs alone ends its own turns after an outage of any length: no peer is there to close them. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { RunnerTimes } from '../../src/agent/runner/runner.ts';
import type { Turn } from '../../src/domain/conversation/session.ts';
import { ask, ended, heldTurns, leftBehind, startChat, viewer, type Chat } from '../support/chat.ts';
import { createTestDatabase, type TestDatabase } from '../support/databases.ts';
import { endLeases } from '../support/leases.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { readLog } from '../support/transcripts.ts';
import { until } from '@qpilot/test-support';

let database: TestDatabase;
const open: Chat[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((chat) => chat.stop()));
});
afterAll(() => database.drop());

/** Every try counts: the first failure after a millisecond is the last of its kind. */
const hasty: Partial<RunnerTimes> = {
  leaseMs: 60_000,
  renewMs: 60,
  sweepMs: 60,
  othersMs: 0,
  drainMs: 0,
  retryForMs: 1,
};

async function start(answerTurn = heldTurns().answerTurn, url = database.url): Promise<Chat> {
  const chat = await startChat(url, { answerTurn, times: hasty });
  open.push(chat);
  return chat;
}

/** Has Postgres refuse each end of a turn of this session with that state, until the returned function is called. */
async function refuseEnds({ pool }: Pick<Chat, 'pool'>, sessionId: string, state: string) {
  const name = `refused_${sessionId.replaceAll('-', '')}`;
  await pool.query(`create sequence ${name};
    create function ${name}() returns trigger language plpgsql as $$ begin
      perform nextval('${name}'); raise exception 'refused' using errcode = '${state}'; end $$;
    create trigger ${name} before update on turns for each row
      when (new.session_id = '${sessionId}' and new.status <> 'RUNNING') execute function ${name}()`);
  return {
    times: async (): Promise<number> =>
      Number(
        (await pool.query<{ last_value: string }>(`select last_value from ${name}`)).rows[0]!.last_value,
      ),
    mend: () => pool.query(`drop trigger ${name} on turns`),
  };
}

describe('the only server', () => {
  test('ends a turn as it was answered, however often Postgres refused to be reached before', async () => {
    const proxy = await startTcpProxy(database.url);
    const url = new URL(database.url);
    url.searchParams.delete('host');
    url.host = new URL(proxy.url).host;
    try {
      const turns = heldTurns();
      const chat = await start(turns.answerTurn, url.href);
      const { session, turn } = await chat.copilot.sendMessage(viewer, ask('go'));
      const { say, finish } = await turns.of(turn);
      say('all of it');
      await until(async () => (await readLog(chat, session.id)).some(({ type }) => type === 'TokenEvent'));
      proxy.cut();
      finish();
      const before = proxy.refused();
      await until(() => proxy.refused() > before + 20, { what: 'many tries' });
      proxy.mend();
      const over = await isFree(chat, turns, session.id, turn.id, 'COMPLETED');
      expect((await leftBehind(chat, over)).message?.text).toBe('all of it');
    } finally {
      await Promise.all(open.splice(0).map((chat) => chat.stop()));
      await proxy.close();
    }
  });

  test.each([
    ['a full disk', '53100'],
    ['a database that is starting up', '57P03'],
  ])('ends a turn as it was answered after %s refused its end again and again', async (_what, state) => {
    const turns = heldTurns();
    const chat = await start(turns.answerTurn);
    const { session, turn } = await chat.copilot.sendMessage(viewer, ask('go'));
    const refused = await refuseEnds(chat, session.id, state);
    (await turns.of(turn)).finish();
    await until(async () => (await refused.times()) > 3, { what: 'several tries' });
    await refused.mend();
    await isFree(chat, turns, session.id, turn.id, 'COMPLETED');
  });

  test('closes a turn whose end it could not store for a reason that it does not know', async () => {
    const turns = heldTurns();
    const chat = await start(turns.answerTurn);
    const { session, turn } = await chat.copilot.sendMessage(viewer, ask('go'));
    const refused = await refuseEnds(chat, session.id, 'XX000');
    (await turns.of(turn)).finish();
    await until(() => chat.runner.running === 0, { what: 'it to give up' });
    await endLeases(chat, [session.id]);
    await refused.mend();
    await isFree(chat, turns, session.id, turn.id, 'INTERRUPTED');
  });

  test.each([
    [false, 'INTERRUPTED'],
    [true, 'CANCELLED'],
  ] as const)(
    'closes a turn that is stored and never began, its acknowledgement being lost; cancelled: %s',
    async (isCancelled, status) => {
      const turns = heldTurns();
      const chat = await start(turns.answerTurn);
      const begin = chat.runner.start.bind(chat.runner);
      chat.runner.start = () => undefined;
      const { session, turn } = await chat.copilot.sendMessage(viewer, ask('go'));
      chat.runner.start = begin;
      if (isCancelled)
        expect((await chat.copilot.cancelTurn(viewer, { turnId: turn.id })).status).toBe('RUNNING');
      await endLeases(chat, [session.id]);
      await isFree(chat, turns, session.id, turn.id, status);
    },
  );

  test('stops although Postgres refuses the end of a turn, and leaves that to the next start', async () => {
    const turns = heldTurns();
    const chat = await startChat(database.url, { answerTurn: turns.answerTurn, times: hasty });
    const { session, turn } = await chat.copilot.sendMessage(viewer, ask('go'));
    const refused = await refuseEnds(chat, session.id, '57P03');
    (await turns.of(turn)).finish();
    await until(async () => (await refused.times()) > 3, { what: 'several tries' });
    await chat.runner.stop();
    await refused.mend();
    await endLeases(chat, [session.id]);
    await chat.stop();
    await isFree(await start(turns.answerTurn), turns, session.id, turn.id, 'INTERRUPTED');
  });
});

/** The turn has ended so, once, and its conversation takes the next message. */
async function isFree(
  chat: Chat,
  turns: ReturnType<typeof heldTurns>,
  sessionId: string,
  turnId: string,
  status: string,
): Promise<Turn> {
  const over = await ended(chat, { id: turnId });
  expect(over.status).toBe(status);
  const log = await readLog(chat, sessionId);
  expect(log.filter(({ type }) => type === 'TurnFinishedEvent')).toHaveLength(1);
  const { turn } = await chat.copilot.sendMessage(viewer, ask('and now?', { sessionId }));
  (await turns.of(turn)).finish();
  expect((await ended(chat, turn)).status).toBe('COMPLETED');
  return over;
}
