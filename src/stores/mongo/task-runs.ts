import type { Db } from 'mongodb';
import { readText, readTexts } from '../../domain/values/stored-values.ts';
import type { CalibrationStore } from '../calibration-store.ts';
import { newestRunsOf, unionOf } from './newest-of-each.ts';
import { ONE_REPLY, oneOf, readMeasuredAt } from './read-helpers.ts';
import { readStatus } from './task-status.ts';
import { readKind } from './task-types.ts';

/** Reads of runs without their values. */
export function taskRunReads(
  db: Db,
): Pick<CalibrationStore, 'recentRuns' | 'taskOutputs' | 'taskNamesOf' | 'excludedTaskIds'> {
  const results = db.collection('task_result_history');
  return {
    async recentRuns({ status, ...query }, limit) {
      const rows = await newestRunsOf(results, query, {
        limit,
        fields: { _id: 0, chip_id: 1, qid: 1, name: 1, task_id: 1, status: 1, start_at: 1, end_at: 1 },
      });
      const runs = rows.map((row) => ({
        chipId: readText(row['chip_id']) ?? '',
        qid: readText(row['qid']) ?? '',
        taskName: readText(row['name']) ?? '',
        taskId: readText(row['task_id']) ?? '',
        status: readStatus(row['status']),
        at: readMeasuredAt(row),
      }));
      return status === null ? runs : runs.filter((run) => run.status === status);
    },

    // Index (project_id, chip_id, name, qid, end_at desc): one entry of each task name, no matter which.
    async taskOutputs({ projectId, chipIds }) {
      const [first = [], ...others] = chipIds.map((chip_id) => [
        { $match: { project_id: projectId, chip_id } },
        { $sort: { name: 1, qid: 1, end_at: -1 } },
        {
          $group: {
            _id: '$name',
            status: { $first: '$status' },
            type: { $first: '$task_type' },
            outputs: { $first: '$output_parameter_names' },
          },
        },
      ]);
      const rows = await results.aggregate([...first, ...unionOf(results, others)], ONE_REPLY).toArray();
      return rows.map((row) => {
        const isRecorded = readStatus(row['status']) === 'COMPLETED' && Array.isArray(row['outputs']);
        return {
          taskName: readText(row['_id']) ?? '',
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
