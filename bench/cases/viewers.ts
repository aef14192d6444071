import { asCount, inMicroseconds, type Bench, type Row } from '../bench.ts';
import { openChat } from '../chat.ts';
import type { Chat } from '../chat.ts';
import { storeConversations } from '../conversations.ts';
import { interleave, medianOf, quantile } from '../rounds.ts';
import { socketViewers, startViewersProcess } from '../socket-viewers.ts';
import { runTurns } from '../streams.ts';
import type { StreamRun } from '../streams.ts';
import { viewersOf } from '../viewers.ts';
import type { OpenViewers } from '../viewers.ts';

const LOAD = { tokens: 150, intervalMs: 20 };
const ROUNDS = 5;

type Run = StreamRun & { readonly readsPerBatch: number };

/** What a token costs when 1, 10 and 100 people watch the same answer: at the log itself, and over GraphQL. */
export const viewers: Bench = async ({ stores, progress }) => {
  const process = startViewersProcess();
  const chat = await openChat(stores);
  try {
    const { url } = await chat.serve();
    progress(`${LOAD.tokens} tokens for 1, 10 and 100 viewers, ${ROUNDS} rounds`);
    const atLog = await measure(chat, 4, viewersOf(chat.eventLog));
    const overSocket = await measure(chat, 1, socketViewers(process, url));
    return [...rowsOf('followers in the process', atLog), ...rowsOf('viewers over WebSocket', overSocket)];
  } finally {
    await chat.close();
    await process.close();
  }
};

async function measure(chat: Chat, streams: number, openViewers: OpenViewers) {
  const sessions = await storeConversations(chat.db, streams, 10);
  const runWith = async (viewersEach: number): Promise<Run> => {
    chat.queries.take();
    const run = await runTurns(chat, sessions, { ...LOAD, viewersEach }, openViewers);
    const queries = chat.queries.take();
    const countOf = (name: string): number => queries.get(name)?.length ?? 0;
    return { ...run, readsPerBatch: countOf('read-events') / countOf('append-together') };
  };
  return interleave(ROUNDS, {
    one: () => runWith(1),
    ten: () => runWith(10),
    hundred: () => runWith(100),
  });
}

function rowsOf(
  who: string,
  runs: Readonly<Record<'one' | 'ten' | 'hundred', readonly Run[]>>,
): readonly Row[] {
  const { one, ten, hundred } = runs;
  const cpuRow = (count: number, of: readonly Run[]): Row =>
    inMicroseconds(
      `processor time a token, ${count} ${who}`,
      medianOf(of, (run) => run.cpuUsPerToken),
    );
  const perViewer = hundred.flatMap((run, round) => {
    const single = one[round];
    return single === undefined ? [] : [(run.cpuUsPerToken - single.cpuUsPerToken) / 99];
  });
  const readsOf = (of: readonly Run[]): number => medianOf(of, (run) => run.readsPerBatch);
  return [
    cpuRow(1, one),
    cpuRow(10, ten),
    cpuRow(100, hundred),
    inMicroseconds(`of that, for each of the ${who}`, quantile(perViewer, 0.5), 5),
    asCount(`reads of the log a commit, 100 ${who}`, readsOf(hundred)),
  ];
}
