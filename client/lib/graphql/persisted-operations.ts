import type { DocumentNode } from 'graphql';
import { mapExchange, type Exchange, type Operation } from 'urql';

/** Codegen gives each document the hash under which the build's manifest has it. */
type PersistedDocument = DocumentNode & { readonly __meta__?: { readonly hash?: string } };

/**
 * Says with each operation by which hash a server with `QPILOT_PERSISTED_ONLY=1` knows it. The text goes along
 * (`miss`), for servers that do not have the manifest of this build. Must come before exchanges that rewrite documents.
 */
export const persistedOperations: Exchange = mapExchange({
  onOperation: (operation) => withHash(operation),
});

function withHash(operation: Operation): Operation {
  const hash = persistedHash(operation.query);
  if (hash === null) return operation;
  const persistedQuery = { version: 1, sha256Hash: hash, miss: true } as const;
  return { ...operation, extensions: { ...operation.extensions, persistedQuery } };
}

/** The hash of a document; null for one that codegen did not generate. */
export const persistedHash = (document: DocumentNode): string | null =>
  (document as PersistedDocument).__meta__?.hash ?? null;
