import type { ExecutionResult } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Logger } from '../base/log.ts';
import type { OperationContext } from './operation-context.ts';
import { toSafeError } from './safe-errors.ts';

/** How often the rights of a subscriber are checked; with what a door remembers, they end within ten seconds. */
export const RECHECK_MS = 5_000;

/**
 * Gives each event of a subscription new loaders, since the old ones hold what was read for the event before; lets a
 * subscriber leave at once, since the iterator's `return` would queue behind the pending read; and ends the subscription,
 * with an error, for a subscriber who was signed out or lost their role.
 */
export function useSubscriberScope(log: Logger, recheckMs: number | null): Plugin<OperationContext> {
  return {
    onSubscribe: ({ args: { contextValue: context } }) => ({
      onSubscribeResult({ result, setResult }) {
        if (!(Symbol.asyncIterator in result)) return undefined;
        const guarded = recheckMs === null ? result : whileAllowed(result, context, recheckMs, log);
        setResult(leaveFirst(guarded, context.leave));
        return { onNext: context.renewLoaders };
      },
    }),
  };
}

type Results = AsyncIterable<ExecutionResult>;

/** The events until the viewer may not see them any more, then an error. */
async function* whileAllowed(
  source: Results,
  context: OperationContext,
  everyMs: number,
  log: Logger,
): AsyncGenerator<ExecutionResult> {
  let reason: Error | null = null;
  let isChecking = false;
  const timer = setInterval(() => {
    if (isChecking) return;
    isChecking = true;
    void context
      .revoked()
      .then((why) => {
        reason = why;
        if (why !== null) context.leave();
      })
      .finally(() => (isChecking = false));
  }, everyMs);
  timer.unref();
  const wasRevoked = (): Error | null => reason;
  try {
    for await (const result of source) {
      if (wasRevoked() !== null) break;
      yield result;
    }
  } finally {
    clearInterval(timer);
  }
  const why = wasRevoked();
  if (why !== null) yield { errors: [toSafeError(why, context.requestId, log)] };
}

function leaveFirst<Value>(source: AsyncIterable<Value>, leave: () => void): AsyncIterableIterator<Value> {
  const iterator = source[Symbol.asyncIterator]();
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    next: () => iterator.next(),
    return: async () => {
      leave();
      return (await iterator.return?.()) ?? { done: true, value: undefined };
    },
  };
}
