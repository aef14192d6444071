/**
 * The time that reads may take and the signal that ends them, for everything that one call of a tool does. They follow
 * the work through its promises, so no function between a tool and a database has to pass them on.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

/** `endsAt` is a time of `performance.now()`, in milliseconds. */
export type ReadBudget = {
  readonly signal: AbortSignal;
  readonly endsAt: number;
  readonly patience: Patience | null;
};

/** How long work as a whole waits for a database that is away, from the first read that failed on. */
export class Patience {
  readonly #forMs: number;
  readonly #onWait: () => void;
  #endsAt: number | null = null;

  /** @param onWait - told once, as the wait begins */
  constructor(forMs: number, onWait: () => void) {
    this.#forMs = forMs;
    this.#onWait = onWait;
  }

  /** Waits before another try; false, at once, where none is left. @throws the reason of the signal */
  async pause({ signal, endsAt }: Pick<ReadBudget, 'signal' | 'endsAt'>): Promise<boolean> {
    const now = performance.now();
    if (this.#endsAt === null) {
      this.#endsAt = now + this.#forMs;
      this.#onWait();
    }
    if (now + PAUSE_MS > Math.min(this.#endsAt, endsAt)) return false;
    await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined);
    signal.throwIfAborted();
    return true;
  }
}

const PAUSE_MS = 250;

const budgets = new AsyncLocalStorage<ReadBudget | null>();

/**
 * Runs `work`; its reads end when the signal fires or `forMs` have passed, and wait with `patience`, which work within
 * it shares.
 */
export function withinBudget<Result>(
  signal: AbortSignal,
  forMs: number,
  work: () => Result,
  patience: Patience | null = currentBudget()?.patience ?? null,
): Result {
  return budgets.run({ signal, endsAt: performance.now() + forMs, patience }, work);
}

/** Runs work whose result others wait for, too: the end of one of them does not end it. */
export const withoutBudget = <Result>(work: () => Result): Result => budgets.run(null, work);

/** The budget of the work that runs; null outside of any. */
export const currentBudget = (): ReadBudget | null => budgets.getStore() ?? null;
