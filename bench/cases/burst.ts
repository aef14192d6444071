import { asCount, inMicroseconds, inMs, type Bench } from '../bench.ts';
import { openChat, type Chat } from '../chat.ts';
import { storeConversations } from '../conversations.ts';
import { nowMs } from '../cpu.ts';
import { medianOf } from '../rounds.ts';
import { runTurns } from '../streams.ts';
import { viewersOf } from '../viewers.ts';

const LOAD = { tokens: 20_000, intervalMs: 0, viewersEach: 1 };
const ROUNDS = 3;

/** What others notice of one answer that comes at once: a model in the next room, or one whose provider gathers. */
export const burst: Bench = async ({ stores, progress }) => {
  const chat = await openChat(stores);
  try {
    const { url } = await chat.serve();
    const sessions = await storeConversations(chat.db, 1, 10);
    progress(`one answer of ${LOAD.tokens} tokens without a pause, ${ROUNDS} rounds`);
    const runs: Awaited<ReturnType<typeof runBurst>>[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const run = await runBurst(chat, sessions, `${url}/health`);
      if (round > 0) runs.push(run);
    }
    return [
      inMs(
        'longest wait of another request meanwhile',
        medianOf(runs, (run) => run.longestMs),
        100,
      ),
      asCount(
        'other requests answered meanwhile, one after the other',
        medianOf(runs, (run) => run.answered),
      ),
      inMs(
        'first word, from the model to a follower in the process',
        medianOf(runs, (run) => run.firstWordMs),
        30,
      ),
      inMicroseconds(
        'processor time a token',
        medianOf(runs, (run) => run.cpuUsPerToken),
        20,
      ),
      inMicroseconds(
        'processor time of Postgres a token, beside it',
        medianOf(runs, (run) => run.postgresUsPerToken),
      ),
    ];
  } finally {
    await chat.close();
  }
};

async function runBurst(chat: Chat, sessions: readonly string[], url: string) {
  let isOver = false;
  let answered = 0;
  let longestMs = 0;
  const asking = (async () => {
    while (!isOver) {
      const askedMs = nowMs();
      await (await fetch(url)).arrayBuffer();
      longestMs = Math.max(longestMs, nowMs() - askedMs);
      answered += 1;
    }
  })();
  const run = await runTurns(chat, sessions, LOAD, viewersOf(chat.eventLog));
  isOver = true;
  await asking;
  return { ...run, answered, longestMs, firstWordMs: run.latenciesMs[0] ?? Number.NaN };
}
