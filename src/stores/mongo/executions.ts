import type { Db, Document } from 'mongodb';
import type { Execution, ExecutionFilter } from '../../domain/records/execution.ts';
import {
  readDate,
  readElapsedSeconds,
  readText,
  readTexts,
  secondsBetween,
} from '../../domain/values/stored-values.ts';
import type { CalibrationStore } from '../calibration-store.ts';
import { newestSlice } from './newest-slice.ts';
import { chipFilter, ONE_REPLY, oneOf, readWords } from './read-helpers.ts';
import { readStatus, storedStatus } from './task-status.ts';

const FIELDS = {
  _id: 0,
  chip_id: 1,
  execution_id: 1,
  name: 1,
  status: 1,
  tags: 1,
  start_at: 1,
  end_at: 1,
  elapsed_time: 1,
  message: 1,
} as const;

/** Runs of workflows. */
export function executionReads(db: Db): Pick<CalibrationStore, 'executions' | 'executionSlice'> {
  const collection = db.collection('execution_history');
  return {
    // Index (project_id, execution_id), unique.
    async executions(projectId, executionIds) {
      const rows = await collection
        .find(
          { project_id: projectId, execution_id: oneOf(executionIds) },
          { projection: FIELDS, ...ONE_REPLY },
        )
        .toArray();
      return rows.map((row) => executionOf(row, projectId));
    },

    // Index (project_id, chip_id, start_at desc).
    async executionSlice({ filter, limit, after, ...scope }) {
      const slice = await newestSlice(collection, {
        filter: { ...chipFilter(scope), ...matching(filter) },
        timeField: 'start_at',
        idField: 'execution_id',
        projection: FIELDS,
        limit,
        after,
      });
      return slice.map(({ row, cursor }) => ({ row: executionOf(row, scope.projectId), cursor }));
    },
  };
}

function matching({ status, tags, from, to }: ExecutionFilter): Document {
  return {
    ...(status ? { status: oneOf(status.map(storedStatus)) } : {}),
    ...(tags?.length ? { tags: { $all: tags } } : {}),
    ...(from || to ? { start_at: { ...(from ? { $gte: from } : {}), ...(to ? { $lt: to } : {}) } } : {}),
  };
}

function executionOf(row: Document, projectId: string): Execution {
  const [startAt, endAt] = [readDate(row['start_at']), readDate(row['end_at'])];
  return {
    projectId,
    chipId: readText(row['chip_id']) ?? '',
    executionId: readText(row['execution_id']) ?? '',
    name: readText(row['name']) ?? '',
    status: readStatus(row['status']),
    tags: readTexts(row['tags']),
    startAt,
    endAt,
    elapsedSeconds: readElapsedSeconds(row['elapsed_time']) ?? secondsBetween(startAt, endAt),
    message: readWords(row['message']) ?? '',
  };
}
