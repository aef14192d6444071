import { createClient } from 'graphql-ws/client';
import { QPilotError, refusal, refusalOf } from './errors.ts';
import type { LogSink } from './follow-log.ts';
import type { payloadOf } from './operation.ts';
import type { Server } from './server.ts';

const PING_EACH_MS = 10_000;
const PONG_WITHIN_MS = 5_000;
/** With these a server closes the socket of somebody who is not signed in. */
const NOBODY_KNOWN = new Set([4401, 4403]);

/** Callbacks of a subscription; `data` is what one message of it has. */
type SubscriptionSink<Data> = Omit<LogSink<never>, 'event'> & { readonly data: (data: Data) => void };

/** Subscribes; what it returns ends that. `isDead` also gives up the socket, with all that goes over it. */
export type Subscribe = <Data>(
  payload: ReturnType<typeof payloadOf>,
  sink: SubscriptionSink<Data>,
) => (isDead?: boolean) => void;

/**
 * The subscriptions of a client, all over one socket. It is open while there are any, and never retried by itself:
 * only those who follow know the cursor to continue from. A server that answers no ping is given up.
 */
export function createSocket(server: Server): Subscribe {
  let shared: ReturnType<typeof connect> | null = null;

  const connect = () => {
    let isOpen = false;
    let deadline: ReturnType<typeof setTimeout> | undefined;
    const onEnd = (): void => {
      clearTimeout(deadline);
      isOpen = false;
      if (shared?.client === client) shared = null;
    };
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
        connected: () => {
          isOpen = true;
        },
        closed: onEnd,
        error: onEnd,
        ping: (isReceived) => {
          if (!isReceived) deadline = setTimeout(() => client.terminate(), PONG_WITHIN_MS);
        },
        pong: (isReceived) => {
          if (isReceived) clearTimeout(deadline);
        },
      },
    });
    return { client, isOpen: () => isOpen };
  };

  return <Data>(payload: ReturnType<typeof payloadOf>, sink: SubscriptionSink<Data>) => {
    if (server.webSocket === undefined) {
      throw new QPilotError(
        'NO_WEBSOCKET',
        'this runtime has no WebSocket: give one, { webSocket: WebSocket } of the package ws',
      );
    }
    shared ??= connect();
    const { client, isOpen } = shared;
    const stopWaiting = client.on('connected', sink.opened);
    if (isOpen()) sink.opened();
    const unsubscribe = client.subscribe<Data>(payload, {
      next: ({ data, errors }) => {
        if (errors) return sink.refused(refusalOf(errors));
        if (data) sink.data(data);
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
    return (isDead = false) => {
      stopWaiting();
      unsubscribe();
      if (isDead) client.terminate();
    };
  };
}

/** The socket reports operations that were refused as a list, and everything else as one error or event. */
const isOperationErrors = (error: unknown): error is Parameters<typeof refusalOf>[0] => Array.isArray(error);
