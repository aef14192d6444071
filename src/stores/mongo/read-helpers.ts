/** Helpers shared by the queries of this folder. */
import { type Document, ObjectId } from 'mongodb';
import { readDate, readJsonObject, readRecord, readText } from '../../domain/values/stored-values.ts';
import type { JsonObject } from '../../domain/visuals.ts';
import { redactJson, redactSecrets } from '../../base/redaction/redact.ts';
import type { ChipScope, RunQuery } from '../calibration-store.ts';

/**
 * Options of every read: the whole result comes with the first reply (it is bounded by chips, not by history), so
 * that the number of commands does not grow with the number of qubits.
 */
export const ONE_REPLY = { batchSize: 1_000_000 } as const;

/** Filter by chips of one project: the prefix of nearly every index of a QDash database. */
export function chipFilter({ projectId, chipIds }: ChipScope): Document {
  return { project_id: projectId, chip_id: oneOf(chipIds) };
}

/** Filter by tasks on qubits or couplings of chips. */
export function runsOf({ projectId, chipIds, taskNames, qids }: RunQuery): Document {
  return {
    ...chipFilter({ projectId, chipIds }),
    name: oneOf(taskNames),
    ...(qids === null ? {} : { qid: oneOf(qids) }),
  };
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

/** Expression: end of a run, else its start. Text is parsed as a time, as QDash's own models do. */
export const MEASURED_AT: Document = { $ifNull: [timeIn('$end_at'), timeIn('$start_at')] };

function timeIn(path: string): Document {
  const isOf = (type: string): Document => ({ $eq: [{ $type: path }, type] });
  return { $cond: [isOf('date'), path, { $cond: [isOf('string'), { $toDate: path }, null] }] };
}

/** The same of a row that was read. */
export function readMeasuredAt(row: Document): Date | null {
  return readDate(row['end_at']) ?? readDate(row['start_at']);
}

/**
 * Surplus rows read per group. The index orders runs by their end only; with a few more rows the caller can apply
 * the whole rule to runs that ended at the same instant or have no end.
 */
const MARGIN = 4;

/**
 * Stages that keep the newest runs of each task on each qubit, at least `limit` of each, as `fields`. They follow
 * the index (project_id, chip_id, name, qid, end_at desc), so that a server that can stop early reads only these
 * rows. A tie-break would require sorting the whole history, hence {@link MARGIN}. {@link rowsOfGroups} reads the
 * result.
 */
export function newestPerGroup(limit: number, fields: Document): Document[] {
  return [
    { $sort: { chip_id: 1, name: 1, qid: 1, end_at: -1 } },
    {
      $group: {
        _id: { chip_id: '$chip_id', name: '$name', qid: '$qid' },
        newest: { $firstN: { n: limit + MARGIN, input: fields } },
      },
    },
  ];
}

/** The runs of {@link newestPerGroup}, each with the chip, task and qubit of its group. */
export function rowsOfGroups(groups: readonly Document[]): Document[] {
  return groups.flatMap(({ _id: group, newest }) =>
    Array.isArray(newest) ? newest.map((row) => ({ ...readRecord(group), ...readRecord(row) })) : [],
  );
}

/** Text by a person or a program, with secrets redacted; null for none. */
export function readWords(raw: unknown): string | null {
  const words = readText(raw);
  return words === null ? null : redactSecrets(words);
}

/** A free-form object with secrets redacted; empty if there is none. */
export const readFreeForm = (raw: unknown): JsonObject => redactJson(readJsonObject(raw));
