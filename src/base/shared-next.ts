import { withinOwnBudget } from './read-budget.ts';

/** Milliseconds. */
const MOST_MS = 30_000;

/**
 * Shares reads: a caller that asks while one runs gets the next one, together with all others that wait. Each value was read
 * after it was asked for, and at most one read runs at a time. One that never ended would hold all others
 * up, so it has a budget of `mostMs`, instead of that of whoever asks first.
 */
export function sharedNext<Value>(read: () => Promise<Value>, mostMs = MOST_MS): () => Promise<Value> {
  let running: Promise<void> | null = null;
  let next: Promise<Value> | null = null;
  const start = (): Promise<Value> => {
    next = null;
    const value = withinOwnBudget(mostMs, read);
    const ended = (): void => void (running = null);
    running = value.then(ended, ended);
    return value;
  };
  return () => (running === null ? start() : (next ??= running.then(start)));
}
