import type { Db, Document } from 'mongodb';
import type { Measurement } from '../../domain/measurement.ts';
import { readStoredParameter } from '../../domain/stored-parameter.ts';
import { readDate, readNumber, readText } from '../../domain/stored-values.ts';
import { canonicalUnit } from '../../domain/units.ts';
import type { CalibrationStore, MeasurementChoice, MeasurementQuery } from '../calibration-store.ts';
import { chipFilter, MEASURED_AT, ONE_REPLY, oneOf } from './read-helpers.ts';

/**
 * Results of one parameter, reduced in the database to a few rows a qubit. The first stage of each pipeline runs over the index
 * (project_id, chip_id, task_type, qid, start_at desc). A parameter does not tell which task writes it, so the task's name cannot
 * be part of the key.
 */
export function measurementReads(
  db: Db,
): Pick<CalibrationStore, 'measurements' | 'averages' | 'failedRuns' | 'excludedTaskIds'> {
  const results = db.collection('task_result_history');
  return {
    async measurements(query, choice) {
      const output = {
        id: '$_id',
        chip_id: '$chip_id',
        qid: '$qid',
        task_id: '$task_id',
        name: '$name',
        execution_id: '$execution_id',
        cooldown_id: '$cooldown_id',
        parameter: '$parameter',
        at: '$at',
      };
      const rows = await results
        .aggregate(
          [
            ...usableResults(query),
            {
              $group: {
                _id: { chip: '$chip_id', qid: '$qid' },
                chosen: { $topN: { n: limitOf(choice), sortBy: orderOf(choice), output } },
              },
            },
            { $unwind: '$chosen' },
            { $replaceRoot: { newRoot: '$chosen' } },
          ],
          ONE_REPLY,
        )
        .toArray();
      return rows.map((row) => measurementOf(row, query.parameter));
    },

    async averages(query) {
      const rows = await results
        .aggregate(
          [
            ...usableResults(query),
            {
              $group: {
                _id: { chip: '$chip_id', qid: '$qid', unit: { $ifNull: ['$parameter.unit', ''] } },
                mean: { $avg: '$value' },
                deviation: { $stdDevSamp: '$value' },
                count: { $sum: 1 },
                newest: { $max: '$at' },
              },
            },
          ],
          ONE_REPLY,
        )
        .toArray();
      return rows.flatMap(({ _id: key, mean, deviation, count, newest }) => {
        const [value, newestAt] = [readNumber(mean), readDate(newest)];
        if (value === null || newestAt === null) return [];
        return [
          {
            chipId: readText(key.chip) ?? '',
            qid: readText(key.qid) ?? '',
            unit: canonicalUnit(readText(key.unit) ?? ''),
            mean: value,
            deviation: readNumber(deviation),
            count: readNumber(count) ?? 0,
            newestAt,
          },
        ];
      });
    },

    // Index (project_id, chip_id, name, qid, end_at desc).
    async failedRuns({ taskNames, from, ...scope }) {
      const rows = await results
        .aggregate(
          [
            { $match: { ...chipFilter(scope), name: oneOf(taskNames), status: 'failed' } },
            { $project: { chip_id: 1, qid: 1, name: 1, task_id: 1, at: MEASURED_AT } },
            { $match: { at: { $gte: from } } },
            {
              $group: {
                _id: { chip: '$chip_id', qid: '$qid', name: '$name' },
                newest: { $top: { sortBy: { at: -1, _id: -1 }, output: { task_id: '$task_id', at: '$at' } } },
              },
            },
          ],
          ONE_REPLY,
        )
        .toArray();
      return rows.flatMap(({ _id: key, newest }) => {
        const [at, taskId] = [readDate(newest.at), readText(newest.task_id)];
        if (at === null || taskId === null) return [];
        return [{ chipId: String(key.chip), qid: String(key.qid), taskName: String(key.name), taskId, at }];
      });
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

/**
 * Stages up to usable results, each with `parameter`, its finite number as `value`, and `at`. A range of numbers lets neither NaN
 * nor text nor booleans through, and a range of times nothing without a time.
 */
function usableResults({ parameter, qids, from, to, ...scope }: MeasurementQuery): Document[] {
  const path = `output_parameters.${parameter}`;
  return [
    {
      $match: {
        ...chipFilter(scope),
        task_type: 'qubit',
        ...(qids === null ? {} : { qid: oneOf(qids) }),
        status: 'completed',
        excluded: { $ne: true },
        [path]: { $exists: true },
      },
    },
    {
      $project: {
        chip_id: 1,
        qid: 1,
        task_id: 1,
        name: 1,
        execution_id: 1,
        cooldown_id: 1,
        parameter: `$${path}`,
        // Old rows and manual imports hold the bare number.
        value: {
          $cond: [{ $eq: [{ $type: `$${path}` }, 'object'] }, `$${path}.value`, `$${path}`],
        },
        at: MEASURED_AT,
      },
    },
    {
      $match: {
        value: { $gte: -Number.MAX_VALUE, $lte: Number.MAX_VALUE },
        at: { $gte: from ?? new Date(0), ...(to === null ? {} : { $lt: to }) },
      },
    },
  ];
}

const limitOf = (choice: MeasurementChoice): number => (choice.by === 'LATEST' ? choice.limit : 1);

function orderOf({ by }: MeasurementChoice): Document {
  switch (by) {
    case 'LATEST':
      return { at: -1, _id: -1 };
    case 'GREATEST':
      return { value: -1, at: -1, _id: -1 };
    case 'LEAST':
      return { value: 1, at: -1, _id: -1 };
    default:
      return by satisfies never;
  }
}

function measurementOf(row: Document, parameter: string): Measurement {
  const { value, unit, error } = readStoredParameter(parameter, row['parameter']);
  return {
    documentId: String(row['id']),
    chipId: readText(row['chip_id']) ?? '',
    qid: readText(row['qid']) ?? '',
    taskId: readText(row['task_id']) ?? '',
    taskName: readText(row['name']) ?? '',
    executionId: readText(row['execution_id']),
    cooldownId: readText(row['cooldown_id']),
    status: 'COMPLETED',
    excluded: false,
    at: readDate(row['at']),
    value,
    error,
    unit,
  };
}
