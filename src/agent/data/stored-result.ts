/**
 * Results kept whole in a session's data store: their keys, and the short form that the model reads instead.
 */
import { createHash } from 'node:crypto';
import type { Json, JsonObject } from '../../domain/visuals.ts';

/** What determines the key of a stored result. */
export type StoredResultKey = {
  /** `chip_summary` or the parameter's name. */
  readonly name: string;
  readonly chipId: string;
  readonly sessionChipId: string | null;
  /** Arguments that differ from their defaults, chip and parameter apart. */
  readonly otherArguments: JsonObject;
};

/**
 * Key of a stored result: the plain name for the session's chip with default arguments, so that analysis code can rely
 * on it; else the same with `@chip`, with `#hash` of the other arguments, or both. A newer result takes the same key.
 */
export function dataKey({ name, chipId, sessionChipId, otherArguments }: StoredResultKey): string {
  const chip = chipId === sessionChipId ? '' : `@${chipId}`;
  const entries = Object.entries(otherArguments).toSorted(([a], [b]) => (a < b ? -1 : 1));
  if (entries.length === 0) return `${name}${chip}`;
  const hash = createHash('sha256').update(JSON.stringify(entries)).digest('hex').slice(0, 8);
  return `${name}${chip}#${hash}`;
}

/**
 * The short form of a stored result: lists become their columns and row count, everything else stays, and a note
 * states where the whole is.
 */
export function summariseStored(data: JsonObject, key: string): JsonObject {
  const summary = Object.entries(data).map(([name, value]) => [name, isList(value) ? columns(value) : value]);
  return {
    ...(Object.fromEntries(summary) as JsonObject),
    data_key: key,
    _note: `Full data is data[${JSON.stringify(key)}] in execute_python_analysis; do not pass it yourself.`,
  };
}

function columns(rows: readonly Json[]): JsonObject {
  const [first] = rows;
  const named = typeof first === 'object' && first !== null && !isList(first);
  return named ? { _schema: Object.keys(first), _rows: rows.length } : { _rows: rows.length };
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);
