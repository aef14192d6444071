import type { ExecutionArgs, ExecutionResult } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { RateLimitedError } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import { createPlaces, type PlaceLimits } from '../base/places.ts';
import type { RateLimits } from '../services/rate-limits.ts';
import { isMutation, type OperationContext } from './operation-context.ts';
import { costOf } from './query-cost.ts';
import { toSafeError } from './safe-errors.ts';

/** What may be open at this server at once. */
export type OpenLimits = Readonly<Record<'operations' | 'subscriptions' | 'sockets', PlaceLimits>>;

/** Without sign-in everybody is the same viewer: only what all have open counts. */
export function limitsOfAll({ operations, subscriptions, sockets }: OpenLimits): OpenLimits {
  const all = ({ inAll }: PlaceLimits): PlaceLimits => ({ perUser: inAll, inAll });
  return { operations: all(operations), subscriptions: all(subscriptions), sockets: all(sockets) };
}

/** Operations end by themselves; streams when pages are closed. */
const RETRY_MS = { operations: 1_000, subscriptions: 30_000 };

export type Places = ReturnType<typeof openPlaces>;

/** Places that all engines of a server share. */
export const openPlaces = ({ operations, subscriptions }: OpenLimits) => ({
  operations: createPlaces('operations', operations, RETRY_MS.operations),
  /** While it is looked up what the viewer may do, so that a flood is refused before it reaches the database. */
  arriving: createPlaces('operations', operations, RETRY_MS.operations),
  subscriptions: createPlaces('subscriptions', subscriptions, RETRY_MS.subscriptions),
});

/**
 * Refuses what goes beyond a viewer's share of this server, or beyond their rates over all servers: with RATE_LIMITED and
 * when to try again, over HTTP as 429 with `Retry-After`. `rates` is null without sign-in. The last of the plugins that
 * change how operations are executed, since it goes around them.
 */
export function useFairShare(
  { operations, subscriptions }: Places,
  rates: RateLimits | null,
  log: Logger,
): Plugin<OperationContext> {
  const refused = (error: unknown, { requestId }: OperationContext): ExecutionResult => {
    if (error instanceof RateLimitedError) return { errors: [toSafeError(error, requestId, log)] };
    throw error;
  };
  return {
    onExecute({ executeFn, setExecuteFn }) {
      const execute: (args: ExecutionArgs) => unknown = executeFn;
      setExecuteFn(async (args: ExecutionArgs) => {
        const context = args.contextValue as OperationContext;
        let free: () => void;
        try {
          if (isMutation(args)) await rates?.pass('changes', context.viewer.id);
          else await rates?.pass('queryCost', context.viewer.id, costOf(context));
          free = operations(context.viewer.id);
        } catch (error) {
          return refused(error, context);
        }
        try {
          return await execute(args);
        } finally {
          free();
        }
      });
    },
    onSubscribe({ subscribeFn, setSubscribeFn }) {
      const subscribe = subscribeFn as (args: ExecutionArgs) => Promise<object> | object;
      let free = (): void => undefined;
      setSubscribeFn(async (args: ExecutionArgs) => {
        const context = args.contextValue as OperationContext;
        try {
          await rates?.pass('subscriptions', context.viewer.id);
          free = subscriptions(context.viewer.id);
        } catch (error) {
          return refused(error, context);
        }
        // Fires when the client leaves, or the server stops.
        context.signal.addEventListener('abort', free, { once: true });
        if (context.signal.aborted) free();
        try {
          const result = await subscribe(args);
          if (!(Symbol.asyncIterator in result)) free();
          return result;
        } catch (error) {
          free();
          throw error;
        }
      });
      return { onSubscribeResult: () => ({ onEnd: () => free() }) };
    },
  };
}
