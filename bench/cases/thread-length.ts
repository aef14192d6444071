import { asRatio, inMicroseconds, type Bench } from '../bench.ts';
import { openChat } from '../chat.ts';
import { storeConversations } from '../conversations.ts';
import { interleave, medianOf, quantile, ratioOf } from '../rounds.ts';
import { runTurns } from '../streams.ts';
import { viewersOf } from '../viewers.ts';

const STREAMS = 8;
const LOAD = { tokens: 150, intervalMs: 20, viewersEach: 1 };
const ROUNDS = 7;

/** What a token costs in new conversations and in those of 10,000 messages. */
export const threadLength: Bench = async ({ stores, progress }) => {
  const chat = await openChat(stores);
  try {
    progress('storing conversations of 10,000 messages');
    const short = await storeConversations(chat.db, STREAMS, 10);
    const long = await storeConversations(chat.db, STREAMS, 10_000);
    const openViewers = viewersOf(chat.eventLog);
    progress(`${STREAMS} streams of ${LOAD.tokens} tokens, ${ROUNDS} rounds of two variants`);
    const runs = await interleave(ROUNDS, {
      short: () => runTurns(chat, short, LOAD, openViewers),
      long: () => runTurns(chat, long, LOAD, openViewers),
    });
    return [
      inMicroseconds(
        'processor time a token after 10 messages',
        medianOf(runs.short, (run) => run.cpuUsPerToken),
      ),
      inMicroseconds(
        'processor time a token after 10,000 messages',
        medianOf(runs.long, (run) => run.cpuUsPerToken),
      ),
      asRatio(
        'processor time, 10,000 messages against 10',
        ratioOf(runs.long, runs.short, (run) => run.cpuUsPerToken),
        1.1,
      ),
      asRatio(
        'latency p50, 10,000 messages against 10',
        ratioOf(runs.long, runs.short, ({ latenciesMs }) => quantile(latenciesMs, 0.5)),
      ),
    ];
  } finally {
    await chat.close();
  }
};
