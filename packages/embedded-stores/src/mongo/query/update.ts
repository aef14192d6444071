/** Updates: operator documents and replacements, and the document that an upsert inserts. */
import { ObjectId } from 'bson';
import { UPDATE_OPERATORS, type UpdateOperator } from '../allow-list.ts';
import { MongoError } from '../errors.ts';
import { equalValues } from './compare.ts';
import { type Filter } from './filter.ts';
import { parsePath, type Path } from './paths.ts';
import { editPath } from './update-paths.ts';
import { EDITS, operandsOf } from './update-operators.ts';
import { type Doc, getField, type Maybe, type Value } from './values.ts';

/** A compiled update. */
export type Update = {
  readonly kind: 'operators' | 'replacement';
  /** Changes `document` in place, or returns another one; the caller compares `_id`. */
  readonly apply: (document: Doc, inserting: boolean) => Doc;
};

type Change = {
  readonly operator: UpdateOperator;
  readonly path: string;
  readonly apply: (document: Doc) => void;
};

/** Compiles the `u` of an update; an update pipeline (an array) is refused. */
export function compileUpdate(update: Value, { multi = false } = {}): Update {
  if (Array.isArray(update))
    throw new MongoError('FailedToParse', 'update pipelines are not supported by this server');
  const fields = operandsOf('update', update);
  const first = Object.keys(fields)[0];
  if (!first?.startsWith('$')) return compileReplacement(fields, multi);
  const changes = Object.entries(fields).flatMap(([operator, operands]) =>
    compileOperator(operator, operands),
  );
  checkConflicts(changes.map(({ path }) => path));
  return {
    kind: 'operators',
    apply: (document, inserting) => {
      for (const change of changes) {
        if (change.operator !== '$setOnInsert' || inserting) change.apply(document);
      }
      return document;
    },
  };
}

function compileReplacement(replacement: Doc, multi: boolean): Update {
  if (multi)
    throw new MongoError('FailedToParse', 'multi update is not supported for replacement-style update');
  const operator = Object.keys(replacement).find((key) => key.startsWith('$'));
  if (operator) {
    throw new MongoError(
      'DollarPrefixedFieldName',
      `The dollar ($) prefixed field '${operator}' is not allowed in a replacement`,
    );
  }
  return {
    kind: 'replacement',
    apply: (document) => {
      const id = getField(document, '_id');
      return id === undefined ? { ...replacement } : { _id: id, ...withoutSameId(replacement, id) };
    },
  };
}

/** Drops the replacement's `_id` if it equals the stored one, so that the stored type stays. */
function withoutSameId(replacement: Doc, id: Value): Doc {
  const { _id: given, ...rest } = replacement;
  return given === undefined || equalValues(given, id) ? rest : replacement;
}

/** MongoDB applies the fields of an operator in lexicographic order. */
function compileOperator(operator: string, operands: Value): Change[] {
  if (!isUpdateOperator(operator)) {
    throw new MongoError(
      'FailedToParse',
      `Unknown modifier: ${operator}. Expected a valid update modifier or pipeline-style update specified as an array`,
    );
  }
  const fields = Object.entries(operandsOf(operator, operands)).sort(([a], [b]) => (a < b ? -1 : 1));
  return fields.flatMap(([path, operand]) => {
    checkPath(path);
    if (operator === '$rename') return compileRename(path, operand);
    const { create, edit } = EDITS[operator](operand, path);
    const parts = parsePath(path);
    return [{ operator, path, apply: (document: Doc) => editPath(document, parts, create, edit) }];
  });
}

function isUpdateOperator(operator: string): operator is UpdateOperator {
  return (UPDATE_OPERATORS as readonly string[]).includes(operator);
}

/** A rename changes two paths; the second entry only takes part in the conflict check. */
function compileRename(path: string, target: Value): Change[] {
  if (typeof target !== 'string') {
    throw new MongoError('BadValue', `The 'to' field for $rename must be a string: ${path}`);
  }
  checkPath(target);
  const from = parsePath(path);
  const to = parsePath(target);
  return [
    { operator: '$rename', path, apply: (document) => rename(document, from, to) },
    { operator: '$rename', path: target, apply: () => undefined },
  ];
}

function rename(document: Doc, from: Path, to: Path): void {
  let moved: Maybe;
  editPath(document, from, false, (current) => {
    moved = current;
    return undefined;
  });
  const value = moved;
  if (value !== undefined) editPath(document, to, true, () => value);
}

function checkPath(path: string): void {
  const parts = path.split('.');
  if (parts.includes(''))
    throw new MongoError(56, `The update path '${path}' contains an empty field name, which is not allowed.`);
  const positional = parts.find((part) => part.startsWith('$'));
  if (positional !== undefined) {
    throw new MongoError(
      'BadValue',
      `The positional operator '${positional}' in '${path}' is not supported by this server`,
    );
  }
}

function checkConflicts(paths: readonly string[]): void {
  const sorted = paths.toSorted();
  for (const [i, path] of sorted.entries()) {
    const clash = sorted.slice(i + 1).find((other) => other === path || other.startsWith(`${path}.`));
    if (clash !== undefined) {
      throw new MongoError(
        'ConflictingUpdateOperators',
        `Updating the path '${clash}' would create a conflict at '${path}'`,
      );
    }
  }
}

/** Applies an update to a stored document, which is changed in place; `_id` must stay the same. */
export function applyUpdate(update: Update, document: Doc): Doc {
  const id = getField(document, '_id');
  const after = update.apply(document, false);
  const newId = getField(after, '_id');
  if (id !== undefined && (newId === undefined || !equalValues(id, newId))) {
    throw new MongoError(
      'ImmutableField',
      `Performing an update on the path '_id' would modify the immutable field '_id'`,
    );
  }
  return after;
}

/** The document that an upsert inserts: the filter's equalities, then the update. */
export function upsertDocument(update: Update, filter: Filter): Doc {
  const seed: Doc = {};
  for (const { path, value } of equalities(filter)) {
    if (update.kind === 'replacement' && path !== '_id') continue;
    editPath(seed, parsePath(path), true, () => value);
  }
  const seedId = getField(seed, '_id');
  const { _id: id = new ObjectId(), ...fields } = update.apply(seed, true);
  if (seedId !== undefined && !equalValues(seedId, id)) {
    throw new MongoError(
      'ImmutableField',
      `Performing an update on the path '_id' would modify the immutable field '_id'`,
    );
  }
  return { _id: id, ...fields };
}

function equalities(filter: Filter): { readonly path: string; readonly value: Value }[] {
  if (filter.kind === 'and') return filter.filters.flatMap(equalities);
  if (filter.kind !== 'field') return [];
  const { path, test } = filter;
  if (test.op === 'eq') return [{ path, value: test.value }];
  const [only, more] = test.op === 'in' ? test.values : [];
  return only !== undefined && more === undefined && test.op === 'in' && test.patterns.length === 0
    ? [{ path, value: only }]
    : [];
}
