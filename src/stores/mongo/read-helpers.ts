/** What the queries of this folder share. */
import { type Document, ObjectId } from 'mongodb';
import { readDate, readJsonObject, readRecord, readText } from '../../domain/values/stored-values.ts';
import type { JsonObject } from '../../domain/visuals.ts';
import { redactJson, redactSecrets } from '../../base/redaction/redact.ts';
import type { ChipScope, RunQuery } from '../calibration-store.ts';

/**
 * Options of every read: the whole result comes with the first reply (it is bounded by chips, not by history), so that the
 * number of commands does not grow with the number of qubits.
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

/** Equality for one value, which more indexes can serve in order than `$in`. */
export function oneOf<Value>(values: readonly Value[]): Value | { readonly $in: readonly Value[] } {
  const [only, ...others] = values;
  return only !== undefined && others.length === 0 ? only : { $in: values };
}

/** Text of a document id, which orders as the ids do. */
export function documentIdOf({ _id }: Document): string {
  return String(_id);
}

/** When a row was written, as far as its id tells: the time of rows that should have one of their own and have not. */
export function writtenAt({ _id }: Document): Date {
  return _id instanceof ObjectId ? _id.getTimestamp() : new Date(0);
}

/** Expression: end of a run, else its start. Text is read as a time, as QDash's own models do; nothing else is one. */
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
 * Rows read of each group beyond those wanted. The index orders runs by their end only: the rows that are there decide, by the whole
 * rule, between runs that ended at the same instant or have no end.
 */
const MARGIN = 4;

/**
 * Stages that keep the newest runs of each task on each qubit, at least `limit` of each, as `fields`. They follow the index
 * (project_id, chip_id, name, qid, end_at desc), so that only the rows kept are read where the server can stop early. A tie-break
 * would turn that into a sort of the whole history; {@link MARGIN} stands for it. {@link rowsOfGroups} reads what comes.
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

/** The runs of {@link newestPerGroup}, each with the chip, task and qubit that the database says once for all of a group. */
export function rowsOfGroups(groups: readonly Document[]): Document[] {
  return groups.flatMap(({ _id: group, newest }) =>
    Array.isArray(newest) ? newest.map((row) => ({ ...readRecord(group), ...readRecord(row) })) : [],
  );
}

/** What a person or a program wrote in words, without the secrets that people write into notes; null for none. */
export function readWords(raw: unknown): string | null {
  const words = readText(raw);
  return words === null ? null : redactSecrets(words);
}

/** An object of free form, without secrets; empty where there is none. */
export const readFreeForm = (raw: unknown): JsonObject => redactJson(readJsonObject(raw));
