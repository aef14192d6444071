import { QPilotError } from '@qpilot/client';
import type { SubscriptionExchangeOpts } from 'urql';
import { pageConnection } from './connection.ts';

/**
 * How urql subscribes, to what has no cursor. After a drop it subscribes again as before, without end; whoever follows
 * numbered events must use `follow.ts` instead.
 */
export const forwardSubscription: SubscriptionExchangeOpts['forwardSubscription'] = (
  { query = '', variables },
  { extensions },
) => ({
  subscribe(sink) {
    const left = new AbortController();
    const hash = extensions?.persistedQuery?.sha256Hash;
    const operation = { toString: () => query, ...(hash !== undefined && { __meta__: { hash } }) };
    const readAll = async (): Promise<void> => {
      const updates = pageConnection().subscribe<object, Record<string, unknown>>(
        operation,
        variables ?? {},
        {
          signal: left.signal,
          patienceMs: Infinity,
        },
      );
      try {
        for await (const data of updates) sink.next({ data });
        sink.complete();
      } catch (error) {
        if (!(error instanceof QPilotError)) throw error;
        sink.error([{ message: error.message, extensions: { code: error.code } }]);
      }
    };
    void readAll();
    return { unsubscribe: () => left.abort() };
  },
});
