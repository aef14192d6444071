import { CursorAheadError, InvalidInputError } from '../base/errors.ts';
import type { Session } from '../domain/conversation/session.ts';
import type { EventLog } from '../events/event-log.ts';
import { retryWhileUnavailable } from '../stores/pg/unavailable.ts';

/** Clients resubscribe while Postgres restarts; a short outage should not turn them away. */
const OUTAGE_MS = 2_000;

/**
 * The events of a session after `afterSeq`, past and future, until `signal` fires, the consumer returns or the
 * session is deleted. `findOwn` checks access, once. Readers share the event objects, so they must not be changed.
 * @throws CursorAheadError, InvalidInputError, and what `findOwn` throws
 */
export async function followSession(
  eventLog: Pick<EventLog, 'follow'>,
  findOwn: () => Promise<Session>,
  afterSeq: number,
  signal: AbortSignal,
) {
  if (!Number.isInteger(afterSeq) || afterSeq < 0) {
    throw InvalidInputError.at(['afterSeq'], 'must be 0 or the seq of an event');
  }
  const session = await retryWhileUnavailable(findOwn, OUTAGE_MS);
  if (afterSeq > session.lastSeq) throw new CursorAheadError(afterSeq, session.lastSeq);
  return eventLog.follow(session.id, afterSeq, signal);
}
