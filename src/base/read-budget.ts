/**
 * The time that reads may take and the signal that ends them, for everything that one call of a tool does. They follow
 * the work through its promises, so no function between a tool and a database has to pass them on.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { abortable } from './abortable.ts';
import { CalibrationAwayError } from './errors.ts';

/** `endsAt` is a time of `performance.now()`, in milliseconds. */
export type ReadBudget = { readonly signal: AbortSignal; readonly endsAt: number };

/** A server that answers at all reports the end of a read's time within this time, in milliseconds. */
const REPORT_MS = 2_000;

const budgets = new AsyncLocalStorage<ReadBudget | null>();

/** Runs `work`; its reads end when the signal fires or `forMs` have passed. */
export function withinBudget<Result>(signal: AbortSignal, forMs: number, work: () => Result): Result {
  return budgets.run({ signal, endsAt: performance.now() + forMs }, work);
}

/** Runs work whose result others wait for, too: the end of one of them does not end it. */
export const withoutBudget = <Result>(work: () => Result): Result => budgets.run(null, work);

/** A budget that nobody ends early. Its signal fires where a server does not even say that the time is over. */
export function ownBudget(forMs: number): ReadBudget {
  const silence = new AbortController();
  setTimeout(() => silence.abort(new CalibrationAwayError()), forMs + REPORT_MS).unref();
  return { signal: silence.signal, endsAt: performance.now() + forMs };
}

/**
 * Runs `work` within a budget of its own, because others wait for its result, too. Rejects at the end of the budget even if
 * the work does not notice it.
 */
export function withinOwnBudget<Result>(forMs: number, work: () => Promise<Result>): Promise<Result> {
  const budget = ownBudget(forMs);
  return abortable(budgets.run(budget, work), budget.signal);
}

/** The budget of the work that runs; null outside of any. */
export const currentBudget = (): ReadBudget | null => budgets.getStore() ?? null;
