import { GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { z } from 'zod';
import type { ClientState } from './client-build/open-client.ts';

/** Finds the text of an operation by the hash that a client sent with it. */
export type FindDocument = (extensions: unknown) => string;

const named = z.object({ persistedQuery: z.object({ sha256Hash: z.string() }) });

/**
 * For servers that run no other operations than those that QPilot's own clients were built with. What the caller sent as
 * text is not read at all.
 */
export function persistedDocuments(state: () => ClientState): FindDocument {
  return (extensions) => {
    const client = state();
    const hash = named.safeParse(extensions).data?.persistedQuery.sha256Hash;
    if (hash === undefined) {
      throw refusal('this server runs the operations of its own clients only; it was asked for another one');
    }
    if (client.kind !== 'ready') throw refusal('the operations of the clients are not built yet');
    const text = client.build.documents.get(hash);
    if (text === undefined) {
      throw refusal(`there is no operation ${hash} in this version; load the page again`);
    }
    return text;
  };
}

/** Puts the known text in the place of the sent one, over HTTP; `websocket.ts` does the same for subscriptions. */
export function usePersistedDocuments(find: FindDocument): Plugin {
  return {
    onParams({ params, setParams }) {
      setParams({ ...params, query: find(params.extensions) });
    },
  };
}

const refusal = (message: string): GraphQLError =>
  new GraphQLError(message, { extensions: { code: 'PERSISTED_QUERY_NOT_FOUND', http: { status: 400 } } });
