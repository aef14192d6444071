import { setTimeout as sleep } from 'node:timers/promises';
import { isNativeError } from 'node:util/types';

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
const TRANSIENT_MESSAGE =
  /^Connection terminated|timeout exceeded when trying to connect|^Client (?:has encountered a connection error|was closed)/;

/** Whether Postgres was unreachable or asked for a retry. It is then unknown whether the statement took effect. */
export function isUnavailable(error: unknown): boolean {
  if (!isNativeError(error)) return false; // errors of Node's own sockets may come from another realm
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return TRANSIENT_STATE.test(code) || TRANSIENT_SYSTEM.has(code) || TRANSIENT_MESSAGE.test(error.message);
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
