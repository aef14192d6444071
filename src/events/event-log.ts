/**
 * The event log: the only path from a running turn to its followers. Events are stored first; followers read the
 * log from a cursor, also for new events. It is independent of agents, access rights and transport.
 */
import type { Pool } from 'pg';
import type { SessionEvent } from '../domain/conversation/session-event.ts';
import { CursorAheadError, NotFoundError } from '../base/errors.ts';
import type { Db } from '../stores/pg/database.ts';
import { storedEvents, type AppendResult, type EventBatch } from '../stores/pg/event-batches.ts';
import { readEvents, readLastSeq, readLastSeqs } from '../stores/pg/events.ts';
import { isUnavailable, retryWhileUnavailable } from '../stores/pg/unavailable.ts';
import { createGroupCommit } from './group-commit.ts';
import { SessionTail } from './session-tail.ts';
import type { WakeUps } from './wake-ups.ts';

/** The log of every session. */
export type EventLog = ReturnType<typeof createEventLog>;

/** How long a new reader waits for an unreachable Postgres; one that already follows waits indefinitely. */
const OUTAGE_MS = 2_000;

/** A log in Postgres. The caller closes what it passes. */
export function createEventLog(deps: { readonly db: Db; readonly pool: Pool; readonly wakeUps: WakeUps }) {
  const tails = new Map<string, SharedTail>();
  const commit = createGroupCommit(deps.pool);
  let followers = 0;

  /** One statement for all readers; a session that is gone is left to its own read. */
  const checkAll = async (): Promise<void> => {
    if (tails.size === 0) return;
    const lastSeqs = await readLastSeqs(deps.pool, [...tails.keys()]);
    for (const [id, { tail }] of tails) tail.hint(lastSeqs.get(id));
  };
  deps.wakeUps.onGrowthCheck(() => void checkAll().catch(() => undefined)); // the next check follows in a second

  const acquire = (sessionId: string, lastSeq: number): SharedTail => {
    let shared = tails.get(sessionId);
    if (shared === undefined) {
      const tail = new SessionTail(lastSeq, (after, limit) => readOf(deps, sessionId, after, limit));
      shared = {
        tail,
        readers: 0,
        unsubscribe: deps.wakeUps.onGrowth(sessionId, (lastSeq) => tail.hint(lastSeq)),
      };
      tails.set(sessionId, shared);
    }
    shared.readers += 1;
    return shared;
  };
  const release = (sessionId: string, shared: SharedTail): void => {
    shared.readers -= 1;
    if (shared.readers > 0) return;
    shared.unsubscribe();
    tails.delete(sessionId);
  };

  /** Hints are counted before each read, so none is missed between an empty read and the wait. */
  async function* read(sessionId: string, afterSeq: number, signal: AbortSignal) {
    followers += 1;
    let shared: SharedTail | undefined;
    try {
      const lastSeq = await retryWhileUnavailable(() => readLastSeq(deps.db, sessionId), OUTAGE_MS);
      if (lastSeq === null) throw new NotFoundError(`there is no session ${sessionId}`);
      if (afterSeq > lastSeq) throw new CursorAheadError(afterSeq, lastSeq);
      shared = acquire(sessionId, lastSeq);
      const { tail } = shared;
      for (let cursor = afterSeq; !signal.aborted;) {
        const { growths } = tail;
        const events = await tail.readAfter(cursor).catch(nothingWhileUnavailable);
        if (events === null) return;
        for (const event of events) {
          if (signal.aborted) return;
          yield event;
          cursor = event.seq;
        }
        if (events.length === 0) await tail.waitForGrowth(growths, signal);
      }
    } finally {
      if (shared) release(sessionId, shared);
      followers -= 1;
    }
  }

  return {
    /**
     * Stores a batch, then gives it to the readers of this process and wakes the others. Rejects if the database
     * cannot be reached; sending it again is safe.
     */
    async append(batch: EventBatch): Promise<AppendResult> {
      const result = await commit(batch);
      if (!result.stored) return result;
      if (result.place) tails.get(batch.sessionId)?.tail.feed(storedEvents(batch, result.place));
      deps.wakeUps.grew(batch.sessionId, result.place?.lastSeq);
      return result;
    },
    /**
     * The session's events after `afterSeq` in order, each once, waiting for new ones. Ends when `signal` fires,
     * the consumer returns or the session is deleted, even while waiting. A slow consumer delays nobody, and
     * nothing is buffered for it. Rejects with NotFoundError for an unknown session and CursorAheadError for a
     * cursor after the last event.
     */
    follow: (sessionId: string, afterSeq: number, signal: AbortSignal): AsyncIterableIterator<SessionEvent> =>
      interruptible((stop) => read(sessionId, afterSeq, stop), signal),
    /** The number of current followers of a session, in this process. */
    followersOf: (sessionId: string): number => tails.get(sessionId)?.readers ?? 0,
    /** The number of current followers. */
    get followers() {
      return followers;
    },
  };
}

type SharedTail = { readonly tail: SessionTail; readers: number; readonly unsubscribe: () => void };

/** Thrown by a read at the end of a deleted log. */
class SessionGoneError extends Error {}

async function readOf(
  { db, pool }: { readonly db: Db; readonly pool: Pool },
  sessionId: string,
  afterSeq: number,
  limit: number,
): Promise<SessionEvent[]> {
  const events = await readEvents(pool, sessionId, afterSeq, limit);
  if (events.length === 0 && (await readLastSeq(db, sessionId)) === null) throw new SessionGoneError();
  return events;
}

/** A reader survives a restart of Postgres: it retries at the next hint. Null once the session is gone. */
function nothingWhileUnavailable(error: unknown): readonly SessionEvent[] | null {
  if (isUnavailable(error)) return [];
  if (error instanceof SessionGoneError) return null;
  throw error;
}

/**
 * A generator whose `return` also ends a wait inside it. A plain generator's `return` would queue behind the pending
 * `next`, so the reader of a disconnected client would wait for an event that may never come. It does not use
 * `AbortSignal.any`, which is slow to check for every event.
 */
function interruptible<T>(
  start: (stop: AbortSignal) => AsyncGenerator<T, void>,
  signal: AbortSignal,
): AsyncIterableIterator<T> {
  const left = new AbortController();
  const leave = (): void => left.abort();
  if (signal.aborted) leave();
  else signal.addEventListener('abort', leave, { once: true, signal: left.signal });
  const generator = start(left.signal);
  return {
    next: () => generator.next(),
    return: () => {
      leave();
      return generator.return();
    },
    throw: (error: unknown) => {
      leave();
      return generator.throw(error);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
