import { useState, type ReactNode } from 'react';
import { Provider } from 'urql';
import { createGraphqlClient } from './create-graphql-client.ts';

/** Gives the pages below it the way to the server. */
export function GraphqlProvider({ children }: { readonly children: ReactNode }) {
  const [client] = useState(createGraphqlClient);
  return <Provider value={client}>{children}</Provider>;
}
