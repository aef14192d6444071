import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { createConnection, type Connection, type Operation } from '@qpilot/client';
import { stringifyDocument } from 'urql';
import { persistedHash } from '../graphql/persisted-operations.ts';
import { enteredProject } from '../graphql/project.ts';

let opened: Connection | null = null;

/** What goes over the socket of the page: each log that it follows, and each subscription. */
export const pageConnection = (): Connection =>
  (opened ??= createConnection({ projectId: enteredProject() }));

/** A document as a {@link Connection} sends it. */
export function asOperation<Data, Variables>(
  document: TypedDocumentNode<Data, Variables>,
): Operation<Data, Variables> {
  const hash = persistedHash(document);
  return { toString: () => stringifyDocument(document), ...(hash !== null && { __meta__: { hash } }) };
}
