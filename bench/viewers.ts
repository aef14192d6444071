import type { EventLog } from '../src/events/event-log.ts';
import { nowMs } from './cpu.ts';

/** Where to begin to watch a session. */
export type Place = { readonly sessionId: string; readonly afterSeq: number };

/** A piece of text as the first viewer of a session got it; offset and length in UTF-16 code units. */
export type Receipt = {
  readonly sessionId: string;
  readonly offset: number;
  readonly length: number;
  readonly atMs: number;
};

/** Viewers who watch until the turn of each of their sessions has ended. */
export type Viewers = {
  /** Once all have seen the end: what the first viewer of each session got. Rejects if any of them missed text. */
  readonly ended: Promise<readonly Receipt[]>;
};

/** Lets `each` viewers watch every session; resolves when they do. */
export type OpenViewers = (places: readonly Place[], each: number) => Promise<Viewers>;

/** Viewers in this process, at the event log itself. */
export function viewersOf(eventLog: EventLog): OpenViewers {
  return async (places, each) => {
    const watches = places.flatMap((place) =>
      Array.from({ length: each }, (_, index) => watch(eventLog, place, index === 0)),
    );
    return { ended: Promise.all(watches).then((receipts) => receipts.flat()) };
  };
}

async function watch(
  eventLog: EventLog,
  { sessionId, afterSeq }: Place,
  isFirst: boolean,
): Promise<Receipt[]> {
  const receipts: Receipt[] = [];
  let expected = 0;
  for await (const event of eventLog.follow(sessionId, afterSeq, new AbortController().signal)) {
    if (event.type === 'TurnFinishedEvent') {
      if (event.payload.status !== 'COMPLETED') throw new Error(JSON.stringify(event.payload.error));
      return receipts;
    }
    if (event.type !== 'TokenEvent') continue;
    const { offset, text } = event.payload;
    if (offset !== expected) throw new Error(`text is missing at ${expected} in session ${sessionId}`);
    expected += text.length;
    if (isFirst) receipts.push({ sessionId, offset, length: text.length, atMs: nowMs() });
  }
  throw new Error(`the log of session ${sessionId} ended before its turn`);
}
