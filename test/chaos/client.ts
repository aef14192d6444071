/** Clients as a front end has them: requests that give up and try another server, and followers that resume. */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { Random } from './random.ts';

/** How long a client waits for an answer before it tries another server. */
const PATIENCE_MS = 4_000;

/** What a request was answered: its data, or why there is none. */
export type Answered<Data> =
  | { readonly data: Data; readonly problem: null }
  /** `code` of the API, or null where nothing answered. */
  | { readonly data: null; readonly problem: { readonly code: string | null; readonly message: string } };

/** Sends one operation. Never rejects. */
export async function ask<Data>(url: string, query: string, variables: object): Promise<Answered<Data>> {
  try {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const { data, errors } = (await response.json()) as {
      readonly data?: Data | null;
      readonly errors?: readonly {
        readonly message: string;
        readonly extensions?: { readonly code?: string };
      }[];
    };
    const [error] = errors ?? [];
    if (error)
      return { data: null, problem: { code: error.extensions?.code ?? 'NONE', message: error.message } };
    if (data) return { data, problem: null };
    return { data: null, problem: { code: 'NONE', message: `status ${response.status} without data` } };
  } catch (error) {
    return { data: null, problem: { code: null, message: String(error) } };
  }
}

/** One event in the form in which views and log are compared. */
export type SeenEvent = { readonly seq: number; readonly line: string };

/** A follower of one session, which resumes from the last event that it has at another server after each loss. */
export type Follower = {
  readonly sessionId: string;
  readonly seen: readonly SeenEvent[];
  /** Events that did not come right after the one before: gaps and doubles. */
  readonly outOfOrder: readonly string[];
  /** Loses its connection without a word. */
  drop(): void;
  stop(): Promise<void>;
};

const FIELDS = `{ __typename ... on SequencedEvent { seq turnId } ... on TokenEvent { text offset }
  ... on StepResetEvent { keepUntilOffset } ... on TurnFinishedEvent { turnStatus } }`;
const EVENTS = {
  chat: `subscription ($id: ID!, $afterSeq: Int!) { events: copilotEvents(sessionId: $id, afterSeq: $afterSeq) ${FIELDS} }`,
  job: `subscription ($id: ID!, $afterSeq: Int!) { events: jobEvents(jobId: $id, afterSeq: $afterSeq) ${FIELDS} }`,
};

type Event = {
  readonly __typename: string;
  readonly seq: number;
  readonly turnId: string;
  readonly text?: string;
  readonly offset?: number;
  readonly keepUntilOffset?: number;
  readonly turnStatus?: string;
};

/** An event as views and the stored log are compared. */
export const lineOf = (type: string, turn: string, more: readonly (string | number | undefined)[]): string =>
  [type, turn, ...more.filter((each) => each !== undefined)].join('|');

/** The row's id behind an id of the API. */
export const uuidOf = (id: string): string => Buffer.from(id, 'base64url').toString().split(':').at(-1) ?? '';

/** Follows from the first event on; `over` is WebSocket or server-sent events. */
export function follow(
  kind: keyof typeof EVENTS,
  id: string,
  { urls, random, over }: { urls: readonly string[]; random: Random; over: 'ws' | 'sse' },
): Follower {
  const seen: SeenEvent[] = [];
  const outOfOrder: string[] = [];
  let connection = new AbortController();
  const stopped = new AbortController();
  const take = ({ __typename, seq, turnId, text, offset, keepUntilOffset, turnStatus }: Event): void => {
    const before = seen.at(-1)?.seq ?? 0;
    if (seq !== before + 1)
      outOfOrder.push(`${over} follower of ${kind} ${uuidOf(id)}: ${seq} after ${before}`);
    seen.push({ seq, line: lineOf(__typename, uuidOf(turnId), [text, offset, keepUntilOffset, turnStatus]) });
  };
  const done = (async () => {
    while (!stopped.signal.aborted) {
      connection = new AbortController();
      const variables = { id, afterSeq: seen.at(-1)?.seq ?? 0 };
      const open = over === 'ws' ? overSocket : overSse;
      await open(random.pick(urls), { query: EVENTS[kind], variables }, take, connection.signal).catch(
        () => undefined,
      );
      await sleep(50);
    }
  })();
  return {
    sessionId: uuidOf(id),
    seen,
    outOfOrder,
    drop: () => connection.abort(),
    async stop() {
      stopped.abort();
      connection.abort();
      await done;
    },
  };
}

type Operation = { readonly query: string; readonly variables: object };
type Payload = { readonly data?: { readonly events?: Event } | null };

/** Until the connection is lost, by whichever side. */
async function overSocket(
  url: string,
  payload: Operation,
  take: (event: Event) => void,
  lost: AbortSignal,
): Promise<void> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', {
    handshakeTimeout: PATIENCE_MS,
  });
  const terminate = (): void => socket.terminate();
  lost.addEventListener('abort', terminate);
  socket.on('error', terminate);
  socket.on('open', () => socket.send(JSON.stringify({ type: 'connection_init' })));
  socket.on('message', (data: Buffer) => {
    if (lost.aborted) return;
    const message = JSON.parse(data.toString()) as { readonly type: string; readonly payload?: Payload };
    if (message.type === 'connection_ack')
      socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload }));
    else if (message.type === 'ping') socket.send(JSON.stringify({ type: 'pong' }));
    else if (message.type === 'next' && message.payload?.data?.events) take(message.payload.data.events);
    else if (message.type !== 'pong') terminate();
  });
  await once(socket, 'close');
}

async function overSse(
  url: string,
  operation: Operation,
  take: (event: Event) => void,
  lost: AbortSignal,
): Promise<void> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify(operation),
    signal: lost,
  });
  let rest = '';
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (!line.startsWith('data: {') || lost.aborted) continue;
      const { data } = JSON.parse(line.slice('data: '.length)) as Payload;
      if (data?.events) take(data.events);
      else return;
    }
  }
}
