import { setTimeout as sleep } from 'node:timers/promises';
import type { SessionEvent } from '../../src/domain/conversation/session-event.ts';
import { foldTurn } from '../../src/domain/conversation/transcript.ts';
import { viewer } from './chat.ts';
import type { Chat } from './chat.ts';

/** A client that resumes after every loss from the last event it has, as ours do. */
export type Subscriber = {
  readonly sessionId: string;
  /** Every event it was given, as JSON. */
  readonly seen: readonly string[];
  readonly lastSeq: number;
  /** Loses its stream, as by a dropped socket. */
  drop(): void;
  /** Takes its time over the next event. */
  stall(ms: number): void;
  stop(): Promise<void>;
};

/** Subscribes to a session through `chat()`, which may be another server after each loss. */
export function subscribe(chat: () => Chat, sessionId: string): Subscriber {
  const seen: string[] = [];
  let lastSeq = 0;
  let stream = new AbortController();
  let stallMs = 0;
  let isStopped = false;
  const done = (async () => {
    while (!isStopped) {
      stream = new AbortController();
      try {
        for await (const event of await chat().copilot.follow(viewer, sessionId, lastSeq, stream.signal)) {
          await sleep(stallMs);
          stallMs = 0;
          seen.push(JSON.stringify(event));
          lastSeq = event.seq;
        }
      } catch {
        await sleep(5); // the server was away
      }
    }
  })();
  return {
    sessionId,
    seen,
    get lastSeq() {
      return lastSeq;
    },
    drop: () => stream.abort(),
    stall: (ms) => (stallMs = ms),
    stop: () => {
      isStopped = true;
      stream.abort();
      return done;
    },
  };
}

/** The whole log of a session, read from the database. */
export async function readLog({ eventLog, pool }: Chat, sessionId: string): Promise<SessionEvent[]> {
  const { rows } = await pool.query<{ n: number }>('select last_seq as n from sessions where id = $1', [
    sessionId,
  ]);
  const count = rows[0]?.n ?? 0;
  const events: SessionEvent[] = [];
  if (count === 0) return events;
  for await (const event of eventLog.follow(sessionId, 0, AbortSignal.timeout(60_000))) {
    events.push(event);
    if (events.length === count) return events;
  }
  return events;
}

/** What is wrong with a session's log: gaps, turns without exactly one end, open tool calls, messages that differ. */
export async function faultsOf(chat: Chat, events: readonly SessionEvent[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const [index, { seq }] of events.entries()) {
    if (seq !== index + 1) wrong.push(`event ${index + 1} has seq ${seq}`);
  }
  for (const [turnId, ofTurn] of Map.groupBy(events, (event) => event.turnId)) {
    const ends = ofTurn.filter(({ type }) => type === 'TurnFinishedEvent');
    const last = ofTurn.at(-1);
    if (ends.length !== 1 || last?.type !== 'TurnFinishedEvent') {
      wrong.push(`turn ${turnId} has ${ends.length} ends, its last event is ${last?.type}`);
      continue;
    }
    const { text, openCalls } = foldTurn(ofTurn);
    if (openCalls.length > 0) wrong.push(`turn ${turnId} left ${openCalls.length} tool calls open`);
    const [message] = await chat.copilot.byId.messages(viewer, [last.payload.messageId ?? '']);
    if ((message?.text ?? '') !== text) wrong.push(`turn ${turnId}: message and tokens differ`);
  }
  return wrong;
}
