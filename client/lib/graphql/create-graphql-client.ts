/**
 * How pages reach the server: queries and mutations over HTTP, subscriptions over one socket, both in the chosen
 * project. Documents are `.graphql` files beside the components that use them; import them typed from
 * `client/gql/graphql.ts`.
 */
import { createClient, type Client as Socket } from 'graphql-ws';
import { cacheExchange, Client, fetchExchange, mapExchange, subscriptionExchange } from 'urql';
import { openSignIn } from '../auth/auth.ts';
import { setServerTime } from '../server-clock.ts';
import { persistedOperations } from './persisted-operations.ts';
import { chosenProject } from './project.ts';

/** Makes the client of a page; nothing is sent before it is asked for. */
export function createGraphqlClient(): Client {
  const socket = createSocket();
  const projectId = chosenProject();
  return new Client({
    url: '/graphql',
    preferGetMethod: false,
    fetchOptions: () => ({ headers: projectId === null ? {} : { 'x-project-id': projectId } }),
    // What was seen before is shown at once and asked for again behind it.
    requestPolicy: 'cache-and-network',
    exchanges: [
      persistedOperations,
      signInWhenAsked,
      cacheExchange,
      readServerTime,
      fetchExchange,
      subscriptionExchange({
        forwardSubscription: ({ query = '', variables, extensions }) => ({
          subscribe: (sink) => ({
            unsubscribe: socket.subscribe(
              { query, ...(variables && { variables }), ...(extensions && { extensions }) },
              {
                ...sink,
                next: ({ data = null, errors }) =>
                  sink.next({ data, ...(errors && { errors: [...errors] }) }),
              },
            ),
          }),
        }),
      }),
    ],
  });
}

/** Nobody is signed in, or not any more: the page to sign in takes over. */
const signInWhenAsked = mapExchange({
  onError(error) {
    if (error.graphQLErrors.some(({ extensions }) => extensions['code'] === 'UNAUTHENTICATED')) openSignIn();
  },
});

/** Below the cache, which repeats what the time was. */
const readServerTime = mapExchange({
  onResult({ data }) {
    const time = (data as { viewer?: { serverTime?: unknown } } | undefined)?.viewer?.serverTime;
    if (typeof time === 'string') setServerTime(time);
  },
});

/** With which a server closes the socket of somebody who is not signed in. */
const FORBIDDEN = 4403;

const LONGEST_WAIT_MS = 10_000;

/**
 * Makes the socket of all subscriptions of a page. It connects with the first subscription and tries again without
 * end, at most {@link LONGEST_WAIT_MS} apart. After a drop it subscribes again as before: callers that follow numbered
 * events must subscribe by a cursor of their own instead (`client/lib/live/`).
 */
function createSocket(): Socket {
  const projectId = chosenProject();
  return createClient({
    url: new URL('/graphql', location.href).href.replace(/^http/, 'ws'),
    ...(projectId !== null && { connectionParams: { projectId } }),
    retryAttempts: Infinity,
    shouldRetry: () => true,
    on: { closed: (event) => void ((event as CloseEvent).code === FORBIDDEN && openSignIn()) },
    retryWait: (retries) => pause(Math.min(LONGEST_WAIT_MS, 250 * 2 ** retries)),
  });
}

/** Ends early when the network comes back. */
function pause(durationMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, durationMs);
  addEventListener('online', () => resolve(), { once: true });
  return promise.finally(() => clearTimeout(timer));
}
