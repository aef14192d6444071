/** Helpers shared by the queries of this folder. */
import { type Document, ObjectId } from 'mongodb';
import { readDate, readJsonObject, readText } from '../../domain/values/stored-values.ts';
import type { JsonObject } from '../../domain/visuals.ts';
import { redactJson, redactSecrets } from '../../base/redaction/redact.ts';
import type { ChipScope } from '../calibration-store.ts';

/**
 * Options of every read: the whole result comes with the first reply (it is bounded by chips, not by history), so
 * that the number of commands does not grow with the number of qubits.
 */
export const ONE_REPLY = { batchSize: 1_000_000 } as const;

/** Filter by chips of one project: the prefix of nearly every index of a QDash database. */
export function chipFilter({ projectId, chipIds }: ChipScope): Document {
  return { project_id: projectId, chip_id: oneOf(chipIds) };
}

/** Equality for a single value, which more indexes can serve in order than `$in`. */
export function oneOf<Value>(values: readonly Value[]): Value | { readonly $in: readonly Value[] } {
  const [only, ...others] = values;
  return only !== undefined && others.length === 0 ? only : { $in: values };
}

/** Text of a document id, which orders as the ids do. */
export function documentIdOf({ _id }: Document): string {
  return String(_id);
}

/** When a row was written according to its id, for rows that lack their own time. */
export function writtenAt({ _id }: Document): Date {
  return _id instanceof ObjectId ? _id.getTimestamp() : new Date(0);
}

/** Text that `readDate` takes for a time; MongoDB would read more, "today" among it. */
const ISO_TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)?$/;

/** Expression: end of a run, else its start, else null, by the rules of {@link readMeasuredAt}. Never an error. */
export const MEASURED_AT: Document = { $ifNull: [timeIn('$end_at'), timeIn('$start_at')] };

function timeIn(path: string): Document {
  const isOf = (type: string): Document => ({ $eq: [{ $type: path }, type] });
  const isIso = { $and: [isOf('string'), { $regexMatch: { input: path, regex: ISO_TIME } }] };
  const converted = { $convert: { input: path, to: 'date', onError: null, onNull: null } };
  return { $cond: [isOf('date'), path, { $cond: [isIso, converted, null] }] };
}

/** The same of a row that was read. */
export function readMeasuredAt(row: Document): Date | null {
  return readDate(row['end_at']) ?? readDate(row['start_at']);
}

/** Text by a person or a program, with secrets redacted; null for none. */
export function readWords(raw: unknown): string | null {
  const words = readText(raw);
  return words === null ? null : redactSecrets(words);
}

/** A free-form object with secrets redacted; empty if there is none. */
export const readFreeForm = (raw: unknown): JsonObject => redactJson(readJsonObject(raw));
