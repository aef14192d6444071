import { withoutBudget } from './read-budget.ts';

/**
 * Shares reads: a caller that asks while one runs gets the next one, together with all others that wait. Each value was read
 * after it was asked for, and at most one read runs at a time.
 */
export function sharedNext<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let running: Promise<void> | null = null;
  let next: Promise<Value> | null = null;
  const start = (): Promise<Value> => {
    next = null;
    const value = withoutBudget(read);
    const ended = (): void => void (running = null);
    running = value.then(ended, ended);
    return value;
  };
  return () => (running === null ? start() : (next ??= running.then(start)));
}
