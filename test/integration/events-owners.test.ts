/**
 * Rules 6 and 13: leases, takeover, shutdown and the queue, with two servers on one Postgres.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { RunnerTimes } from '../../src/agent/runner/runner.ts';
import type { AnswerTurn } from '../../src/agent/turn-run.ts';
import { tell, text } from '../support/activities.ts';
import { ask, ended, heldTurns, ofType, readToEnd, startChat, viewer } from '../support/chat.ts';
import type { Chat, ChatOptions } from '../support/chat.ts';
import { createTestDatabase } from '../support/databases.ts';
import type { TestDatabase } from '../support/databases.ts';
import { cutConnections } from '../support/fault-storm.ts';
import { endLeases } from '../support/leases.ts';
import { readLog } from '../support/transcripts.ts';
import { until } from '@qpilot/test-support';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const hasty: Partial<RunnerTimes> = { leaseMs: 60_000, renewMs: 60, sweepMs: 60, drainMs: 0 };
/** A server that does not come around to renewing its leases, as a paused process. */
const paused: Partial<RunnerTimes> = { ...hasty, renewMs: 600_000, sweepMs: 600_000 };

async function withChats<T>(
  options: readonly ChatOptions[],
  work: (...chats: readonly Chat[]) => Promise<T>,
): Promise<T> {
  const chats: Chat[] = [];
  try {
    for (const one of options) chats.push(await startChat(database.url, one));
    return await work(...chats);
  } finally {
    await Promise.all(chats.map((chat) => chat.stop()));
  }
}

/** The first two of them; a test that asks for two starts two. */
const pair = (chats: readonly Chat[]): [Chat, Chat] => [chats[0]!, chats[1]!];

describe('a turn whose owner is gone', () => {
  test('is closed as INTERRUPTED by another server, which serves the rest; the paused owner can add nothing', async () => {
    const turns = heldTurns();
    await withChats([{ answerTurn: turns.answerTurn, times: paused }, { times: hasty }], async (...chats) => {
      const [a, b] = pair(chats);
      const { session, turn } = await a.copilot.sendMessage(viewer, ask('go'));
      const { say, finish, run } = await turns.of(turn);
      const through = readToEnd(b, session.id);
      say('seen by all');
      await until(async () => ofType(await readLog(b, session.id), 'TokenEvent').length > 0);
      await endLeases(a, [session.id]);
      const events = await through;
      expect(events.at(-1)?.payload).toMatchObject({
        status: 'INTERRUPTED',
        error: { code: 'INTERRUPTED', retryable: true },
      });
      say(' too late');
      await until(() => run.signal.aborted, { what: 'the owner to notice' });
      finish();
      await until(() => a.runner.running === 0);
      const again = await readToEnd(a, session.id);
      expect(JSON.stringify(again)).toBe(JSON.stringify(events));
      const [message] = await b.copilot.byId.messages(viewer, [(await ended(b, turn)).answerId ?? '']);
      expect(message?.text).toBe('seen by all');
      const retried = await b.copilot.retryTurn(viewer, { turnId: turn.id, clientMessageId: 'again-1' });
      expect((await ended(b, retried.turn)).status).toBe('COMPLETED');
    });
  });

  test('ends at its owner, too, though it has nothing to write that would be refused', async () => {
    const turns = heldTurns();
    await withChats([{ answerTurn: turns.answerTurn, times: paused }, { times: hasty }], async (...chats) => {
      const [a, b] = pair(chats);
      const { session, turn } = await a.copilot.sendMessage(viewer, ask('think'));
      const { run } = await turns.of(turn);
      await endLeases(a, [session.id]);
      expect((await ended(b, turn)).status).toBe('INTERRUPTED');
      await until(() => run.signal.aborted, { what: 'the owner to notice' });
      await until(() => a.runner.running === 0);
    });
  });

  test('is closed as CANCELLED if that was asked for', async () => {
    const turns = heldTurns({ stubborn: true });
    const ownerThatHearsNothing = { ...paused, graceMs: 60_000 };
    await withChats(
      [{ answerTurn: turns.answerTurn, times: ownerThatHearsNothing }, { times: hasty }],
      async (...chats) => {
        const [a, b] = pair(chats);
        const { session, turn } = await a.copilot.sendMessage(viewer, ask('go'));
        const { finish } = await turns.of(turn);
        const cancelling = b.copilot.cancelTurn(viewer, { turnId: turn.id });
        const asked = 'select from turns where id = $1 and cancel_requested_at is not null';
        await until(async () => (await a.pool.query(asked, [turn.id])).rowCount === 1, {
          what: 'the request',
        });
        await endLeases(a, [session.id]);
        await cancelling;
        expect((await ended(b, turn)).status).toBe('CANCELLED');
        finish();
      },
    );
  });
});

