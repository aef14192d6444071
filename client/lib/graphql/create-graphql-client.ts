/**
 * How pages reach the server: queries and mutations over HTTP, subscriptions over one socket, both in the chosen
 * project. Documents are `.graphql` files beside the components that use them; import them typed from
 * `client/gql/graphql.ts`.
 */
import { cacheExchange, Client, fetchExchange, mapExchange, subscriptionExchange } from 'urql';
import { openSignIn } from '../auth/auth.ts';
import { forwardSubscription } from '../live/forward-subscription.ts';
import { setServerTime } from '../server-clock.ts';
import { persistedOperations } from './persisted-operations.ts';
import { projectHeaders } from './project.ts';

/** Makes the client of a page; nothing is sent before it is asked for. */
export function createGraphqlClient(): Client {
  return new Client({
    url: '/graphql',
    preferGetMethod: false,
    fetchOptions: () => ({ headers: projectHeaders() }),
    // What was seen before is shown at once and asked for again behind it.
    requestPolicy: 'cache-and-network',
    exchanges: [
      persistedOperations,
      signInWhenAsked,
      cacheExchange,
      readAnswer,
      fetchExchange,
      subscriptionExchange({ forwardSubscription }),
    ],
  });
}

/** Nobody is signed in, or not any more: the page to sign in takes over. */
const signInWhenAsked = mapExchange({
  onError(error) {
    if (error.graphQLErrors.some(({ extensions }) => extensions['code'] === 'UNAUTHENTICATED')) openSignIn();
  },
});

/**
 * Below the cache, which repeats what the time was. An answer without data is `null` where the server refused it and
 * `undefined` where there was none; components and hooks know only the latter.
 */
const readAnswer = mapExchange({
  onResult(result) {
    const data: unknown = result.data ?? undefined;
    const time = (data as { viewer?: { serverTime?: unknown } } | undefined)?.viewer?.serverTime;
    if (typeof time === 'string') setServerTime(time);
    return { ...result, data };
  },
});
