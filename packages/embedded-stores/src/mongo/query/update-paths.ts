/** Walks to the field that an update operator changes, creating documents on the way where allowed. */
import { MongoError } from '../errors.ts';
import { type Path } from './paths.ts';
import { type Doc, getField, isDoc, type Maybe, setField, typeName, type Value } from './values.ts';

type Container = Doc | Value[];

const ARRAY_INDEX = /^(0|[1-9]\d*)$/;
/** MongoDB's limit on the nulls added when an element far past the end of an array is set. */
const MAX_PADDING = 1_500_000;

/**
 * Changes the value at `path` in place: `edit` gets the current value and returns the new one, or `undefined` to
 * remove it. Without `create` a missing path is left alone; with it, a scalar on the way is PathNotViable (28).
 */
export function editPath(document: Doc, path: Path, create: boolean, edit: (current: Maybe) => Maybe): void {
  let container: Container = document;
  for (const [depth, part] of path.slice(0, -1).entries()) {
    const next = read(container, part, create);
    if (next === undefined) {
      if (!create) return;
      const made: Doc = {};
      write(container, part, made);
      container = made;
    } else if (isDoc(next) || Array.isArray(next)) {
      container = next;
    } else {
      if (!create) return;
      throw notViable(path[depth + 1] ?? '', part, next);
    }
  }
  const last = path.at(-1) ?? '';
  const current = read(container, last, create);
  const value = edit(current);
  if (value !== undefined) write(container, last, value);
  else if (current !== undefined) remove(container, last);
}

function read(container: Container, part: string, create: boolean): Maybe {
  if (!Array.isArray(container)) return getField(container, part);
  if (ARRAY_INDEX.test(part)) return container[Number(part)];
  if (!create) return undefined;
  throw notViable(part, 'array', container);
}

function write(container: Container, part: string, value: Value): void {
  if (!Array.isArray(container)) return setField(container, part, value);
  const index = Number(part);
  if (index - container.length > MAX_PADDING) {
    throw new MongoError('BadValue', `cannot set element ${part} so far past the end of an array`);
  }
  while (container.length < index) container.push(null);
  container[index] = value;
}

/** `$unset` of an array element leaves null, so that the others keep their positions. */
function remove(container: Container, part: string): void {
  if (Array.isArray(container)) container[Number(part)] = null;
  else delete container[part];
}

function notViable(field: string, parent: string, found: Value): MongoError {
  return new MongoError(
    'PathNotViable',
    `Cannot create field '${field}' in element {${parent}: ${JSON.stringify(found)}} of type ${typeName(found)}`,
  );
}
