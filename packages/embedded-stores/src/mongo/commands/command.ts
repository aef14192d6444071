/** The contract of command handlers, and the helpers that several of them use. */
import { type Cursors } from '../cursors.ts';
import { MongoError } from '../errors.ts';
import { type Doc, isDoc, numberOf } from '../query/values.ts';
import { type Index, type Collection, type Store } from '../store/store.ts';
import { type Steps } from '../steps.ts';
import { type Reply } from '../wire.ts';

/** What every command handler gets. */
export type CommandContext = {
  readonly store: Store;
  readonly cursors: Cursors;
  /** Called with every query that has two access paths to compare; see `check.ts`. */
  readonly checkQueries: boolean;
};

/** What a client sent. */
export type CommandRequest = {
  readonly body: Doc;
  readonly database: string;
  /** The raw `documents` of an insert. */
  readonly documents: readonly Buffer[];
};

/** Runs a command, at once or in steps; throws MongoError to refuse it. */
export type Command = (request: CommandRequest, context: CommandContext) => Reply | Steps<Reply>;

/** The collection, or NamespaceNotFound. */
export function requireCollection({ store }: CommandContext, database: string, name: string): Collection {
  const collection = store.collection(database, name);
  if (collection) return collection;
  throw new MongoError('NamespaceNotFound', `ns not found ${database}.${name}`);
}

/** The index that a hint names by name or key pattern. */
export function resolveHint(collection: Collection, hint: string | Doc | undefined): Index | undefined {
  if (hint === undefined) return undefined;
  const wanted = JSON.stringify(hint);
  const index = collection.indexes.find(({ spec }) =>
    typeof hint === 'string' ? spec.name === hint : JSON.stringify(spec.definition['key']) === wanted,
  );
  if (index) return index;
  throw new MongoError(
    'BadValue',
    'error processing query: hint provided does not correspond to an existing index',
  );
}

/** Milliseconds that the command may take, without later `getMore`s. Infinity without a limit. */
export function timeLimitOf(body: Doc): number {
  return numberOf(body['maxTimeMS']) || Infinity;
}

/** The session a command belongs to, as a key. */
export function sessionOf(body: Doc): string | undefined {
  const lsid = body['lsid'];
  return isDoc(lsid) ? JSON.stringify(lsid) : undefined;
}
