import { v4 as uuid } from 'uuid';
import type { Chat } from './chat.ts';
import { VIEWER } from './chat.ts';
import { countPostgresCpu, cpuUsOf, nowMs } from './cpu.ts';
import { TOKEN } from './paced-model.ts';
import type { OpenViewers, Place, Receipt } from './viewers.ts';

/** How many tokens are sent, how fast, and to how many viewers each. */
export type Load = { readonly tokens: number; readonly intervalMs: number; readonly viewersEach: number };

/** What a run of streams took. */
export type StreamRun = {
  /** Processor time of this process for one token of one stream, everything included. */
  readonly cpuUsPerToken: number;
  /** The same for all processes of Postgres. */
  readonly postgresUsPerToken: number;
  /** Of every token: from the model to its session's first viewer. */
  readonly latenciesMs: readonly number[];
};

/** Time between the plan and the first token; whatever prepares a turn is over by then. */
const HEAD_START_MS = 20;

/**
 * Streams of one run, apart from how they are transported: they begin together, a little shifted against each other.
 */
export class PacedRun {
  readonly load: Load;
  readonly #streams: number;
  readonly #start = Promise.withResolvers<number>();
  readonly #sentAtMs = new Map<string, number[]>();

  constructor(streams: number, load: Load) {
    this.#streams = streams;
    this.load = load;
  }

  /** The pace of one more stream and the callback for its tokens. */
  addStream(id: string) {
    const { tokens, intervalMs } = this.load;
    const shiftMs = (this.#sentAtMs.size * intervalMs) / this.#streams;
    const sentAtMs: number[] = [];
    this.#sentAtMs.set(id, sentAtMs);
    const startAtMs = this.#start.promise.then((at) => at + shiftMs);
    return {
      pace: { tokens, intervalMs, startAtMs },
      onToken: (index: number) => void (sentAtMs[index] = nowMs()),
    };
  }

  /** Lets all streams begin and waits until `ended`; processor time is counted from here to there. */
  async measure(
    ended: Promise<readonly Receipt[]>,
    countPostgres: () => Promise<() => Promise<number>> = () => Promise.resolve(() => Promise.resolve(0)),
  ): Promise<StreamRun> {
    const tokens = this.load.tokens * this.#streams;
    const postgresUs = await countPostgres();
    const cpuUs = await cpuUsOf(() => {
      this.#start.resolve(nowMs() + HEAD_START_MS);
      return ended;
    });
    return {
      cpuUsPerToken: cpuUs / tokens,
      postgresUsPerToken: (await postgresUs()) / tokens,
      latenciesMs: (await ended).flatMap((receipt) => this.#latenciesOf(receipt)),
    };
  }

  /** One event may carry several tokens. */
  #latenciesOf({ sessionId, offset, length, atMs }: Receipt): number[] {
    const sentAtMs = this.#sentAtMs.get(sessionId) ?? [];
    return sentAtMs
      .slice(offset / TOKEN.length, (offset + length) / TOKEN.length)
      .map((sentMs) => atMs - sentMs);
  }
}

/** Asks one question in each session at once and measures until every viewer has seen every answer whole. */
export async function runTurns(
  chat: Chat,
  sessionIds: readonly string[],
  load: Load,
  openViewers: OpenViewers,
): Promise<StreamRun> {
  const run = new PacedRun(sessionIds.length, load);
  const asked = sessionIds.map((sessionId) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    chat.model.plan(sessionId, { ...run.addStream(sessionId), onAsked: resolve });
    return promise;
  });
  const places = await Promise.all(sessionIds.map((sessionId) => ask(chat, sessionId)));
  const viewers = await openViewers(places, load.viewersEach);
  await Promise.all(asked);
  return run.measure(viewers.ended, () => countPostgresCpu(chat.db));
}

async function ask({ copilot }: Chat, sessionId: string): Promise<Place> {
  const sent = await copilot.sendMessage(VIEWER, {
    sessionId,
    content: 'How is the chip?',
    clientMessageId: uuid(),
  });
  return { sessionId, afterSeq: sent.lastSeq };
}
