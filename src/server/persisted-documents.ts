import { GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { z } from 'zod';
import type { ClientState } from './client-build/open-client.ts';

/** Finds the text of an operation by the hash that a client sent with it. */
export type FindDocument = (extensions: unknown) => string;

const named = z.object({ persistedQuery: z.object({ sha256Hash: z.string() }) });

/** For servers that only run the operations of QPilot's own clients. Text sent by the caller is ignored. */
export function persistedDocuments(state: () => ClientState): FindDocument {
  return (extensions) => {
    const client = state();
    const hash = named.safeParse(extensions).data?.persistedQuery.sha256Hash;
    if (hash === undefined) {
      throw refusal('this server only runs the operations of its own clients');
    }
    if (client.kind !== 'ready') throw refusal('the clients are still being built');
    const text = client.build.documents.get(hash);
    if (text === undefined) {
      throw refusal(`there is no operation ${hash} in this version; load the page again`);
    }
    return text;
  };
}

/** Replaces the sent text by the known one, over HTTP; `websocket.ts` does so for subscriptions. */
export function usePersistedDocuments(find: FindDocument): Plugin {
  return {
    onParams({ params, setParams }) {
      setParams({ ...params, query: find(params.extensions) });
    },
  };
}

const refusal = (message: string): GraphQLError =>
  new GraphQLError(message, { extensions: { code: 'PERSISTED_QUERY_NOT_FOUND', http: { status: 400 } } });
