import type { Db, Document } from 'mongodb';
import type { CalibrationStore, ChipScope } from '../calibration-store.ts';
import { isAway } from './outages.ts';
import { chipFilter, ONE_REPLY } from './read-helpers.ts';

/** Newest runs read: a run that started earlier may still end, be excluded or get a note. */
const RUNS = 32;

/** Collections with few rows per chip that record when they were written. Older databases lack some. */
const SMALL = ['chip', 'qubit', 'coupling', 'chip_note', 'target_note', 'metric_note'] as const;

/**
 * The marks by which news of a chip is noticed. All reads use QDash's indexes and grow with the chip, not its
 * history.
 */
export function chipMarkReads(db: Db): Pick<CalibrationStore, 'chipMark'> {
  const newest = async (
    collection: string,
    filter: Document,
    { sortBy, limit, fields }: { sortBy: string; limit: number; fields: readonly string[] },
  ): Promise<string[]> => {
    const rows = await db
      .collection(collection)
      .find(filter, {
        projection: { _id: 0, ...Object.fromEntries(fields.map((field) => [field, 1])) },
        sort: { [sortBy]: -1 },
        limit,
        ...ONE_REPLY,
      })
      .toArray();
    // The order of rows of one time is no news.
    return rows.map((row) => JSON.stringify(row)).toSorted();
  };

  const read = (scope: ChipScope): Promise<unknown[]> => {
    const filter = chipFilter(scope);
    return Promise.all([
      // Index (project_id, chip_id, start_at desc), of executions too.
      newest('task_result_history', filter, {
        sortBy: 'start_at',
        limit: RUNS,
        fields: ['task_id', 'status', 'end_at', 'excluded', 'system_info.updated_at'],
      }),
      newest('execution_history', filter, {
        sortBy: 'start_at',
        limit: 1,
        fields: ['execution_id', 'status', 'end_at'],
      }),
      // Index (project_id, chip_id, timestamp).
      newest('calibration_note', filter, {
        sortBy: 'timestamp',
        limit: 1,
        fields: ['execution_id', 'task_id', 'timestamp'],
      }),
      // Partial index (project_id, chip_id, user_note.updated_at desc).
      newest(
        'task_result_history',
        { ...filter, 'user_note.updated_at': { $type: 'date' } },
        { sortBy: 'user_note.updated_at', limit: 1, fields: ['task_id', 'user_note.updated_at'] },
      ),
      // Index (project_id, chip_id), or the prefix of another.
      ...SMALL.map((collection) =>
        db.collection(collection).aggregate(newestWrite(filter), ONE_REPLY).toArray(),
      ),
    ]);
  };

  return {
    async chipMark(scope) {
      try {
        return JSON.stringify(await read(scope));
      } catch (error) {
        if (isAway(error)) return null;
        throw error;
      }
    },
  };
}

const newestWrite = (filter: Document): Document[] => [
  { $match: filter },
  {
    $group: {
      _id: null,
      rows: { $sum: 1 },
      written: { $max: '$system_info.updated_at' },
      noted: { $max: '$note.updated_at' },
    },
  },
];
