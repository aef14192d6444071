/** QPilot as its users start it, with stores of its own, in a process of its own; its model is the fake one. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import {
  newId,
  subscribeSocket,
  subscribeSse,
  succeeded,
  type Answering,
  type Contender,
  type Follow,
} from './contender.ts';
import { failed, postgresOf, startScript, stop } from './processes.ts';
import { promptOf, type Order } from './words.ts';

const root = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** A server that runs. */
export type QPilot = { readonly contenders: readonly Contender[]; close(): Promise<void> };

/** Starts it with the demo chip and offers it once for each transport. */
export async function startQPilot(modelUrl: string): Promise<QPilot> {
  const dataDir = await mkdtemp(join(tmpdir(), 'qpilot-peers-'));
  const child = startScript(root('src/main.ts'), [], {
    cwd: root('.'),
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      NODE_ENV: 'production',
      EMBEDDED: '1',
      PORT: '0',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
      OPENAI_BASE_URL: `${modelUrl}/v1`,
      COPILOT_MODEL: 'paced',
      QPILOT_CONFIG: await settingsIn(dataDir),
    },
  });
  const url = await Promise.race([addressOf(child.stdout), failed(child)]);
  const pids = async () => ({ server: [child.pid ?? 0], postgres: await postgresOf(dataDir) });
  const over = (name: string, subscribe: typeof subscribeSse): Contender => ({
    name,
    abilities: ['calls', 'viewers', 'resume'],
    pids,
    ask: (order) => ask(url, order, subscribe),
    close: () => Promise.resolve(),
  });
  return {
    contenders: [over('QPilot, SSE', subscribeSse), over('QPilot, WebSocket', subscribeSocket)],
    async close() {
      await stop(child);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

const settings = z.looseObject({ limits: z.looseObject({ turn: z.looseObject({}) }) });

/** The shipped settings without limits on how much one user asks. */
async function settingsIn(folder: string): Promise<string> {
  const { limits, ...others } = settings.parse(parse(await readFile(root('config/qpilot.yaml'), 'utf8')));
  const lifted = {
    ...limits,
    messagesPerMinute: 1_000_000,
    turnsPerUser: 1000,
    turnsAtOnce: 1000,
    userTokensPerDay: 1_000_000_000,
    projectTokensPerDay: 1_000_000_000,
    turn: { ...limits.turn, tokens: 10_000_000, outputTokens: 100_000 },
  };
  const file = join(folder, 'settings.yaml');
  await writeFile(file, stringify({ ...others, limits: lifted }));
  return file;
}

async function addressOf(output: Readable | null): Promise<string> {
  if (output === null) throw new Error('the server has no output');
  let text = '';
  for await (const part of output.iterator({ destroyOnReturn: false })) {
    text += String(part);
    const [, url] = /QPilot is ready: (\S+)/u.exec(text) ?? [];
    if (url !== undefined) {
      output.resume();
      return url;
    }
  }
  throw new Error(`the server ended: ${text}`);
}

const SEND = `mutation ($input: SendMessageInput!) { sendMessage(input: $input) {
  __typename ... on SendMessagePayload { session { id } turn { id } lastSeq } ... on UserError { message } } }`;
const CANCEL = `mutation ($input: CancelTurnInput!) { cancelTurn(input: $input) { __typename } }`;
const EVENTS = `subscription ($sessionId: ID!, $afterSeq: Int) { copilotEvents(sessionId: $sessionId, afterSeq: $afterSeq) {
  __typename ... on SequencedEvent { seq } ... on TokenEvent { text } ... on StepResetEvent { reason }
  ... on TurnFinishedEvent { status: turnStatus error { message } } } }`;

const sent = z.object({
  data: z.object({
    sendMessage: z.object({
      session: z.object({ id: z.string() }),
      turn: z.object({ id: z.string() }),
      lastSeq: z.number(),
    }),
  }),
});
const event = z.object({
  data: z.object({
    copilotEvents: z.object({
      __typename: z.string(),
      seq: z.number(),
      text: z.string().optional(),
      status: z.string().optional(),
      error: z.object({ message: z.string() }).nullish(),
    }),
  }),
});

async function ask(url: string, order: Order, subscribe: typeof subscribeSse): Promise<Answering> {
  const input = {
    content: promptOf(order),
    clientMessageId: newId(),
    chipId: 'demo-64',
    sessionId: null,
    model: 'paced',
  };
  const { session, turn, lastSeq } = sent.parse(await mutate(url, SEND, { input })).data.sendMessage;
  let seen = lastSeq;
  const follow = (start: () => number): Follow =>
    async function* (signal) {
      const variables = { sessionId: session.id, afterSeq: start() };
      for await (const result of subscribe(url, { query: EVENTS, variables }, signal)) {
        const { __typename, seq, text, status, error } = event.parse(result).data.copilotEvents;
        if (__typename === 'TurnFinishedEvent') {
          if (status === 'COMPLETED') return;
          throw new Error(`the turn ended ${status}: ${error?.message ?? ''}`);
        }
        if (__typename === 'StepResetEvent') throw new Error('a step was begun anew');
        if (__typename !== 'TokenEvent' || text === undefined) continue;
        seen = seq;
        yield text;
      }
    };
  return {
    follow: follow(() => lastSeq),
    resume: follow(() => seen),
    stop: async () => void (await mutate(url, CANCEL, { input: { turnId: turn.id } })),
  };
}

async function mutate(url: string, query: string, variables: object): Promise<unknown> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ query, variables });
  return succeeded(await (await fetch(`${url}/graphql`, { method: 'POST', headers, body })).json());
}
