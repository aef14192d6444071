/** What is measured, case by case. Each gives a row for every contender that can do it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { nowMs } from '../cpu.ts';
import { quantile } from '../rounds.ts';
import { newId, receive, type Ability, type Contender, type Received } from './contender.ts';
import { usageOf, usedUs } from './processes.ts';
import { TOKEN_LENGTH, type Order } from './words.ts';

/** Figures of one run of one contender; null where there is no such figure. */
export type Figures = {
  readonly serverUsPerToken: number | null;
  readonly postgresUsPerToken: number | null;
  /** From the model to the client, of every token. */
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
  /** Until the last client has the last token; of resume and stop, until it took effect. */
  readonly wallMs: number;
};

/** A case is one point of a curve: `tokens` in all are streamed where there are `size` of `of`. */
export type CurvePoint = {
  readonly of: 'tokens of one answer' | 'answers at once' | 'viewers of one answer';
  readonly size: number;
  readonly tokens: number;
};

/** A case; `needs` is what not all contenders can do. */
export type Case = {
  readonly name: string;
  readonly what: string;
  readonly needs: Ability | null;
  readonly point: CurvePoint | null;
  readonly run: (contender: Contender, modelUrl: string) => Promise<Figures>;
};

const fate = z.object({ abandonedAtMs: z.number().nullable(), calls: z.number() });

/** What the model says became of an order. */
const fateOf = async (id: string, modelUrl: string) =>
  fate.parse(await (await fetch(`${modelUrl}/?order=${id}`)).json());

type Load = Omit<Order, 'id'> & { readonly streams: number; readonly viewers: number };

/** Processor time of a server and its Postgres while `work` runs. */
async function measured<Result>({ pids }: Contender, work: () => Promise<Result>) {
  const usage = async () => {
    const { server, postgres } = await pids();
    return {
      hasPostgres: postgres.length > 0,
      server: await usageOf(server),
      postgres: await usageOf(postgres),
    };
  };
  const before = await usage();
  const result = await work();
  const after = await usage();
  return {
    result,
    serverUs: usedUs(before.server, after.server),
    postgresUs: after.hasPostgres ? usedUs(before.postgres, after.postgres) : null,
  };
}

async function stream(
  contender: Contender,
  modelUrl: string,
  { streams, viewers, ...order }: Load,
): Promise<Figures> {
  const startedMs = nowMs();
  const one = async (): Promise<readonly Received[]> => {
    const own = { ...order, id: newId() };
    const { follow } = await contender.ask(own);
    const received = await Promise.all(Array.from({ length: viewers }, () => receive(follow, own)));
    const { calls } = await fateOf(own.id, modelUrl);
    if (calls !== own.calls) throw new Error(`${calls} of ${own.calls} tool calls were made`);
    return received;
  };
  const { result, serverUs, postgresUs } = await measured(contender, () =>
    Promise.all(Array.from({ length: streams }, one)),
  );
  const all = result.flat();
  const tokens = streams * order.tokens;
  const ages = all.flatMap(({ agesMs }) => agesMs);
  return {
    serverUsPerToken: serverUs / tokens,
    postgresUsPerToken: postgresUs === null ? null : postgresUs / tokens,
    p50Ms: quantile(ages, 0.5),
    p99Ms: quantile(ages, 0.99),
    wallMs: nowMs() - startedMs,
  };
}

function streaming(
  name: string,
  what: string,
  load: Partial<Load>,
  { needs, along }: { readonly needs?: Ability; readonly along?: 'tokens' | 'streams' | 'viewers' } = {},
): Case {
  const whole = { streams: 1, viewers: 1, tokens: 300, intervalMs: 0, calls: 0, ...load };
  const point = along && { of: CURVES[along], size: whole[along], tokens: whole.streams * whole.tokens };
  return {
    name,
    what,
    needs: needs ?? null,
    point: point ?? null,
    run: (contender, modelUrl) => stream(contender, modelUrl, whole),
  };
}

