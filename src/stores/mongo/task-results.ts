import type { Db, Document, ObjectId } from 'mongodb';
import { IMPORTER } from '../../domain/records/notes.ts';
import { compareLatest } from '../../domain/values/measurement.ts';
import { readStoredParameters } from '../../domain/values/stored-parameter.ts';
import {
  readDate,
  readElapsedSeconds,
  readRecord,
  readText,
  readTexts,
  secondsBetween,
} from '../../domain/values/stored-values.ts';
import type { CalibrationStore, TaskResultRow } from '../calibration-store.ts';
import { newestSlices } from './newest-slice.ts';
import { newestRunsOf } from './newest-of-each.ts';
import {
  chipFilter,
  documentIdOf,
  ONE_REPLY,
  oneOf,
  readFreeForm,
  readMeasuredAt,
  readWords,
} from './read-helpers.ts';
import { matching, partsOf } from './result-filter.ts';
import { readStatus } from './task-status.ts';

/** The fields read of a task result; stack traces and raw data paths are left out. */
const FIELDS = {
  _id: 0,
  chip_id: 1,
  task_id: 1,
  name: 1,
  qid: 1,
  status: 1,
  execution_id: 1,
  cooldown_id: 1,
  start_at: 1,
  end_at: 1,
  elapsed_time: 1,
  message: 1,
  input_parameters: 1,
  output_parameters: 1,
  run_parameters: 1,
  quality_metrics: 1,
  figure_path: 1,
  'user_note.content': 1,
  'user_note.updated_by': 1,
  import_doubt: 1,
  excluded: 1,
  excluded_reason: 1,
  tags: 1,
} as const;

/** The fields that decide which run of a task on a qubit is the latest. */
const RUN_FIELDS = { chip_id: 1, qid: 1, start_at: 1, end_at: 1 };

/** Whole task results. */
export function taskResultReads(
  db: Db,
): Pick<CalibrationStore, 'taskResults' | 'latestTaskResults' | 'taskResultSlices'> {
  const results = db.collection('task_result_history');
  return {
    // Index (project_id, task_id), unique.
    async taskResults(projectId, taskIds) {
      const rows = await results
        .find({ project_id: projectId, task_id: oneOf(taskIds) }, { projection: FIELDS, ...ONE_REPLY })
        .toArray();
      return rows.map((row) => taskResultOf(row, projectId));
    },

    // Index (project_id, chip_id, name, qid, end_at desc), then by id: whole results are large, and only one per
    // qubit is needed.
    async latestTaskResults({ taskName, qids, ...scope }) {
      const runs = await newestRunsOf(
        results,
        { ...scope, taskNames: [taskName], qids },
        { only: { status: 'completed', excluded: { $ne: true } }, limit: 1, fields: RUN_FIELDS },
      );
      const ofQubits = Map.groupBy(runs, (run) => JSON.stringify([run['chip_id'], run['qid']]));
      const newest = [...ofQubits.values()].map((rows) => newestOf(rows)['_id'] as ObjectId);
      if (newest.length === 0) return [];
      const rows = await results
        .find({ _id: oneOf(newest), project_id: scope.projectId }, { projection: FIELDS, ...ONE_REPLY })
        .toArray();
      return rows.map((row) => taskResultOf(row, scope.projectId));
    },

    // Index (project_id, chip_id, start_at desc); or another one, depending on the filter.
    async taskResultSlices({ filter, qids, limit, after, ...scope }) {
      // The parts of all lists differ only in their qid.
      const parts = await partsOf(results, scope, { ...filter, qid: qids?.[0] ?? null });
      const ofAll = { ...chipFilter(scope), ...matching(filter) };
      const lists = qids?.map((qid) => ({
        filter: { ...ofAll, qid },
        parts: parts?.map((part) => ({ ...part, qid })) ?? null,
      })) ?? [{ filter: ofAll, parts }];
      const slices = await newestSlices(results, lists, {
        timeField: 'start_at',
        idField: 'task_id',
        projection: FIELDS,
        limit,
        after,
      });
      return slices.map((slice) =>
        slice.map(({ row, cursor }) => ({ row: taskResultOf(row, scope.projectId), cursor })),
      );
    },
  };
}

/** The latest of the runs of one task on one qubit. */
function newestOf(rows: readonly Document[]): Document {
  const ordered = rows.flatMap((row) => {
    const at = readMeasuredAt(row);
    return at === null ? [] : [{ row, at, documentId: documentIdOf(row) }];
  });
  return ordered.toSorted(compareLatest)[0]?.row ?? rows[0] ?? {};
}

function taskResultOf(row: Document, projectId: string): TaskResultRow {
  const [startAt, endAt] = [readDate(row['start_at']), readDate(row['end_at'])];
  const note = readRecord(row['user_note']);
  // Earlier imports left their doubts there.
  const userNote = note['updated_by'] === IMPORTER ? null : readWords(note['content']);
  return {
    projectId,
    chipId: readText(row['chip_id']) ?? '',
    taskId: readText(row['task_id']) ?? '',
    name: readText(row['name']) ?? '',
    qid: readText(row['qid']) ?? '',
    status: readStatus(row['status']),
    executionId: readText(row['execution_id']) ?? '',
    cooldownId: readText(row['cooldown_id']),
    startAt,
    endAt,
    elapsedSeconds: readElapsedSeconds(row['elapsed_time']) ?? secondsBetween(startAt, endAt),
    message: readWords(row['message']) ?? '',
    inputParameters: readStoredParameters(row['input_parameters']),
    outputParameters: readStoredParameters(row['output_parameters']),
    runParameters: readFreeForm(row['run_parameters']),
    qualityMetrics: readFreeForm(row['quality_metrics']),
    figurePaths: readTexts(row['figure_path']),
    notes: userNote === null ? [] : [userNote],
    importDoubt: readWords(row['import_doubt']) || null,
    excluded: row['excluded'] === true,
    excludedReason: readWords(row['excluded_reason']),
    tags: readTexts(row['tags']),
  };
}
