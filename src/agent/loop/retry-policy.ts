/**
 * The one retry policy: what follows each fault of a model, whether it came as an HTTP status, as a broken socket or
 * inside a stream. The same model is asked again, after a wait where that helps; then the fallback; then the turn ends
 * with what happened. The SDKs of providers retry nothing themselves.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ModelError, ModelErrorCode } from '../model.ts';

/**
 * By code: the waits before each further request to the same model, in milliseconds; none: it is not asked again. A time
 * that the provider names takes the place of a wait. Faults of the provider pass; those of the model are asked for again
 * at once; those of a setting or of the question last.
 */
export const RETRY_TABLE: Readonly<Record<ModelErrorCode, readonly number[]>> = {
  OVERLOADED: [1_000, 2_000, 4_000, 8_000],
  RATE_LIMITED: [1_000, 2_000, 4_000, 8_000],
  UNAVAILABLE: [1_000, 2_000, 4_000],
  RESTING: [2_000, 4_000, 8_000],
  BROKEN_STREAM: [0, 1_000],
  BAD_CALL: [0, 0],
  CUT_CALL: [0],
  EMPTY: [0],
  QUOTA: [],
  AUTH: [],
  FILTERED: [],
  BAD_REQUEST: [],
  NO_TOOLS: [],
  CONTEXT_TOO_LARGE: [],
  PROTOCOL: [],
};

/** With a fallback at hand, a model is asked at most this often, and not waited for longer than this. */
const WITH_FALLBACK = { tries: 3, longestWaitMs: 10_000 };
/** Longest single wait without a fallback. */
const LONGEST_WAIT_MS = 60_000;
/** Of what a provider asks for, added by chance so that not all who wait come back at once. */
const JITTER = 0.25;

/** How waits are made; tests pass their own. */
export type Waiting = {
  /** Rejects with the signal's reason when that fires. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<unknown>;
  /** From 0 to 1. */
  readonly random: () => number;
};

/** Waits by the process's own clock. */
export const realWaiting: Waiting = {
  pause: (ms, signal) =>
    sleep(ms, undefined, { signal }).catch((error: unknown) => {
      signal.throwIfAborted();
      throw error;
    }),
  random: Math.random,
};

/** What bounds the tries of one step. */
export type RetryBounds = {
  /** Attempts at a model whose stream breaks. */
  readonly stepTries: number;
  readonly hasFallback: boolean;
  /** Time that the turn has left. */
  readonly msLeft: number;
};

/**
 * How long to wait before the same model is asked again, in milliseconds, after it was asked `tries` times; null where
 * it is not asked again.
 */
export function waitBeforeRetry(
  { code, pauseMs }: Pick<ModelError, 'code' | 'pauseMs'>,
  tries: number,
  { stepTries, hasFallback, msLeft }: RetryBounds,
  random: () => number,
): number | null {
  const waits = RETRY_TABLE[code];
  const most = code === 'BROKEN_STREAM' ? stepTries : waits.length + 1;
  if (tries >= (hasFallback ? Math.min(most, WITH_FALLBACK.tries) : most)) return null;
  // The fallback is there for a provider that rests.
  if (code === 'RESTING' && hasFallback) return null;
  const ownMs = waits[tries - 1] ?? waits.at(-1) ?? 0;
  const waitMs = pauseMs === null ? ownMs * (0.5 + random() / 2) : pauseMs * (1 + JITTER * random());
  const longest = hasFallback ? WITH_FALLBACK.longestWaitMs : LONGEST_WAIT_MS;
  return (pauseMs ?? 0) > longest || waitMs >= msLeft ? null : waitMs;
}
