import { setTimeout as sleep } from 'node:timers/promises';
import { v4 as uuid } from 'uuid';
import type { AnswerTurn } from '../../src/agent/turn-run.ts';
import { asRatio, inMegabytes, type Bench } from '../bench.ts';
import { openChat, VIEWER } from '../chat.ts';
import type { Chat } from '../chat.ts';
import { nowMs } from '../cpu.ts';
import { memoryNow } from '../memory.ts';
import { interleave, medianOf, ratioOf } from '../rounds.ts';

const EVENTS = 5_000;
/** About a line of text and tags each, so that a queue of all of them would be 5 MB or more. */
const TEXT = 'The T1 of Q07 is 83 μs. '.repeat(40);
const ROUNDS = 5;
/** Most that the heap may grow for a reader that does not read: a page or two, and noise. */
const MAX_GROWTH_MB = 1;

type Turn = { readonly heapGrowthMb: number; readonly residentGrowthMb: number; readonly durationMs: number };

/**
 * Memory and speed of a turn of 5,000 events while one reader takes the first event and then nothing, and without it.
 */
export const stalledReader: Bench = async ({ stores, progress }) => {
  const chat = await openChat(stores, sayMuch);
  try {
    progress(`turns of ${EVENTS} events, ${ROUNDS} rounds of two variants`);
    const turns = await interleave(ROUNDS, {
      alone: () => runTurn(chat, false),
      stalled: () => runTurn(chat, true),
    });
    const extraOf = (figure: (turn: Turn) => number): number =>
      medianOf(turns.stalled, figure) - medianOf(turns.alone, figure);
    return [
      inMegabytes(
        'heap growth of a turn, all read',
        medianOf(turns.alone, (turn) => turn.heapGrowthMb),
      ),
      inMegabytes(
        'heap growth of a turn, one reader stalled',
        medianOf(turns.stalled, (turn) => turn.heapGrowthMb),
      ),
      inMegabytes(
        'heap growth for the stalled reader',
        extraOf((turn) => turn.heapGrowthMb),
        MAX_GROWTH_MB,
      ),
      inMegabytes(
        'resident memory growth, one reader stalled',
        medianOf(turns.stalled, (turn) => turn.residentGrowthMb),
      ),
      inMegabytes(
        'resident memory growth, all read',
        medianOf(turns.alone, (turn) => turn.residentGrowthMb),
      ),
      asRatio(
        'time until the other reader has all, stalled against not',
        ratioOf(turns.stalled, turns.alone, (turn) => turn.durationMs),
        1.1,
      ),
    ];
  } finally {
    await chat.close();
  }
};

/** Statuses between the texts keep the writer from merging them. */
const sayMuch: AnswerTurn = async ({ emit }) => {
  for (let index = 0; index < EVENTS / 2; index += 1) {
    emit({ type: 'text', text: TEXT });
    emit({ type: 'status', phase: 'ANSWERING', text: 'Answering' });
    if (index % 10 === 9) await sleep(1);
  }
  return {
    status: 'COMPLETED',
    model: 'bench',
    usage: null,
    rounds: 1,
    error: null,
    assessment: null,
    strippedTables: 0,
  };
};

async function runTurn(chat: Chat, isStalled: boolean): Promise<Turn> {
  const before = await memoryNow();
  const sent = await chat.copilot.sendMessage(VIEWER, { content: 'Say much.', clientMessageId: uuid() });
  const stalled = isStalled ? await takeOne(chat, sent.session.id) : null;
  const startedMs = nowMs();
  await readAll(chat.eventLog.follow(sent.session.id, 0, new AbortController().signal));
  const durationMs = nowMs() - startedMs;
  const after = await memoryNow();
  if (stalled !== null) await readAll(stalled);
  return {
    durationMs,
    heapGrowthMb: (after.heapBytes - before.heapBytes) / 1e6,
    residentGrowthMb: (after.residentBytes - before.residentBytes) / 1e6,
  };
}

async function takeOne(chat: Chat, sessionId: string) {
  const reader = chat.eventLog.follow(sessionId, 0, new AbortController().signal);
  await reader.next();
  return reader;
}

/** Reads to the end of the turn; a stalled reader does that later and must have missed nothing either. */
async function readAll(reader: ReturnType<Chat['eventLog']['follow']>): Promise<void> {
  let seq: number | null = null;
  for await (const event of reader) {
    if (seq !== null && event.seq !== seq + 1) throw new Error(`event ${seq + 1} is missing`);
    seq = event.seq;
    if (event.type !== 'TurnFinishedEvent') continue;
    if (seq < EVENTS) throw new Error(`the turn had only ${seq} events`);
    return;
  }
}
