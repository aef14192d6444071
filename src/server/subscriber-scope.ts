import type { Plugin } from 'graphql-yoga';
import type { OperationContext } from './operation-context.ts';

/**
 * Gives each event of a subscription new loaders, since the old ones hold what was read for the event before, and
 * lets a subscriber leave at once: otherwise the iterator's `return` would queue behind the pending read.
 */
export function useSubscriberScope(): Plugin<OperationContext> {
  return {
    onSubscribe: ({ args: { contextValue: context } }) => ({
      onSubscribeResult({ result, setResult }) {
        if (!(Symbol.asyncIterator in result)) return undefined;
        setResult(leaveFirst(result, context.leave));
        return { onNext: context.renewLoaders };
      },
    }),
  };
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
