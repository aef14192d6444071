import { setTimeout as sleep } from 'node:timers/promises';
import { isNativeError } from 'node:util/types';
import { DiskFullError, OutageError, ServiceBusyError, StoreAwayError } from '../../base/errors.ts';

/**
 * SQLSTATE classes and codes after which the same statement may succeed: connection lost (08), out of connections or
 * memory (53300, 53200), shutting or starting up or idle for too long (57P01–57P03, 57P05, 25P03), a standby after a
 * failover (25006), chosen to end a deadlock (40P01), could not be serialised (40001), waited too long for a lock
 * (55P03), took too long (57014), prepared before a table got other columns (0A000).
 */
const TRANSIENT_STATE = /^(?:08...|53[23]00|57P0[1235]|25P03|25006|40P01|40001|55P03|57014|0A000)$/;
const TRANSIENT_SYSTEM = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  // The queue of a socket is full: Postgres takes no connection.
  'EAGAIN',
]);
/** `pg` gives these no code. */
const NOT_SENT = /^Client (?:has encountered a connection error|was closed)/;
/** A statement got no answer for as long as `query_timeout`; its connection is of no more use. */
export const NO_ANSWER = 'Query read timeout';
const TRANSIENT_MESSAGE = new RegExp(`^Connection terminated|^${NO_ANSWER}|${NOT_SENT.source}`);
/** All connections were in use for as long as the pool waits, or Postgres was silent for as long. */
const NO_CONNECTION = 'timeout exceeded when trying to connect';
/** Out of connections, memory or time, or transactions or a migration that got in the way. */
const CROWDED_STATE = /^(?:53[23]00|40P01|40001|55P03|57014|0A000)$/;
/** Postgres rolled the transaction back before it was asked to commit. */
const ROLLED_BACK_STATE = /^(?:25P03|40P01|40001|55P03|0A000)$/;
/** A file of Postgres could not grow (53100). */
const DISK_FULL_STATE = '53100';
const OUTDATED_STATE = '0A000';
/** When to come back, in milliseconds. */
const BUSY_RETRY_MS = 2_000;

/** The error as callers know it: SERVICE_BUSY, STORE_AWAY, DISK_FULL, or unchanged where Postgres is not to blame. */
export function typedFailure(error: unknown): unknown {
  if (error instanceof OutageError) return error;
  if (codeOf(error) === DISK_FULL_STATE) return new DiskFullError({ cause: error });
  if (!isUnavailable(error)) return error;
  return messageOf(error).includes(NO_CONNECTION) || CROWDED_STATE.test(codeOf(error))
    ? new ServiceBusyError(BUSY_RETRY_MS, { cause: error })
    : new StoreAwayError({ cause: error });
}

/** Whether Postgres was unreachable or asked for a retry. It is then unknown whether the statement took effect. */
export function isUnavailable(error: unknown): boolean {
  if (!isNativeError(error)) return false; // errors of Node's own sockets may come from another realm
  if (error instanceof ServiceBusyError || error instanceof StoreAwayError) return true;
  return (
    TRANSIENT_STATE.test(codeOf(error)) ||
    TRANSIENT_SYSTEM.has(codeOf(error)) ||
    TRANSIENT_MESSAGE.test(error.message) ||
    error.message.includes(NO_CONNECTION)
  );
}

/** Whether a table has other columns than when the statement was prepared: a migration ran meanwhile. */
export const isOutdated = (error: unknown): boolean =>
  codeOf(error instanceof OutageError ? error.cause : error) === OUTDATED_STATE;

/** Whether nothing of the transaction that failed so can have taken effect, and the same one may succeed. */
export function wasRolledBack(error: unknown): boolean {
  const cause = error instanceof OutageError ? error.cause : error;
  return ROLLED_BACK_STATE.test(codeOf(cause)) || NOT_SENT.test(messageOf(cause));
}

const codeOf = (error: unknown): string =>
  isNativeError(error) && 'code' in error && typeof error.code === 'string' ? error.code : '';
const messageOf = (error: unknown): string => (isNativeError(error) ? error.message : '');

/** Whether Postgres, or its disk, could not take the statement; it may in a while. */
export const isOutage = (error: unknown): boolean => isUnavailable(error) || error instanceof DiskFullError;

/**
 * Repeats `work` through an outage of any length, as what is stored must not be left half done; once `isOver`, for at
 * most `forMs`.
 */
export async function retryUntil<T>(
  isOver: () => boolean,
  work: () => Promise<T>,
  forMs: number,
): Promise<T> {
  for (;;) {
    try {
      return await retryWhileUnavailable(work, forMs, isOutage);
    } catch (error) {
      if (isOver() || !isOutage(error)) throw error;
    }
  }
}

/** Which failures are worth another try. */
type MayPass = (error: unknown) => boolean;

/**
 * Repeats `work` with growing pauses while Postgres is unavailable, for at most `forMs`; then, and for any other
 * failure, rejects with the last error. `work` must be safe to repeat after it took effect unseen.
 */
export async function retryWhileUnavailable<T>(
  work: () => Promise<T>,
  forMs: number,
  mayPass: MayPass = isUnavailable,
): Promise<T> {
  const deadline = performance.now() + forMs;
  for (let pauseMs = 20; ; pauseMs = Math.min(500, pauseMs * 2)) {
    try {
      return await work();
    } catch (error) {
      if (!mayPass(error) || performance.now() + pauseMs > deadline) throw error;
    }
    await sleep(pauseMs);
  }
}
