import type { Collection, Document } from 'mongodb';
import type { RunQuery } from '../calibration-store.ts';
import { ONE_REPLY, oneOf } from './read-helpers.ts';

/** Rows of one collection that are alike in `same`: the fields that an index begins with, each with one value. */
export type NewestOfEach = {
  readonly same: readonly Document[];
  /** The field after them in the index: the newest rows of each of its values are read. */
  readonly key: string;
  /** Condition on `key`, if not every value is wanted. */
  readonly wanted?: unknown;
  /** The last field of the index. */
  readonly newestBy: string;
  /** Further conditions; rows that fail them are read and do not count. */
  readonly only?: Document;
  readonly limit: number;
  /** Looks at so many rows of each value, whether or not they pass `only`; all by default. */
  readonly among?: number;
  /** Projection of what comes back. */
  readonly fields: Document;
};

/**
 * The newest rows of each value, in one command that reads little else, however long the history is. MongoDB's own
 * `$group` of the first few rows reads all of them; it only jumps from value to value (DISTINCT_SCAN) if it groups by
 * one field, behind equalities on all fields of the index before it, without any other condition. So the values are
 * found that way, and the rows of each by an index scan that ends at the limit.
 */
export async function newestOfEach(collection: Collection, query: NewestOfEach): Promise<Document[]> {
  const [first, ...others] = query.same.map((same) => pipelineOf(collection, query, same));
  if (first === undefined) return [];
  return collection.aggregate([...first, ...unionOf(collection, others)], ONE_REPLY).toArray();
}

/** Stages that add the documents of further pipelines on the same collection. */
export const unionOf = ({ collectionName: coll }: Collection, pipelines: readonly Document[][]): Document[] =>
  pipelines.map((pipeline) => ({ $unionWith: { coll, pipeline } }));

function pipelineOf(
  { collectionName }: Collection,
  { key, wanted, newestBy, only = {}, limit, among, fields }: NewestOfEach,
  same: Document,
): Document[] {
  const newest = [{ $sort: { [newestBy]: -1 } }, ...(among === undefined ? [] : [{ $limit: among }])];
  const rows =
    among === undefined
      ? [{ $match: { ...same, ...only } }, ...newest]
      : [{ $match: same }, ...newest, { $match: only }];
  return [
    { $match: { ...same, ...(wanted === undefined ? {} : { [key]: wanted }) } },
    { $group: { _id: `$${key}` } },
    {
      $lookup: {
        from: collectionName,
        localField: '_id',
        foreignField: key,
        pipeline: [...rows, { $limit: limit }, { $project: fields }],
        as: 'row',
      },
    },
    { $unwind: '$row' },
    { $replaceRoot: { newRoot: '$row' } },
  ];
}

/**
 * Surplus rows read of each task on each qubit. The index orders runs by their end only; with a few more rows the
 * caller can apply the whole rule to runs that ended at the same instant or have no end.
 */
const MARGIN = 4;

/** Which of the newest runs to read, and what of them. */
type NewestRuns = Pick<NewestOfEach, 'only' | 'limit' | 'among' | 'fields'>;

/** The newest runs of each task on each qubit, at least `limit` of each, over the index (project_id, chip_id, name, qid, end_at desc). */
export function newestRunsOf(
  results: Collection,
  { projectId, chipIds, taskNames, qids }: RunQuery,
  { limit, ...newest }: NewestRuns,
): Promise<Document[]> {
  return newestOfEach(results, {
    ...newest,
    same: chipIds.flatMap((chip_id) => taskNames.map((name) => ({ project_id: projectId, chip_id, name }))),
    key: 'qid',
    ...(qids === null ? {} : { wanted: oneOf(qids) }),
    newestBy: 'end_at',
    limit: limit + MARGIN,
  });
}
