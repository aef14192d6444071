import { setTimeout as sleep } from 'node:timers/promises';
import { isNativeError } from 'node:util/types';
import { ServiceBusyError, StoreAwayError } from '../../base/errors.ts';

/**
 * SQLSTATE classes and codes after which the same statement may succeed: connection lost (08), too many connections
 * (53300), shutting or starting up (57P01–57P03), chosen to end a deadlock (40P01), could not be serialised (40001).
 */
const TRANSIENT_STATE = /^(?:08...|53300|57P0[123]|40P01|40001)$/;
const TRANSIENT_SYSTEM = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  'EHOSTUNREACH',
]);
/** `pg` gives these no code. */
const TRANSIENT_MESSAGE = /^Connection terminated|^Client (?:has encountered a connection error|was closed)/;
/** All connections were in use for as long as the pool waits, or Postgres was silent for as long. */
const NO_CONNECTION = 'timeout exceeded when trying to connect';
/** Too many connections, or transactions that got in each other's way. */
const CROWDED_STATE = /^(?:53300|40P01|40001)$/;
/** When to come back, in milliseconds. */
const BUSY_RETRY_MS = 2_000;

/** The error as callers know it: SERVICE_BUSY, STORE_AWAY, or unchanged where Postgres is not to blame. */
export function typedFailure(error: unknown): unknown {
  if (!isUnavailable(error)) return error;
  if (error instanceof ServiceBusyError || error instanceof StoreAwayError) return error;
  const { message, code } = error as Error & { readonly code?: unknown };
  return message.includes(NO_CONNECTION) || CROWDED_STATE.test(String(code))
    ? new ServiceBusyError(BUSY_RETRY_MS, { cause: error })
    : new StoreAwayError({ cause: error });
}

/** Whether Postgres was unreachable or asked for a retry. It is then unknown whether the statement took effect. */
export function isUnavailable(error: unknown): boolean {
  if (!isNativeError(error)) return false; // errors of Node's own sockets may come from another realm
  if (error instanceof ServiceBusyError || error instanceof StoreAwayError) return true;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return (
    TRANSIENT_STATE.test(code) ||
    TRANSIENT_SYSTEM.has(code) ||
    TRANSIENT_MESSAGE.test(error.message) ||
    error.message.includes(NO_CONNECTION)
  );
}

/**
 * Repeats `work` with growing pauses while Postgres is unavailable, for at most `forMs`; then, and for any other
 * failure, rejects with the last error. `work` must be safe to repeat after it took effect unseen.
 */
export async function retryWhileUnavailable<T>(work: () => Promise<T>, forMs: number): Promise<T> {
  const deadline = performance.now() + forMs;
  for (let pauseMs = 20; ; pauseMs = Math.min(500, pauseMs * 2)) {
    try {
      return await work();
    } catch (error) {
      if (!isUnavailable(error) || performance.now() + pauseMs > deadline) throw error;
    }
    await sleep(pauseMs);
  }
}