describe('a turn whose owner lives', () => {
  test('keeps its lease however long it takes, and is cancelled through any server', async () => {
    const turns = heldTurns();
    await withChats([{ answerTurn: turns.answerTurn, times: hasty }, { times: hasty }], async (...chats) => {
      const [a, b] = pair(chats);
      const { turn } = await a.copilot.sendMessage(viewer, ask('go'));
      await turns.of(turn);
      const leaseEnd = async (): Promise<number> => {
        const row = await a.db
          .selectFrom('turns')
          .select('lease_expires_at')
          .where('id', '=', turn.id)
          .executeTakeFirstOrThrow();
        return row.lease_expires_at?.getTime() ?? 0;
      };
      for (let renewals = 0; renewals < 3; renewals += 1) {
        const before = await leaseEnd();
        await until(async () => (await leaseEnd()) > before, { what: 'a renewal' });
      }
      const cancelled = await b.copilot.cancelTurn(viewer, { turnId: turn.id });
      expect(cancelled.status).toBe('CANCELLED');
    });
  });

  test('survives a restart of the connections to Postgres without losing or doubling a word', async () => {
    const turns = heldTurns();
    await withChats(
      [{ answerTurn: turns.answerTurn, times: { ...hasty, retryForMs: 60_000 } }],
      async (...chats) => {
        const chat = chats[0]!;
        const { session, turn } = await chat.copilot.sendMessage(viewer, ask('go'));
        const { say, finish } = await turns.of(turn);
        const watching = readToEnd(chat, session.id);
        let said = '';
        for (let index = 0; index < 30; index += 1) {
          const words = `${index} `.padEnd(300, '-');
          say(words);
          said += words;
          if (index % 3 === 0) await cutConnections(chat);
        }
        finish();
        const events = await watching;
        expect(
          ofType(events, 'TokenEvent')
            .map(({ payload }) => payload.text)
            .join(''),
        ).toBe(said);
        expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
      },
    );
  });
});

describe('shutdown', () => {
  test('lets running turns finish within the drain time and starts nothing from the queue', async () => {
    const turns = heldTurns();
    const chat = await startChat(database.url, {
      answerTurn: turns.answerTurn,
      times: { ...hasty, drainMs: 60_000 },
    });
    const first = await chat.copilot.sendMessage(viewer, ask('one'));
    const { finish, say } = await turns.of(first.turn);
    const second = await chat.copilot.sendMessage(
      viewer,
      ask('two', { sessionId: first.session.id, whenBusy: 'QUEUE' }),
    );
    const stopping = chat.runner.stop();
    expect(chat.runner.lease()).toBeNull();
    say('done in time');
    finish();
    await stopping;
    const [one, two] = await chat.copilot.byId.turns(viewer, [first.turn.id, second.turn.id]);
    expect([one?.status, two?.status]).toEqual(['COMPLETED', 'QUEUED']);
    await chat.stop();
    await withChats([{ answerTurn: tell(text('after the restart')), times: hasty }], async (...chats) => {
      expect((await ended(chats[0]!, second.turn)).status).toBe('COMPLETED');
    });
  });

  test('interrupts what is not done in time, with the text so far', async () => {
    const turns = heldTurns({ stubborn: true });
    const chat = await startChat(database.url, {
      answerTurn: turns.answerTurn,
      times: { ...hasty, drainMs: 20, graceMs: 20 },
    });
    const { turn } = await chat.copilot.sendMessage(viewer, ask('one'));
    (await turns.of(turn)).say('not finis');
    await chat.runner.stop();
    const [stopped] = await chat.copilot.byId.turns(viewer, [turn.id]);
    const [message] = await chat.copilot.byId.messages(viewer, [stopped?.answerId ?? '']);
    expect(stopped).toMatchObject({ status: 'INTERRUPTED', error: { retryable: true } });
    expect(message?.text).toBe('not finis');
    await chat.stop();
  });

  test('leaves a message that comes while it drains in line', async () => {
    const chat = await startChat(database.url, { times: hasty });
    await chat.runner.stop();
    const { turn } = await chat.copilot.sendMessage(viewer, ask('late'));
    expect(turn.status).toBe('QUEUED');
    await withChats([{ times: hasty }], async (...chats) => {
      expect((await ended(chats[0]!, turn)).status).toBe('COMPLETED');
    });
    await chat.stop();
  });
});

describe('the queue', () => {
  test('is answered in order, across a restart, one at a time', async () => {
    const turns = heldTurns();
    const chat = await startChat(database.url, { answerTurn: turns.answerTurn, times: hasty });
    const first = await chat.copilot.sendMessage(viewer, ask('0'));
    await turns.of(first.turn);
    const inSession = { sessionId: first.session.id, whenBusy: 'QUEUE' } as const;
    for (const words of ['1', '2', '3']) await chat.copilot.sendMessage(viewer, ask(words, inSession));
    await chat.stop();
    const order: string[] = [];
    let atOnce = 0;
    const answerTurn: AnswerTurn = async ({ question, ...run }) => {
      atOnce += 1;
      expect(atOnce).toBe(1);
      order.push(question.text);
      const outcome = await tell(text('ok'))({ question, ...run });
      atOnce -= 1;
      return outcome;
    };
    await withChats(
      [
        { answerTurn, times: hasty },
        { answerTurn, times: hasty },
      ],
      async (...chats) => {
        await until(() => order.length === 3);
        expect(order).toEqual(['1', '2', '3']);
        await until(() => chats.every(({ runner }) => runner.running === 0));
      },
    );
  });
});
