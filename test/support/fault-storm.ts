import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import type { AnswerTurn } from '../../src/agent/turn-run.ts';
import { SessionBusyError } from '../../src/base/errors.ts';
import type { SentMessage } from '../../src/services/copilot/start-turn.ts';
import type { SendMessageInput } from '../../src/services/copilot/send-message.ts';
import { completed, text, toolEnd, toolStart } from './activities.ts';
import { ask, startChat, viewer } from './chat.ts';
import type { Chat } from './chat.ts';
import { faultsOf, readLog, subscribe } from './transcripts.ts';
import { until } from '@qpilot/test-support';

/** Something that goes wrong; numbers pick a subscriber or a session. */
const fault = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant('drop' as const), who: fc.nat(99) }) },
  {
    weight: 4,
    arbitrary: fc.record({ type: fc.constant('stall' as const), who: fc.nat(99), ms: fc.nat(60) }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('cut-connections' as const) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('cancel' as const), who: fc.nat(99) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('supersede' as const), who: fc.nat(99) }) },
);

/** What came out of a storm; `wrong` is empty if every promise of the log was kept. */
export type StormReport = {
  readonly wrong: readonly string[];
  readonly events: number;
  readonly turns: number;
};

/** How hard it blows. The same seed gives the same faults, though not the same moments. */
export type Storm = { readonly seed: number; readonly faults: number; readonly subscribers: number };

const SESSIONS = 4;

/**
 * Runs turns in a few sessions on two servers while connections break, subscribers leave, stall and come back, and
 * turns are cancelled; then compares what every subscriber saw with the log.
 */
export async function faultStorm(url: string, { seed, faults, subscribers }: Storm): Promise<StormReport> {
  const [plan = []] = fc.sample(fc.array(fault, { minLength: faults, maxLength: faults }), {
    seed,
    numRuns: 1,
  });
  const times = { leaseMs: 30_000, sweepMs: 200, retryForMs: 30_000, drainMs: 30_000 };
  const a = await startChat(url, { answerTurn: chatter, times });
  const b = await startChat(url, { answerTurn: chatter, times });
  const servers = [a, b];
  try {
    const asked = new Set<string>();
    const say = async (input: SendMessageInput, index: number): Promise<SentMessage> => {
      asked.add(input.clientMessageId);
      return sendUntilTaken(servers[index % 2] ?? a, input);
    };
    const sessions = await Promise.all(
      Array.from({ length: SESSIONS }, async (_, index) => (await say(ask(`${index}`), index)).session.id),
    );
    const readers = Array.from({ length: subscribers }, (_, index) => {
      let server = index;
      return subscribe(() => servers[server++ % 2] ?? a, sessions[index % SESSIONS] ?? '');
    });
    for (const [index, one] of plan.entries()) {
      const who = 'who' in one ? one.who : 0;
      const sessionId = sessions[who % SESSIONS] ?? '';
      switch (one.type) {
        case 'drop':
          readers[who % readers.length]?.drop();
          break;
        case 'stall':
          readers[who % readers.length]?.stall(one.ms);
          break;
        case 'cut-connections':
          await cutConnections(a);
          break;
        case 'cancel':
          await cancelActive(b, sessionId);
          break;
        case 'supersede':
          await say(ask(`${index}`, { sessionId, whenBusy: 'SUPERSEDE' }), index).catch(ignoreBusy);
          break;
        default:
          one satisfies never;
      }
      await keepBusy(say, sessions, index);
      await sleep(2);
    }
    return await compare(a, servers, sessions, readers, asked.size);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

/** A turn that talks, uses tools, is cut off in mid-character, and sometimes fails. */
const chatter: AnswerTurn = async ({ emit, signal, question }) => {
  const number = Number(question.text);
  for (let step = 0; step < 12; step += 1) {
    signal.throwIfAborted();
    emit(text(`step ${step} of ${number} \uD83D`));
    if (step % 4 === 1) emit(toolStart(`call ${step}`));
    emit(text('\uDE00 and so on. '));
    if (step % 4 === 3) emit(toolEnd(`call ${step - 2}`));
    if (step === 6) emit({ type: 'reset', keepUntilOffset: 10, reason: 'the stream broke' });
    await sleep(3);
  }
  if (number % 7 === 3) throw new Error('a bug');
  return completed;
};

/** A client that does not know whether its message arrived sends it again, under the same id. */
async function sendUntilTaken({ copilot }: Chat, input: SendMessageInput): Promise<SentMessage> {
  return until(
    async () => {
      try {
        return await copilot.sendMessage(viewer, input);
      } catch (error) {
        if (error instanceof SessionBusyError) throw error;
        return null;
      }
    },
    { what: 'a message to be taken' },
  );
}

const ignoreBusy = (error: unknown): void => {
  if (!(error instanceof SessionBusyError)) throw error;
};

async function keepBusy(
  say: (input: SendMessageInput, index: number) => Promise<SentMessage>,
  sessions: readonly string[],
  index: number,
): Promise<void> {
  const sessionId = sessions[index % sessions.length] ?? '';
  if (index % 5 === 0) await say(ask(`${index}`, { sessionId, whenBusy: 'QUEUE' }), index).catch(ignoreBusy);
}

async function cancelActive({ copilot }: Chat, sessionId: string): Promise<void> {
  try {
    const [turn] = await copilot.activeTurns(viewer, [sessionId]);
    if (turn) await copilot.cancelTurn(viewer, { turnId: turn.id });
  } catch {
    // its connection may just have been cut; a cancel that failed is one that was not asked for
  }
}

/** Ends every connection to the database but the one that asks. */
export async function cutConnections({ pool }: Chat): Promise<void> {
  await pool
    .query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
    .catch(() => undefined); // one cut may end the connection that does the next
}

async function compare(
  chat: Chat,
  servers: readonly Chat[],
  sessions: readonly string[],
  readers: readonly ReturnType<typeof subscribe>[],
  asked: number,
): Promise<StormReport> {
  await until(
    async () => {
      const active = await chat.copilot.activeTurns(viewer, sessions);
      return active.every((turn) => turn === null) && servers.every(({ runner }) => runner.running === 0);
    },
    { what: 'the end of every turn' },
  );
  const wrong: string[] = [];
  let events = 0;
  const turns = new Set<string>();
  for (const sessionId of sessions) {
    const log = await readLog(chat, sessionId);
    events += log.length;
    for (const { turnId } of log) turns.add(turnId);
    wrong.push(...(await faultsOf(chat, log)));
    const expected = log.map((event) => JSON.stringify(event));
    for (const reader of readers.filter((one) => one.sessionId === sessionId)) {
      await until(() => reader.lastSeq >= log.length, { what: 'a subscriber to catch up' }).catch(
        () => undefined,
      );
      await reader.stop();
      if (reader.seen.join('\n') !== expected.join('\n')) {
        wrong.push(
          `a subscriber saw ${reader.seen.length} events that are not the ${expected.length} of the log`,
        );
      }
    }
  }
  if (turns.size > asked) wrong.push(`${asked} messages became ${turns.size} turns`);
  return { wrong, events, turns: turns.size };
}
