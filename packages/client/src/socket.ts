import { createClient } from 'graphql-ws/client';
import { QPilotError, refusal, refusalOf } from './errors.ts';
import type { OpenLog } from './follow-log.ts';
import { payloadOf, type Operation } from './operation.ts';
import type { Server } from './server.ts';

const PING_EACH_MS = 10_000;
const PONG_WITHIN_MS = 5_000;
/** With these a server closes the socket of somebody who is not signed in. */
const NOBODY_KNOWN = new Set([4401, 4403]);

/**
 * Opens a log over graphql-ws, on a socket of its own that is never retried by itself, since only the follower knows
 * the cursor to continue from. A server that answers no ping is given up.
 */
export function openEvents<Data extends object, Variables, Event>(
  server: Server,
  what: Operation<Data, Variables>,
  variables: Record<string, unknown>,
): OpenLog<Event> {
  if (server.webSocket === undefined) {
    throw new QPilotError(
      'NO_WEBSOCKET',
      'this runtime has no WebSocket: give one, { webSocket: WebSocket } of the package ws',
    );
  }
  return (afterSeq, sink) => {
    let deadline: ReturnType<typeof setTimeout> | undefined;
    const client = createClient({
      url: `${server.url.replace(/^http/, 'ws')}/graphql`,
      connectionParams: {
        ...(server.token !== null && { authorization: `Bearer ${server.token}` }),
        ...(server.projectId !== null && { projectId: server.projectId }),
      },
      webSocketImpl: server.webSocket,
      retryAttempts: 0,
      keepAlive: PING_EACH_MS,
      on: {
        connected: () => sink.opened(),
        ping: (isReceived) => {
          if (!isReceived) deadline = setTimeout(() => client.terminate(), PONG_WITHIN_MS);
        },
        pong: (isReceived) => {
          if (isReceived) clearTimeout(deadline);
        },
      },
    });
    const unsubscribe = client.subscribe<Data>(payloadOf(what, { ...variables, afterSeq }), {
      next: ({ data, errors }) => {
        if (errors) return sink.refused(refusalOf(errors));
        if (data) sink.event(eventOf(data) as Event);
      },
      error: (error) => {
        if (isOperationErrors(error)) sink.refused(refusalOf(error));
        else if (NOBODY_KNOWN.has((error as { readonly code?: number } | null)?.code ?? 0)) {
          sink.refused(
            refusal('UNAUTHENTICATED', `${server.url} does not know who asks: sign in, or give a token`),
          );
        } else sink.dropped();
      },
      complete: () => sink.dropped(),
    });
    return () => {
      clearTimeout(deadline);
      unsubscribe();
      void client.dispose();
    };
  };
}

/** A subscription has one field. */
const eventOf = (data: object): unknown => Object.entries(data).find(([name]) => name !== '__typename')?.[1];

/** The socket reports operations that were refused as a list, and everything else as one error or event. */
const isOperationErrors = (error: unknown): error is Parameters<typeof refusalOf>[0] => Array.isArray(error);
