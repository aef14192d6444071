/** What a command handler gets and gives, and the checking of command arguments. */
import { z } from 'zod';
import { type Cursors } from '../cursors.ts';
import { MongoError } from '../errors.ts';
import { type Doc, isDoc, isNumeric, toDouble, type Value } from '../query/values.ts';
import { type Index, type Collection, type Store } from '../store/store.ts';
import { type Reply } from '../wire.ts';

/** What all commands work with. */
export type CommandContext = {
  readonly store: Store;
  readonly cursors: Cursors;
  /** Called with every query that has two access paths to compare; see `check.ts`. */
  readonly checkQueries: boolean;
};

/** One decoded command. */
type CommandRequest = {
  readonly body: Doc;
  readonly database: string;
  /** The raw `documents` of an insert. */
  readonly documents: readonly Buffer[];
};

/** Runs a command; throws MongoError to refuse it. */
export type Command = (request: CommandRequest, context: CommandContext) => Reply;

/** A document argument. */
export const docArgument = z.custom<Doc>((value) => isDoc(value as Value | undefined), 'an object');
/** A pipeline or an array of statements. */
export const docsArgument = z.array(docArgument);
/** A whole number, sent as int, long or integral double. */
export const integerArgument = z
  .custom<Value>(
    (value) => isNumeric(value as Value) && Number.isSafeInteger(toDouble(value as never)),
    'an integer',
  )
  .transform((value) => (isNumeric(value) ? toDouble(value) : 0));
/** A number of documents. */
export const countArgument = integerArgument.refine((value) => value >= 0, 'not negative');
/** A truth value; drivers send booleans, old ones numbers. */
export const booleanArgument = z
  .custom<Value>((value) => typeof value === 'boolean' || isNumeric(value as Value), 'a boolean')
  .transform((value) => value === true || (isNumeric(value) && toDouble(value) !== 0));
/** A value of any type. */
export const anyArgument = z.custom<Value>((value) => value !== undefined, 'a value');
/** The name or the key pattern of an index. */
export const hintArgument = z.union([z.string(), docArgument]);

/**
 * Arguments that every command takes. What the concerns ask for holds anyway on one node that always writes to disk;
 * `maxTimeMS` is looked at by {@link timeLimitOf}.
 */
const GENERIC = {
  $db: z.string().optional(),
  $readPreference: docArgument.optional(),
  $clusterTime: docArgument.optional(),
  lsid: docArgument.optional(),
  maxTimeMS: countArgument.optional(),
  comment: anyArgument.optional(),
  readConcern: docArgument.optional(),
  writeConcern: docArgument.optional(),
  apiVersion: z.string().optional(),
  apiStrict: booleanArgument.optional(),
  apiDeprecationErrors: booleanArgument.optional(),
} as const;

/** The schema of a command: its own arguments beside the generic ones, nothing else. */
export function argumentsOf<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject({ ...GENERIC, ...shape });
}

/**
 * Checks the arguments of a command or of a statement in it. An unknown one is refused with 40415, a wrong type with
 * TypeMismatch; both name the argument.
 */
export function parseArguments<Schema extends z.ZodType>(
  schema: Schema,
  body: Doc,
  name: string,
): z.infer<Schema> {
  refuseTransaction(body);
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  if (issue?.code === 'unrecognized_keys') {
    throw new MongoError(40415, `BSON field '${name}.${issue.keys.join("', '")}' is an unknown field.`);
  }
  const path = [name, ...(issue?.path ?? [])].join('.');
  throw new MongoError(
    'TypeMismatch',
    `BSON field '${path}' is missing or of the wrong type: ${issue?.message ?? ''}`,
  );
}

function refuseTransaction(body: Doc): void {
  if (body['txnNumber'] !== undefined || body['startTransaction'] !== undefined) {
    throw new MongoError(
      'IllegalOperation',
      'Transaction numbers are only allowed on a replica set member or mongos; this server has no transactions',
    );
  }
}

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

/** Milliseconds that a command may take: its own only, not those of the `getMore`s after it. Infinity without a limit. */
export function timeLimitOf(body: Doc): number {
  const maxTimeMs = body['maxTimeMS'];
  return (isNumeric(maxTimeMs) && toDouble(maxTimeMs)) || Infinity;
}

/** The session a command belongs to, as a key. */
export function sessionOf(body: Doc): string | undefined {
  const lsid = body['lsid'];
  return isDoc(lsid) ? JSON.stringify(lsid) : undefined;
}
