/**
 * The short form of a tool's data, which language models are sent: numbers of four significant figures, short times,
 * no empty fields, and lists of objects as tables that state each column, and what all rows share, once.
 */
import { compactNumber, compactTimestamp } from '../../domain/text/compact.ts';
import type { Json, JsonObject } from '../../domain/visuals.ts';

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/u;

/** Short form of JSON; times of the year of `now` are without it. */
export function shortForm(node: Json, now: Date): Json {
  if (typeof node === 'number') return compactNumber(node);
  if (typeof node === 'string') return TIME.test(node) ? compactTimestamp(node, now) : node;
  if (typeof node !== 'object' || node === null) return node;
  if (isList(node)) {
    const items = node.map((item) => shortForm(item, now));
    return items.length > 1 && items.every(isObject) ? (tableOf(items) ?? items) : items;
  }
  const filled = Object.entries(node).filter(([, value]) => value !== null);
  return Object.fromEntries(filled.map(([name, value]) => [name, shortForm(value, now)]));
}

/** Items that need a longer heading than this differ too much for a table. */
const MOST_HEADING = 300;

/** `{each, columns, rows}`: `each` has the fields that are the same in all rows; nested names are joined by dots. Null for items too unlike. */
function tableOf(items: readonly JsonObject[]): JsonObject | null {
  const flat = items.map((item) => new Map(flattened(item, '')));
  const names = [...new Set(flat.flatMap((row) => [...row.keys()]))];
  const texts = (name: string) => new Set(flat.map((row) => JSON.stringify(row.get(name) ?? null)));
  const shared = names.filter((name) => texts(name).size === 1);
  const columns = names.filter((name) => !shared.includes(name));
  if (JSON.stringify([columns, shared]).length > MOST_HEADING) return null;
  return {
    ...(shared.length === 0
      ? {}
      : { each: Object.fromEntries(shared.map((name) => [name, flat[0]?.get(name) ?? null])) }),
    columns,
    rows: flat.map((row) => columns.map((name) => row.get(name) ?? null)),
  };
}

const flattened = (object: JsonObject, path: string): readonly (readonly [string, Json])[] =>
  Object.entries(object).flatMap(([name, value]) =>
    isObject(value) && !('rows' in value)
      ? flattened(value, `${path}${name}.`)
      : [[`${path}${name}`, value] as const],
  );

const isList = (node: Json): node is readonly Json[] => Array.isArray(node);
const isObject = (node: Json): node is JsonObject =>
  typeof node === 'object' && node !== null && !isList(node);
