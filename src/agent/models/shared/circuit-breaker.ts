/**
 * Keeps turns from waiting for a provider that keeps failing. After some failures in a row it is left alone for a while;
 * then one request probes whether it answers again. Faults of one request, of its model or of the key do not count.
 */
import {
  ModelError,
  type Model,
  type ModelErrorCode,
  type ModelEvent,
  type ModelRequest,
} from '../../model.ts';
import { pauseWords } from './asked-pause.ts';

/** Failures in a row after which a provider rests. */
const FAILURES = 5;
/** First rest; each failed probe doubles it. */
const FIRST_REST_MS = 15_000;
const LONGEST_REST_MS = 120_000;
/** Who is not the probe comes back this much later. */
const PROBE_MS = 2_000;

const COUNTED: ReadonlySet<ModelErrorCode> = new Set(['OVERLOADED', 'UNAVAILABLE', 'BROKEN_STREAM']);

/** Why a provider is left alone, and for how long; null while it is asked. */
export type Rest = { readonly msLeft: number; readonly reason: string } | null;

export type CircuitBreaker = {
  readonly rest: () => Rest;
  /** The same model, which rejects with RESTING while the provider rests. */
  readonly guard: (model: Model) => Model;
};

/** A breaker for all models of one provider. `clock` is in milliseconds. */
export function createCircuitBreaker(
  title: string,
  clock: () => number = () => performance.now(),
): CircuitBreaker {
  let failures = 0;
  let restMs = FIRST_REST_MS;
  let restsUntil: number | null = null;
  let isProbing = false;
  let reason = '';

  const msLeft = (): number => (restsUntil === null ? 0 : Math.max(0, restsUntil - clock()));

  /** Whether this request is the probe. @throws ModelError while the provider rests. */
  function enter(): boolean {
    if (restsUntil === null) return false;
    if (msLeft() > 0 || isProbing) {
      const pauseMs = Math.max(msLeft(), PROBE_MS);
      const message = `${title} failed ${failures} times in a row; it is asked again in ${pauseWords(pauseMs)}`;
      throw new ModelError('RESTING', message, { retryable: true, pauseMs });
    }
    isProbing = true;
    return true;
  }

  function succeed(): void {
    failures = 0;
    restMs = FIRST_REST_MS;
    restsUntil = null;
  }

  function fail(error: ModelError, isProbe: boolean): void {
    failures += 1;
    reason = error.message;
    // What was asked before the rest began does not make it longer.
    const isLate = restsUntil !== null && !isProbe;
    if (failures < FAILURES || isLate) return;
    restsUntil = clock() + restMs;
    restMs = Math.min(2 * restMs, LONGEST_REST_MS);
  }

  async function* guarded(
    model: Model,
    request: ModelRequest,
    signal: AbortSignal,
  ): AsyncGenerator<ModelEvent> {
    const isProbe = enter();
    try {
      for await (const event of model.stream(request, signal)) {
        if (event.type === 'finished') succeed();
        yield event;
      }
    } catch (error) {
      if (error instanceof ModelError) {
        if (COUNTED.has(error.code)) fail(error, isProbe);
        else succeed();
      }
      throw error;
    } finally {
      if (isProbe) isProbing = false;
    }
  }

  return {
    rest: () => (restsUntil === null ? null : { msLeft: msLeft(), reason }),
    guard: (model) => ({
      ...model,
      // A server's first model is known only once it is asked.
      get name() {
        return model.name;
      },
      get provider() {
        return model.provider;
      },
      stream: (request, signal) => guarded(model, request, signal),
    }),
  };
}
