/** The arguments of commands and how they are checked; to be imported as `arg`. */
import { z } from 'zod';
import { MongoError } from '../errors.ts';
import { type Doc, isDoc, isNumeric, isTruthy, type Maybe, numberOf, type Value } from '../query/values.ts';

/** A document argument. */
export const doc = z.custom<Doc>((value) => isDoc(value as Value | undefined), 'an object');
/** A pipeline or an array of statements. */
export const docs = z.array(doc);
/** A whole number of any type. */
export const integer = z
  .custom<Value>((value) => Number.isSafeInteger(numberOf(value as Maybe)), 'an integer')
  .transform(numberOf);
/** A number of documents. */
export const count = integer.refine((value) => value >= 0, 'not negative');
/** A boolean; old drivers send numbers. */
export const boolean = z
  .custom<Value>((value) => typeof value === 'boolean' || isNumeric(value as Value), 'a boolean')
  .transform(isTruthy);
/** A value of any type. */
export const anything = z.custom<Value>((value) => value !== undefined, 'a value');
/** The name or the key pattern of an index. */
export const hint = z.union([z.string(), doc]);

/**
 * Arguments that every command takes. Read and write concerns always hold on one node that writes to disk;
 * `maxTimeMS` is read by `timeLimitOf`.
 */
const GENERIC = {
  $db: z.string().optional(),
  $readPreference: doc.optional(),
  $clusterTime: doc.optional(),
  lsid: doc.optional(),
  maxTimeMS: count.optional(),
  comment: anything.optional(),
  readConcern: doc.optional(),
  writeConcern: doc.optional(),
  apiVersion: z.string().optional(),
  apiStrict: boolean.optional(),
  apiDeprecationErrors: boolean.optional(),
} as const;

/** The schema of a command: its own arguments and the generic ones, nothing else. */
export function schema<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject({ ...GENERIC, ...shape });
}

/**
 * Checks the arguments of a command or of a statement in it. An unknown one is refused with 40415, a wrong type with
 * TypeMismatch; both name the argument.
 */
export function parse<Schema extends z.ZodType>(schema: Schema, body: Doc, name: string): z.infer<Schema> {
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
