import { inMicroseconds, inMs, type Bench } from '../bench.ts';
import { openChat } from '../chat.ts';
import { storeConversations } from '../conversations.ts';
import { medianOf, quantile } from '../rounds.ts';
import { socketViewers, startViewersProcess } from '../socket-viewers.ts';
import { runTurns, type StreamRun } from '../streams.ts';

const STREAMS = 200;
/** 50 tokens a second, as large models in the cloud write, for four seconds. */
const LOAD = { tokens: 200, intervalMs: 20, viewersEach: 1 };
const ROUNDS = 3;
const GOAL_P99_MS = 250;

/** Two hundred answers at once, each with a viewer over WebSocket in another process. */
export const manyStreams: Bench = async ({ stores, progress }) => {
  const viewers = startViewersProcess();
  const chat = await openChat(stores);
  try {
    const { url } = await chat.serve();
    const sessions = await storeConversations(chat.db, STREAMS, 10);
    progress(`${STREAMS} streams of ${LOAD.tokens} tokens, ${ROUNDS} rounds`);
    const runs: StreamRun[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const run = await runTurns(chat, sessions, LOAD, socketViewers(viewers, url));
      if (round > 0) runs.push(run); // the first one warms caches and compilers up
    }
    const latency = (share: number) => medianOf(runs, ({ latenciesMs }) => quantile(latenciesMs, share));
    return [
      inMs('model to viewer, p50', latency(0.5)),
      inMs('model to viewer, p99', latency(0.99), GOAL_P99_MS),
      inMicroseconds(
        'processor time a token',
        medianOf(runs, (run) => run.cpuUsPerToken),
      ),
      inMicroseconds(
        'processor time of Postgres a token, beside it',
        medianOf(runs, (run) => run.postgresUsPerToken),
      ),
    ];
  } finally {
    await chat.close();
    await viewers.close();
  }
};
