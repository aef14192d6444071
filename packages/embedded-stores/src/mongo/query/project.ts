/** Projections of `find` and `$project`, and `$addFields`/`$set` and `$unset` (manual: "$project (aggregation)"). */
import { MongoError } from '../errors.ts';
import type { Compiler, Evaluate, Variables } from './compiler.ts';
import { needPath } from './needs.ts';
import {
  type Doc,
  getField,
  isDoc,
  isNumeric,
  isTruthy,
  type Maybe,
  setField,
  type Value,
} from './values.ts';

/** A compiled projection. */
export type Projection = {
  /** True for an inclusion: the result holds only what was recorded as needed. */
  readonly closes: boolean;
  /** The top-level fields of the result, if it is nothing but stored fields. */
  readonly kept?: ReadonlySet<string>;
  readonly apply: (document: Doc, variables: Variables) => Doc;
};

/** What happens to one field: kept, dropped, computed, or projected itself. */
type Node =
  | { readonly kind: 'leaf'; readonly keep: boolean }
  | { readonly kind: 'computed'; readonly evaluate: Evaluate }
  | Branch;
type Branch = { readonly kind: 'branch'; readonly children: Map<string, Node> };

/** Compiles a projection. `_id` is kept unless it is excluded; all other fields must be included, or all excluded. */
export function compileProjection(spec: Doc, compiler: Compiler): Projection {
  const root: Branch = { kind: 'branch', children: new Map() };
  addSpec(root, spec, '', compiler);
  const including = isInclusion(root);
  if (including === undefined) {
    throw new MongoError(31254, 'Cannot do exclusion on some fields in inclusion projection');
  }
  if (!including) return { closes: false, apply: (document) => exclude(document, root) };
  if (!root.children.has('_id')) root.children.set('_id', { kind: 'leaf', keep: true });
  noteNeeds(root, compiler);
  const kept = keptFields(root);
  return {
    closes: true,
    ...(kept && { kept }),
    apply: (document, variables) => include(document, root, document, variables),
  };
}

function keptFields({ children }: Branch): ReadonlySet<string> | undefined {
  const kept = new Set<string>();
  for (const [name, node] of children) {
    if (node.kind !== 'leaf') return undefined;
    if (node.keep) kept.add(name);
  }
  return kept;
}

/** Compiles `$addFields`: computed values, also nested and by dotted path. */
export function compileAddFields(spec: Value, compiler: Compiler, name: string): Projection {
  if (!isDoc(spec)) throw new MongoError(40272, `${name} specification stage must be an object`);
  const root: Branch = { kind: 'branch', children: new Map() };
  addComputed(root, spec, '', compiler);
  return { closes: false, apply: (document, variables) => addTo(document, root, document, variables) };
}

/** Compiles `$unset` of one or several paths. */
export function compileUnset(spec: Value): Projection {
  const root: Branch = { kind: 'branch', children: new Map() };
  const paths = Array.isArray(spec) ? spec : [spec];
  for (const path of paths) {
    if (typeof path !== 'string' || path === '')
      throw new MongoError(31002, '$unset specification must be a string or an array of strings');
    place(root, path, { kind: 'leaf', keep: false });
  }
  return { closes: false, apply: (document) => exclude(document, root) };
}

function addSpec(root: Branch, spec: Doc, prefix: string, compiler: Compiler): void {
  if (Object.keys(spec).length === 0)
    throw new MongoError(51272, 'Invalid $project: specification must have at least one field');
  for (const [key, value] of Object.entries(spec)) {
    const path = prefix + key;
    if (key.startsWith('$'))
      throw new MongoError(16410, `FieldPath field names may not start with '$': '${path}'`);
    if (isNumeric(value) || typeof value === 'boolean')
      place(root, path, { kind: 'leaf', keep: isTruthy(value) });
    else if (isDoc(value) && !isExpression(value)) addSpec(root, value, `${path}.`, compiler);
    else place(root, path, { kind: 'computed', evaluate: compiler.compile(value) });
  }
}

function addComputed(root: Branch, spec: Doc, prefix: string, compiler: Compiler): void {
  for (const [key, value] of Object.entries(spec)) {
    const path = prefix + key;
    if (isDoc(value) && !isExpression(value) && Object.keys(value).length > 0) {
      addComputed(root, value, `${path}.`, compiler);
    } else {
      needPath(compiler.needs, path);
      place(root, path, { kind: 'computed', evaluate: compiler.compile(value) });
    }
  }
}

