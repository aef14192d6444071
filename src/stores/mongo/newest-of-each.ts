import type { Collection, Document } from 'mongodb';
import type { RunQuery } from '../calibration-store.ts';
import { ONE_REPLY, oneOf } from './read-helpers.ts';

/** Rows of one collection that are alike in `same`: the fields that an index begins with, each with one value. */
type Groups = {
  readonly same: readonly Document[];
  /** The field after them in the index: the rows of each of its values are read. */
  readonly key: string;
  /** Condition on `key`, if not every value is wanted. */
  readonly wanted?: unknown;
};

/** What to make of the rows of each value. */
type OfEach = Groups & { readonly stages: readonly Document[] };

/** Which rows of each value. */
type NewestOfEach = Groups & {
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
export function newestOfEach(
  collection: Collection,
  { newestBy, only = {}, limit, among, fields, ...groups }: NewestOfEach,
): Promise<Document[]> {
  const newest = [{ $sort: { [newestBy]: -1 } }, ...(among === undefined ? [] : [{ $limit: among }])];
  const stages = among === undefined ? [{ $match: only }, ...newest] : [...newest, { $match: only }];
  return ofEach(collection, { ...groups, stages: [...stages, { $limit: limit }, { $project: fields }] });
}

/** What `stages` make of the rows of each value, in one command. An index scan reads the rows of one value at a time. */
export async function ofEach(collection: Collection, query: OfEach): Promise<Document[]> {
  const [first, ...others] = query.same.map((same) => pipelineOf(collection, query, same));
  if (first === undefined) return [];
  return collection.aggregate([...first, ...unionOf(collection, others)], ONE_REPLY).toArray();
}

/** Stages that add the documents of further pipelines on the same collection. */
export const unionOf = ({ collectionName: coll }: Collection, pipelines: readonly Document[][]): Document[] =>
  pipelines.map((pipeline) => ({ $unionWith: { coll, pipeline } }));

function pipelineOf(
  { collectionName }: Collection,
  { key, wanted, stages }: OfEach,
  same: Document,
): Document[] {
  return [
    { $match: { ...same, ...(wanted === undefined ? {} : { [key]: wanted }) } },
    { $group: { _id: `$${key}` } },
    {
      $lookup: {
        from: collectionName,
        localField: '_id',
        foreignField: key,
        pipeline: [{ $match: same }, ...stages],
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

/** The groups of {@link RunQuery}: task and qubit, over the index (project_id, chip_id, name, qid, end_at desc). */
const runGroups = ({ projectId, chipIds, taskNames, qids }: RunQuery): Groups => ({
  same: chipIds.flatMap((chip_id) => taskNames.map((name) => ({ project_id: projectId, chip_id, name }))),
  key: 'qid',
  ...(qids === null ? {} : { wanted: oneOf(qids) }),
});

/** The newest runs of each task on each qubit, at least `limit` of each. */
export const newestRunsOf = (
  results: Collection,
  query: RunQuery,
  { limit, ...newest }: NewestRuns,
): Promise<Document[]> =>
  newestOfEach(results, { ...newest, ...runGroups(query), newestBy: 'end_at', limit: limit + MARGIN });

/** What `stages` make of the runs of each task on each qubit. */
export const eachRunsOf = (
  results: Collection,
  query: RunQuery,
  stages: readonly Document[],
): Promise<Document[]> => ofEach(results, { ...runGroups(query), stages });
