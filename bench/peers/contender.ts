/** What is measured: a server that answers an order over HTTP, and how a client follows it. */
import { randomUUID } from 'node:crypto';
import { createClient } from 'graphql-ws';
import { z } from 'zod';
import { nowMs } from '../cpu.ts';
import { NAIVE_QUERY } from '../naive-server.ts';
import { startServed } from './processes.ts';
import { dataOf } from './sse.ts';
import { ageOf, promptOf, TOKEN_LENGTH, type Order } from './words.ts';

/** What a server does beyond streaming one answer to one client. */
export type Ability = 'calls' | 'viewers' | 'resume';

/** How one client follows an answer: its pieces of text, in order and each once. */
export type Follow = (signal: AbortSignal) => AsyncIterable<string>;

/** An answer that was ordered. */
export type Answering = {
  /** Follows it from the start; of peers without `viewers` once only. */
  readonly follow: Follow;
  /** Follows it from behind the piece that was seen last by the follower before; only with `resume`. */
  readonly resume?: Follow;
  /** Stops it; of peers by leaving, for which the follower's signal is aborted. */
  readonly stop?: () => Promise<void>;
};

/** A server under measurement. */
export type Contender = {
  readonly name: string;
  readonly abilities: readonly Ability[];
  readonly pids: () => Promise<{ readonly server: readonly number[]; readonly postgres: readonly number[] }>;
  readonly ask: (order: Order) => Promise<Answering>;
  close(): Promise<void>;
};

/** What a client got of an answer. */
export type Received = {
  readonly tokens: number;
  /** From the model to this client, of each token. */
  readonly agesMs: readonly number[];
  readonly tookMs: number;
};

/** Follows to the end. @throws Error for an answer that is not whole. */
export async function receive(follow: Follow, { tokens }: Order): Promise<Received> {
  const startedMs = nowMs();
  const agesMs: number[] = [];
  let text = '';
  for await (const piece of follow(new AbortController().signal)) {
    const atMs = nowMs();
    text += piece;
    const whole = Math.floor(text.length / TOKEN_LENGTH);
    for (let index = agesMs.length; index < whole; index += 1) {
      agesMs.push(ageOf(text, index * TOKEN_LENGTH, atMs));
    }
  }
  // Trailing white space may be cut.
  const got = Math.ceil(text.length / TOKEN_LENGTH);
  if (got !== tokens)
    throw new Error(`${got} of ${tokens} tokens came; the last text was ${text.slice(-80)}`);
  return { tokens, agesMs, tookMs: nowMs() - startedMs };
}

/** An id of one answer. */
export const newId = (): string => randomUUID().replaceAll('-', '');

/** Peers that stream text as server-sent events. */
const TEXT_PEERS = { fetch: [], openai: [], agents: ['calls'], ai: ['calls'], mastra: ['calls'] } as const;

/** Names of all peers. */
export const PEERS: readonly string[] = [...Object.keys(TEXT_PEERS), 'yoga', 'graphql-ws'];

/** Starts a peer in a process of its own. */
export async function startPeer(name: string, modelUrl: string): Promise<Contender> {
  const served = await startServed('./peer-process.ts', [name, `${modelUrl}/v1`]);
  const follow = name === 'yoga' ? yogaFollow : name === 'graphql-ws' ? socketFollow : textFollow;
  return {
    name,
    abilities: name in TEXT_PEERS ? TEXT_PEERS[name as keyof typeof TEXT_PEERS] : [],
    pids: () => Promise.resolve({ server: [served.pid], postgres: [] }),
    ask: (order) => Promise.resolve({ follow: follow(served.url, promptOf(order)) }),
    close: () => served.close(),
  };
}

function textFollow(url: string, prompt: string): Follow {
  return async function* (signal) {
    const response = await fetch(`${url}/?${new URLSearchParams({ prompt }).toString()}`, { signal });
    for await (const data of dataOf(response)) {
      if (data === '[DONE]') return;
      yield z.string().parse(JSON.parse(data));
    }
    throw new Error('the stream ended before its end');
  };
}

const naive = z.object({ data: z.object({ tokens: z.object({ text: z.string() }) }) });

function yogaFollow(url: string, id: string): Follow {
  return async function* (signal) {
    for await (const data of subscribeSse(url, { query: NAIVE_QUERY, variables: { id } }, signal)) {
      yield naive.parse(data).data.tokens.text;
    }
  };
}

function socketFollow(url: string, id: string): Follow {
  return async function* (signal) {
    const query = { query: NAIVE_QUERY, variables: { id } };
    for await (const data of subscribeSocket(url, query, signal)) yield naive.parse(data).data.tokens.text;
  };
}

const failure = z.object({ errors: z.array(z.looseObject({ message: z.string() })).min(1) });

/** A result of GraphQL. @throws Error with its errors, if it has any. */
export function succeeded(result: unknown): unknown {
  const { data } = failure.safeParse(result);
  if (data === undefined) return result;
  throw new Error(data.errors.map(({ message }) => message).join('; '));
}

type Operation = { readonly query: string; readonly variables: Readonly<Record<string, unknown>> };

/** Results of a subscription over server-sent events, as GraphQL servers send them. */
export async function* subscribeSse(url: string, operation: Operation, signal: AbortSignal): AsyncGenerator {
  const headers = { 'content-type': 'application/json', accept: 'text/event-stream' };
  const body = JSON.stringify(operation);
  const response = await fetch(`${url}/graphql`, { method: 'POST', headers, body, signal });
  for await (const data of dataOf(response)) if (data !== '') yield succeeded(JSON.parse(data));
}

/** Results of a subscription over a WebSocket of its own. */
export async function* subscribeSocket(
  url: string,
  operation: Operation,
  signal: AbortSignal,
): AsyncGenerator {
  const client = createClient({ url: `${url.replace(/^http/u, 'ws')}/graphql`, retryAttempts: 0 });
  const leave = (): void => client.terminate();
  signal.addEventListener('abort', leave, { once: true });
  try {
    for await (const result of client.iterate(operation)) yield succeeded(result);
  } finally {
    signal.removeEventListener('abort', leave);
    await client.dispose();
  }
}