function isExpression(value: Doc): boolean {
  return Object.keys(value)[0]?.startsWith('$') ?? false;
}

/** Puts a node at a dotted path; two specifications that meet are an error. */
function place(root: Branch, path: string, node: Node): void {
  let branch = root;
  const parts = path.split('.');
  if (parts.includes(''))
    throw new MongoError(40352, `FieldPath cannot be constructed with empty string: '${path}'`);
  for (const part of parts.slice(0, -1)) {
    const next = branch.children.get(part) ?? { kind: 'branch' as const, children: new Map<string, Node>() };
    if (next.kind !== 'branch') throw collision(path);
    branch.children.set(part, next);
    branch = next;
  }
  const last = parts.at(-1) ?? '';
  if (branch.children.has(last)) throw collision(path);
  branch.children.set(last, node);
}

function collision(path: string): MongoError {
  return new MongoError(31250, `Path collision at ${path}`);
}

/** True for inclusion, false for exclusion, undefined for a mixture. `_id` decides only when it is alone. */
function isInclusion(root: Branch): boolean | undefined {
  const kinds = new Set<boolean>();
  const collect = (node: Node): void => {
    if (node.kind === 'branch') for (const child of node.children.values()) collect(child);
    else kinds.add(node.kind === 'computed' || node.keep);
  };
  for (const [name, node] of root.children) if (name !== '_id' || node.kind !== 'leaf') collect(node);
  const [only] = kinds;
  if (kinds.size > 1) return undefined;
  const id = root.children.get('_id');
  return only ?? (id?.kind === 'leaf' && id.keep);
}

function noteNeeds(root: Branch, compiler: Compiler): void {
  for (const [name, node] of root.children) if (node.kind !== 'computed') needPath(compiler.needs, name);
}

/** Kept fields in document order, then computed ones in the order of the specification. */
function include(document: Doc, { children }: Branch, root: Doc, variables: Variables): Doc {
  const result: Doc = {};
  for (const [name, value] of Object.entries(document)) {
    const node = children.get(name);
    if (!node || node.kind === 'computed') continue;
    if (node.kind === 'leaf') {
      if (node.keep) setField(result, name, value);
      continue;
    }
    const inner = includeWithin(value, node, root, variables);
    if (inner !== undefined) setField(result, name, inner);
  }
  for (const [name, node] of children) {
    if (node.kind === 'leaf' || Object.hasOwn(result, name)) continue;
    const computed =
      node.kind === 'computed' ? node.evaluate(root, variables) : computedOnly(node, root, variables);
    if (computed !== undefined) setField(result, name, computed);
  }
  return result;
}

function includeWithin(value: Value, node: Branch, root: Doc, variables: Variables): Maybe {
  if (isDoc(value)) return include(value, node, root, variables);
  if (!Array.isArray(value)) return undefined;
  return value.flatMap((item) => {
    const inner = includeWithin(item, node, root, variables);
    return inner === undefined ? [] : [inner];
  });
}

/** A branch that is missing from the document appears only if something in it is computed. */
function computedOnly(node: Branch, root: Doc, variables: Variables): Maybe {
  const result = include({}, node, root, variables);
  return Object.keys(result).length > 0 ? result : undefined;
}

function exclude(document: Doc, { children }: Branch): Doc {
  const result: Doc = {};
  for (const [name, value] of Object.entries(document)) {
    const node = children.get(name);
    if (!node || (node.kind === 'leaf' && node.keep)) setField(result, name, value);
    else if (node.kind === 'branch') setField(result, name, excludeWithin(value, node));
  }
  return result;
}

function excludeWithin(value: Value, node: Branch): Value {
  if (isDoc(value)) return exclude(value, node);
  return Array.isArray(value) ? value.map((item) => excludeWithin(item, node)) : value;
}

/** Sets computed values on a copy; a value that is missing removes nothing. */
function addTo(document: Doc, { children }: Branch, root: Doc, variables: Variables): Doc {
  const result: Doc = { ...document };
  for (const [name, node] of children) {
    if (node.kind === 'computed') {
      const value = node.evaluate(root, variables);
      if (value !== undefined) setField(result, name, value);
    } else if (node.kind === 'branch') {
      setField(result, name, addWithin(getField(document, name), node, root, variables));
    }
  }
  return result;
}

function addWithin(value: Maybe, node: Branch, root: Doc, variables: Variables): Value {
  if (Array.isArray(value)) return value.map((item) => addWithin(item, node, root, variables));
  return addTo(isDoc(value) ? value : {}, node, root, variables);
}
