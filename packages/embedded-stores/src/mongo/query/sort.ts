/** `$sort` and the sort of `find`: the type order of `compare.ts`, arrays by their smallest or greatest element. */
import { MongoError } from '../errors.ts';
import { atOnce, type Flow, PAUSE, type Steps } from '../steps.ts';
import { needPath, type Needs } from './needs.ts';
import { orderKey } from './order-key.ts';
import { keyValuesAt, parsePath, type Path } from './paths.ts';
import { type Doc, numberOf } from './values.ts';

/** One field of a sort, in order of weight. */
export type SortField = { readonly path: string; readonly parts: Path; readonly direction: 1 | -1 };

/** Parses `{field: 1 | -1, …}` and records the fields in `needs`. */
export function parseSort(spec: Doc, needs: Needs): SortField[] {
  return Object.entries(spec).map(([path, direction]) => {
    const sign = numberOf(direction);
    if (sign !== 1 && sign !== -1) {
      throw new MongoError(
        15975,
        `$sort key ordering must be specified using a number (1 or -1), field '${path}' has something else`,
      );
    }
    needPath(needs, path);
    return { path, parts: parsePath(path), direction: sign };
  });
}

/** Bytes that order documents as the sort does. */
export function sortKey(document: Doc, sort: readonly SortField[]): Buffer {
  const keys = sort.map((field) => fieldKey(document, field));
  const [only] = keys;
  return keys.length === 1 && only ? only : Buffer.concat(keys);
}

function fieldKey(document: Doc, { parts, direction }: SortField): Buffer {
  const keys = keyValuesAt(document, parts).values.map((value) => orderKey(value, direction < 0));
  return keys.reduce((best, key) => (Buffer.compare(key, best) < 0 ? key : best));
}

/** How many surplus entries are collected before they are dropped. */
const SLACK = 1000;

type Keyed<T> = { readonly key: Buffer; readonly item: T };

/** Sorts items by key, stable. With `limit` only the first ones are kept, so memory does not grow with the input. */
export function* sortFlow<T>(
  items: Flow<T>,
  keyOf: (item: T) => Buffer,
  limit = Infinity,
): Steps<Keyed<T>[]> {
  let kept: Keyed<T>[] = [];
  const order = (a: { readonly key: Buffer }, b: { readonly key: Buffer }): number =>
    Buffer.compare(a.key, b.key);
  for (const item of items) {
    if (item === PAUSE) {
      yield PAUSE;
      continue;
    }
    kept.push({ key: keyOf(item), item });
    if (kept.length > limit * 4 + SLACK) kept = kept.sort(order).slice(0, limit);
  }
  kept.sort(order);
  return kept.length > limit ? kept.slice(0, limit) : kept;
}

/** The same of items that are all there. */
export const sortByKey = <T>(items: Iterable<T>, keyOf: (item: T) => Buffer): Keyed<T>[] =>
  atOnce(sortFlow(items, keyOf));