const CURVES = {
  tokens: 'tokens of one answer',
  streams: 'answers at once',
  viewers: 'viewers of one answer',
} as const;

/** Reads until so many characters came, then leaves. */
async function readSome(follow: (signal: AbortSignal) => AsyncIterable<string>, length: number) {
  const leaving = new AbortController();
  let text = '';
  let leftAtMs = 0;
  for await (const piece of follow(leaving.signal)) {
    text += piece;
    leftAtMs = nowMs();
    if (text.length >= length) break;
  }
  leaving.abort();
  return { text, leftAtMs };
}

const only = (wallMs: number): Figures => ({
  serverUsPerToken: null,
  postgresUsPerToken: null,
  p50Ms: null,
  p99Ms: null,
  wallMs,
});

/** From the second connection until the first text that was missed; what came must be whole. */
async function resume(contender: Contender): Promise<Figures> {
  const order = { id: newId(), tokens: 300, intervalMs: 10, calls: 0 };
  const answering = await contender.ask(order);
  const { text: before } = await readSome(answering.follow, 100 * TOKEN_LENGTH);
  await sleep(500);
  const startedMs = nowMs();
  let [after, firstMs] = ['', 0];
  for await (const piece of answering.resume?.(new AbortController().signal) ?? []) {
    firstMs ||= nowMs() - startedMs;
    after += piece;
  }
  const got = Math.ceil((before + after).length / TOKEN_LENGTH);
  if (got !== order.tokens) throw new Error(`${got} of ${order.tokens} tokens after the resumption`);
  return only(firstMs);
}

/** From the client's wish until the model sees its request closed. */
async function stopping(contender: Contender, modelUrl: string): Promise<Figures> {
  const order = { id: newId(), tokens: 3000, intervalMs: 10, calls: 0 };
  const answering = await contender.ask(order);
  const { leftAtMs } = await readSome(answering.follow, 50 * TOKEN_LENGTH);
  const startedMs = answering.stop === undefined ? leftAtMs : nowMs();
  await answering.stop?.();
  for (;;) {
    const { abandonedAtMs } = await fateOf(order.id, modelUrl);
    if (abandonedAtMs !== null) return only(Math.max(0, abandonedAtMs - startedMs));
    if (nowMs() - startedMs > 10_000) throw new Error('the model was not stopped within ten seconds');
    await sleep(5);
  }
}

/** In the order of the report. */
export const CASES: readonly Case[] = [
  streaming(
    'unpaced-5k',
    'one answer of 5,000 tokens as fast as it goes',
    { tokens: 5000 },
    { along: 'tokens' },
  ),
  streaming(
    'unpaced-20k',
    'one answer of 20,000 tokens as fast as it goes',
    { tokens: 20_000 },
    { along: 'tokens' },
  ),
  streaming('unpaced-50x500', '50 answers of 500 tokens at once, as fast as they go', {
    streams: 50,
    tokens: 500,
  }),
  ...[20, 100].map((streams) =>
    streaming(
      `paced-${streams}`,
      `${streams} answers at once, a token every 10 ms, 300 each`,
      { streams, intervalMs: 10 },
      { along: 'streams' },
    ),
  ),
  streaming(
    'calls',
    '10 answers of 200 tokens after three tool calls',
    { streams: 10, tokens: 200, calls: 3 },
    { needs: 'calls' },
  ),
  ...[1, 10, 100, 500].map((viewers) =>
    streaming(
      `viewers-${viewers}`,
      `one answer of 300 tokens, a token every 10 ms, with ${viewers} ${viewers === 1 ? 'viewer' : 'viewers'}`,
      { viewers, intervalMs: 10 },
      { needs: 'viewers', along: 'viewers' },
    ),
  ),
  {
    name: 'resume',
    what: 'a client leaves in mid-answer and comes back after half a second: until it has text again, none of it lost',
    needs: 'resume',
    point: null,
    run: (contender) => resume(contender),
  },
  {
    name: 'stop',
    what: 'a client stops an answer: until the model sees its request closed',
    needs: null,
    point: null,
    run: stopping,
  },
];
