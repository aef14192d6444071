import type { Db, Document } from 'mongodb';
import { readRecord, readText, readTexts } from '../../domain/values/stored-values.ts';
import type { CalibrationStore } from '../calibration-store.ts';
import {
  chipFilter,
  newestPerGroup,
  ONE_REPLY,
  oneOf,
  readMeasuredAt,
  rowsOfGroups,
  runsOf,
} from './read-helpers.ts';
import { readStatus, storedStatus } from './task-status.ts';
import { readKind } from './task-types.ts';

/** Reads of runs without their values. */
export function taskRunReads(
  db: Db,
): Pick<CalibrationStore, 'recentRuns' | 'taskOutputs' | 'taskNamesOf' | 'excludedTaskIds'> {
  const results = db.collection('task_result_history');
  return {
    // Index (project_id, chip_id, name, qid, end_at desc).
    async recentRuns({ status, ...query }, limit) {
      const fields = {
        task_id: '$task_id',
        status: '$status',
        start_at: '$start_at',
        end_at: '$end_at',
      };
      const ofStatus = status === null ? [] : [newestWithStatus(storedStatus(status))];
      const groups = await results
        .aggregate([{ $match: runsOf(query) }, ...newestPerGroup(limit, fields), ...ofStatus], ONE_REPLY)
        .toArray();
      return rowsOfGroups(groups).map((row) => ({
        chipId: readText(row['chip_id']) ?? '',
        qid: readText(row['qid']) ?? '',
        taskName: readText(row['name']) ?? '',
        taskId: readText(row['task_id']) ?? '',
        status: readStatus(row['status']),
        at: readMeasuredAt(row),
      }));
    },

    // Index (project_id, chip_id, name, qid, end_at desc): reads one entry per task name, no matter which.
    async taskOutputs(scope) {
      const rows = await results
        .aggregate(
          [
            { $match: chipFilter(scope) },
            { $sort: { chip_id: 1, name: 1, qid: 1, end_at: -1 } },
            {
              $group: {
                _id: { chip: '$chip_id', name: '$name' },
                status: { $first: '$status' },
                type: { $first: '$task_type' },
                outputs: { $first: '$output_parameter_names' },
              },
            },
          ],
          ONE_REPLY,
        )
        .toArray();
      return rows.map((row) => {
        const isRecorded = readStatus(row['status']) === 'COMPLETED' && Array.isArray(row['outputs']);
        return {
          taskName: readText(readRecord(row['_id'])['name']) ?? '',
          kind: readKind(row['type']),
          outputs: isRecorded ? readTexts(row['outputs']) : null,
        };
      });
    },

    // Index (project_id, task_id).
    async taskNamesOf(projectId, taskIds) {
      const rows = await results
        .aggregate(
          [{ $match: { project_id: projectId, task_id: oneOf(taskIds) } }, { $group: { _id: '$name' } }],
          ONE_REPLY,
        )
        .toArray();
      return rows.flatMap(({ _id: name }) => readText(name) ?? []);
    },

    // Index (project_id, task_id).
    async excludedTaskIds(projectId, taskIds) {
      const rows = await results
        .find(
          { project_id: projectId, task_id: oneOf(taskIds), excluded: true },
          { projection: { _id: 0, task_id: 1 }, ...ONE_REPLY },
        )
        .toArray();
      return rows.flatMap((row) => readText(row['task_id']) ?? []);
    },
  };
}

/** Stage that keeps only runs with the status. */
const newestWithStatus = (status: string): Document => ({
  $project: { newest: { $filter: { input: '$newest', as: 'run', cond: { $eq: ['$$run.status', status] } } } },
});
