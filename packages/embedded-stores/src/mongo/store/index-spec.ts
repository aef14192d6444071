/** Index definitions: which options exist, and the keys a document has in an index. */
import { MongoError } from '../errors.ts';
import { type Filter, parseFilter } from '../query/filter.ts';
import { matches } from '../query/match.ts';
import { needPath, type Needs } from '../query/needs.ts';
import { EMPTY_ARRAY, orderKey } from '../query/order-key.ts';
import { keyValuesAt, parsePath, type Path } from '../query/paths.ts';
import { type Doc, getField, isDoc, isTruthy, type Maybe, numberOf } from '../query/values.ts';

/** One field of an index. */
export type IndexField = { readonly path: string; readonly parts: Path; readonly descending: boolean };

/** Which fields of an index hold arrays, one bit each, the first field's the lowest. */
export type ArrayFields = number;

/** The definition of an index, without the location of its entries. */
export type IndexSpec = {
  readonly name: string;
  /** As the client sent it, `{v: 2, key, name, …}`. */
  readonly definition: Doc;
  readonly fields: readonly IndexField[];
  readonly unique: boolean;
  readonly sparse: boolean;
  readonly partial: Filter | undefined;
};

const OPTIONS = ['v', 'key', 'name', 'unique', 'sparse', 'partialFilterExpression', 'background'];

/** Checks a definition and records the fields of its keys in `needs`. */
export function parseIndex(definition: Doc, needs: Needs): IndexSpec {
  for (const option of Object.keys(definition)) {
    if (!OPTIONS.includes(option)) {
      throw new MongoError('CannotCreateIndex', `index option '${option}' is not supported by this server`);
    }
  }
  const { key, name, partialFilterExpression: partial } = definition;
  if (!isDoc(key) || Object.keys(key).length === 0) {
    throw new MongoError('CannotCreateIndex', 'Index keys cannot be empty.');
  }
  if (typeof name !== 'string' || name === '')
    throw new MongoError('CannotCreateIndex', 'index name must not be empty');
  if (partial !== undefined && !isDoc(partial)) {
    throw new MongoError('TypeMismatch', 'partialFilterExpression must be an object');
  }
  return {
    name,
    definition,
    fields: Object.entries(key).map(([path, direction]) => parseField(path, direction, needs)),
    unique: name === '_id_' || isTruthy(getField(definition, 'unique')),
    sparse: isTruthy(getField(definition, 'sparse')),
    partial: partial && parseFilter(partial, needs),
  };
}

function parseField(path: string, direction: Maybe, needs: Needs): IndexField {
  const sign = numberOf(direction);
  if (sign !== 1 && sign !== -1) {
    throw new MongoError(
      'CannotCreateIndex',
      `index '${path}': only 1 and -1 are supported (no text, geo, hashed or wildcard)`,
    );
  }
  needPath(needs, path);
  return { path, parts: parsePath(path), descending: sign < 0 };
}

/**
 * The entries of a document: none (sparse, partial), one, or one for each element of the array on one of its
 * paths.
 */
export function indexKeys(
  spec: IndexSpec,
  document: Doc,
): { readonly keys: Buffer[]; readonly arrays: ArrayFields } {
  if (spec.partial && !matches(spec.partial, document)) return { keys: [], arrays: 0 };
  const columns = spec.fields.map(({ path, parts, descending }) => ({
    path,
    ...keyValuesAt(document, parts),
    descending,
  }));
  if (spec.sparse && !spec.fields.some(({ parts }) => isPresent(document, parts)))
    return { keys: [], arrays: 0 };
  const arrays = columns.filter(({ multikey }) => multikey);
  const [first, second] = arrays;
  if (first && second) {
    throw new MongoError(
      'CannotIndexParallelArrays',
      `cannot index parallel arrays [${second.path}] [${first.path}] in index ${spec.name}`,
    );
  }
  let keys: Buffer[] = [Buffer.alloc(0)];
  for (const { values, descending } of columns) {
    const parts = unique(values.map((value) => orderKey(value, descending)));
    keys = keys.flatMap((key) => parts.map((part) => Buffer.concat([key, part])));
  }
  return { keys, arrays: first ? 1 << columns.indexOf(first) : 0 };
}

function isPresent(document: Doc, parts: Path): boolean {
  return matches({ kind: 'field', path: '', parts, test: { op: 'exists' } }, document);
}

function unique(keys: readonly Buffer[]): readonly Buffer[] {
  return keys.length === 1 ? keys : [...new Map(keys.map((key) => [key.toString('latin1'), key])).values()];
}

/** The indexed values, for the message and details of a duplicate key error. */
export function keyValues(spec: IndexSpec, document: Doc): Doc {
  return Object.fromEntries(
    spec.fields.map(({ path, parts }) => {
      const [value] = keyValuesAt(document, parts).values;
      return [path, value === undefined || value === EMPTY_ARRAY ? null : value];
    }),
  );
}
