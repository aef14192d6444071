import { inMs, type Bench } from '../bench.ts';
import { openChat, VIEWER, type Chat } from '../chat.ts';
import { storeConversations } from '../conversations.ts';
import { countPostgresCpu, cpuUsOf, nowMs } from '../cpu.ts';
import { medianOf, quantile } from '../rounds.ts';
import { viewersOf } from '../viewers.ts';

/** One after the other, each in a conversation of ten messages. */
const TURNS = 20;
const ROUNDS = 5;
const TOKENS = 2;
const GOAL_MS = 15;

/** What a turn takes beside its words: two tokens that come at once, from the message to the end that its viewer sees. */
export const turnCost: Bench = async ({ stores, progress }) => {
  const chat = await openChat(stores);
  try {
    progress(`${TURNS} turns of ${TOKENS} tokens, ${ROUNDS} rounds`);
    const rounds: Awaited<ReturnType<typeof runRound>>[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const run = await runRound(chat, await storeConversations(chat.db, TURNS, 10));
      if (round > 0) rounds.push(run); // the first one warms caches and compilers up
    }
    return [
      inMs(
        'processor time of a turn, Postgres included',
        medianOf(rounds, ({ serverMs, postgresMs }) => serverMs + postgresMs),
        GOAL_MS,
      ),
      inMs(
        'of that the server',
        medianOf(rounds, ({ serverMs }) => serverMs),
      ),
      inMs(
        'of that Postgres',
        medianOf(rounds, ({ postgresMs }) => postgresMs),
      ),
      inMs(
        'from the message to the question to the model, p50',
        medianOf(rounds, ({ askedMs }) => quantile(askedMs, 0.5)),
      ),
      inMs(
        'from the message to the end, p50',
        medianOf(rounds, ({ endedMs }) => quantile(endedMs, 0.5)),
      ),
    ];
  } finally {
    await chat.close();
  }
};

async function runRound(chat: Chat, sessionIds: readonly string[]) {
  const askedMs: number[] = [];
  const endedMs: number[] = [];
  const postgresUs = await countPostgresCpu(chat.db);
  const serverUs = await cpuUsOf(async () => {
    for (const sessionId of sessionIds) {
      const startedAt = nowMs();
      chat.model.plan(sessionId, {
        pace: { tokens: TOKENS, intervalMs: 0, startAtMs: Promise.resolve(0) },
        onAsked: () => askedMs.push(nowMs() - startedAt),
        onToken: () => undefined,
      });
      const { lastSeq } = await chat.copilot.sendMessage(VIEWER, {
        sessionId,
        content: 'How is the chip?',
        clientMessageId: crypto.randomUUID(),
      });
      const { ended } = await viewersOf(chat.eventLog)([{ sessionId, afterSeq: lastSeq }], 1);
      await ended;
      endedMs.push(nowMs() - startedAt);
    }
  });
  const turns = sessionIds.length;
  return {
    serverMs: serverUs / 1_000 / turns,
    postgresMs: (await postgresUs()) / 1_000 / turns,
    askedMs,
    endedMs,
  };
}
