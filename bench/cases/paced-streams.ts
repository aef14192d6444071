import { Client } from 'pg';
import { asCount, asRatio, inMicroseconds, inMs, type Bench, type Row } from '../bench.ts';
import { openChat } from '../chat.ts';
import { storeConversations } from '../conversations.ts';
import { nowMs } from '../cpu.ts';
import { NAIVE_QUERY, startNaiveServer } from '../naive-server.ts';
import { pacedTokens } from '../paced-model.ts';
import { interleave, medianOf, quantile, ratioOf } from '../rounds.ts';
import { socketViewers, startViewersProcess } from '../socket-viewers.ts';
import type { ViewersProcess } from '../socket-viewers.ts';
import { PacedRun, runTurns } from '../streams.ts';
import type { StreamRun } from '../streams.ts';
import { viewersOf } from '../viewers.ts';

const STREAMS = 20;
const LOAD = { tokens: 150, intervalMs: 20, viewersEach: 1 };
const ROUNDS = 5;

type Run = StreamRun & { readonly queries: ReadonlyMap<string, readonly number[]> };

/**
 * Twenty answers at once at the speed of a language model: through agent loop and log to followers in the process, the
 * same over GraphQL, and through the naive subscription. Latencies and processor time of the three.
 */
export const pacedStreams: Bench = async ({ stores, progress }) => {
  const viewers = startViewersProcess();
  const chat = await openChat(stores);
  try {
    const { url } = await chat.serve();
    const sessions = await storeConversations(chat.db, STREAMS, 10);
    const turns = async (openViewers: Parameters<typeof runTurns>[3]): Promise<Run> => {
      chat.queries.take();
      const run = await runTurns(chat, sessions, LOAD, openViewers);
      return { ...run, queries: chat.queries.take() };
    };
    progress(`${STREAMS} streams of ${LOAD.tokens} tokens, ${ROUNDS} rounds of four variants`);
    const commits: number[] = [];
    const { naive, log, graphql } = await interleave(ROUNDS, {
      naive: () => runNaive(viewers),
      log: () => turns(viewersOf(chat.eventLog)),
      graphql: () => turns(socketViewers(viewers, url)),
      commit: async (): Promise<Run> => {
        commits.push(...(await commitTimes(stores.postgresUrl)));
        return { cpuUsPerToken: 0, postgresUsPerToken: 0, latenciesMs: [], queries: new Map() };
      },
    });
    return [
      ...latencyRows('naive subscription', naive, false),
      ...latencyRows('loop, log, follower in the process', log, false),
      ...latencyRows('loop, log, GraphQL over WebSocket', graphql, true),
      ...databaseRows(graphql),
      inMs('one row committed, alone on the database, p50', quantile(commits, 0.5)),
      ...cpuRows({ naive, log, graphql }),
    ];
  } finally {
    await chat.close();
    await viewers.close();
  }
};

async function runNaive(viewers: ViewersProcess): Promise<Run> {
  const run = new PacedRun(STREAMS, LOAD);
  const ids = Array.from({ length: STREAMS }, (_, index) => String(index));
  const streams = new Map(ids.map((id) => [id, run.addStream(id)]));
  const server = await startNaiveServer((id) => {
    const stream = streams.get(id);
    if (stream === undefined) throw new Error(`there is no stream ${id}`);
    return pacedTokens(stream.pace, stream.onToken);
  });
  try {
    const { ended } = await viewers.watch({
      url: server.url,
      query: NAIVE_QUERY,
      streams: ids.map((id) => ({ id, variables: { id } })),
      each: LOAD.viewersEach,
    });
    return { ...(await run.measure(ended)), queries: new Map() };
  } finally {
    await server.close();
  }
}

/** What the disk and Postgres take for the smallest durable thing, one after the other. */
async function commitTimes(url: string): Promise<number[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('create table if not exists bench_commits (at timestamptz)');
    const times: number[] = [];
    for (let count = 0; count < 50; count += 1) {
      const startedMs = nowMs();
      await client.query('insert into bench_commits values (now())');
      times.push(nowMs() - startedMs);
    }
    return times;
  } finally {
    await client.end();
  }
}

function latencyRows(path: string, runs: readonly Run[], isLimited: boolean): Row[] {
  return (
    [
      [0.5, 'p50', 25],
      [0.99, 'p99', 30],
    ] as const
  ).map(([share, name, limit]) =>
    inMs(
      `model to viewer, ${path}, ${name}`,
      medianOf(runs, ({ latenciesMs }) => quantile(latenciesMs, share)),
      isLimited ? limit : null,
    ),
  );
}

function databaseRows(runs: readonly Run[]): Row[] {
  const rowsOf = (name: string, what: string): Row[] =>
    [0.5, 0.99].map((share) =>
      inMs(
        `of that ${what}, p${share * 100}`,
        medianOf(runs, ({ queries }) => quantile(queries.get(name) ?? [], share)),
      ),
    );
  return [...rowsOf('append-together', 'storing batches'), ...rowsOf('read-events', 'reading it')];
}

function cpuRows({ naive, log, graphql }: Record<'naive' | 'log' | 'graphql', readonly Run[]>): Row[] {
  const cpu = (run: Run): number => run.cpuUsPerToken;
  return [
    inMicroseconds('processor time a token, naive subscription', medianOf(naive, cpu)),
    inMicroseconds('processor time a token, loop and log', medianOf(log, cpu)),
    inMicroseconds('processor time a token, loop, log and GraphQL', medianOf(graphql, cpu)),
    inMicroseconds(
      'processor time of Postgres a token, beside it',
      medianOf(graphql, (run) => run.postgresUsPerToken),
    ),
    inMicroseconds(
      'processor time a token, all of it',
      medianOf(graphql, (run) => run.cpuUsPerToken + run.postgresUsPerToken),
      150,
    ),
    asRatio('loop, log and GraphQL against the naive subscription', ratioOf(graphql, naive, cpu), 1.5),
    asCount(
      'commits a token',
      medianOf(
        graphql,
        ({ queries }) => (queries.get('append-together')?.length ?? 0) / (STREAMS * LOAD.tokens),
      ),
    ),
    asCount(
      'reads of the log a token',
      medianOf(graphql, ({ queries }) => (queries.get('read-events')?.length ?? 0) / (STREAMS * LOAD.tokens)),
    ),
  ];
}
