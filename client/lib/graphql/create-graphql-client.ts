/**
 * How pages reach the server: queries and mutations over HTTP, subscriptions over one socket, both in the chosen project.
 * Documents are `.graphql` files beside the components that use them; import them typed from `client/gql/graphql.ts`.
 */
import { cacheExchange, Client, fetchExchange, subscriptionExchange } from 'urql';
import { chosenProject } from './project.ts';
import { persistedOperations } from './persisted-operations.ts';
import { createSocket } from './socket.ts';

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
      cacheExchange,
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
