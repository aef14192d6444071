/**
 * The time that reads may take and the signal that ends them, for everything that one call of a tool does. They follow
 * the work through its promises, so no function between a tool and a database has to pass them on.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

/** `endsAt` is a time of `performance.now()`, in milliseconds. */
export type ReadBudget = { readonly signal: AbortSignal; readonly endsAt: number };

const budgets = new AsyncLocalStorage<ReadBudget | null>();

/** Runs `work`; its reads end when the signal fires or `forMs` have passed. */
export function withinBudget<Result>(signal: AbortSignal, forMs: number, work: () => Result): Result {
  return budgets.run({ signal, endsAt: performance.now() + forMs }, work);
}

/** Runs work whose result others wait for, too: the end of one of them does not end it. */
export const withoutBudget = <Result>(work: () => Result): Result => budgets.run(null, work);

/** The budget of the work that runs; null outside of any. */
export const currentBudget = (): ReadBudget | null => budgets.getStore() ?? null;
