/** What the queries of this folder share. */
import type { Document } from 'mongodb';
import type { ChipScope } from '../calibration-store.ts';

/**
 * Options of every read: the whole result comes with the first reply (it is bounded by chips, not by history), so that the
 * number of commands does not grow with the number of qubits.
 */
export const ONE_REPLY = { batchSize: 1_000_000 } as const;

/** Filter by chips of one project: the prefix of nearly every index of a QDash database. */
export function chipFilter({ projectId, chipIds }: ChipScope): Document {
  return { project_id: projectId, chip_id: oneOf(chipIds) };
}

/** Equality for one value, which more indexes can serve in order than `$in`. */
export function oneOf<Value>(values: readonly Value[]): Value | { readonly $in: readonly Value[] } {
  const [only, ...others] = values;
  return only !== undefined && others.length === 0 ? only : { $in: values };
}

/** Text of a document id, which orders as the ids do. */
export function documentIdOf({ _id }: Document): string {
  return String(_id);
}

/** Expression: end of a run, else its start. Text is read as a time, as QDash's own models do; nothing else is one. */
export const MEASURED_AT: Document = { $ifNull: [timeIn('$end_at'), timeIn('$start_at')] };

function timeIn(path: string): Document {
  const isOf = (type: string): Document => ({ $eq: [{ $type: path }, type] });
  return { $cond: [isOf('date'), path, { $cond: [isOf('string'), { $toDate: path }, null] }] };
}
