import type { Db, Document } from 'mongodb';
import type { Measurement } from '../../domain/values/measurement.ts';
import { readStoredParameter } from '../../domain/values/stored-parameter.ts';
import { readDate, readNumber, readRecord, readText } from '../../domain/values/stored-values.ts';
import { canonicalUnit } from '../../domain/values/units.ts';
import type { CalibrationStore, MeasurementQuery } from '../calibration-store.ts';
import {
  chipFilter,
  MEASURED_AT,
  newestPerGroup,
  ONE_REPLY,
  oneOf,
  readMeasuredAt,
  rowsOfGroups,
  runsOf,
} from './read-helpers.ts';
import { readStatus } from './task-status.ts';
import { TASK_TYPES } from './task-types.ts';

/** Fields of a result besides its entity and the parameter. */
const RUN_FIELDS = {
  id: '$_id',
  task_id: '$task_id',
  execution_id: '$execution_id',
  cooldown_id: '$cooldown_id',
  start_at: '$start_at',
  end_at: '$end_at',
};
const FIELDS = { ...RUN_FIELDS, chip_id: '$chip_id', qid: '$qid', name: '$name' };

/**
 * Results of one parameter, reduced in the database to a few rows per qubit or coupling. If the tasks that write
 * the parameter are known, all use the index (project_id, chip_id, name, qid, end_at desc), else (project_id,
 * chip_id, task_type, qid, start_at desc).
 */
export function measurementReads(
  db: Db,
): Pick<CalibrationStore, 'latestMeasurements' | 'newestRuns' | 'bestMeasurements' | 'averages'> {
  const results = db.collection('task_result_history');
  return {
    async latestMeasurements(query, limit) {
      const fields = { ...RUN_FIELDS, parameter: numberOf(query.parameter) };
      const groups = await results
        .aggregate([{ $match: usableResults(query) }, ...newestPerGroup(limit, fields)], ONE_REPLY)
        .toArray();
      return rowsOfGroups(groups).map((row) => measurementOf(row, query.parameter));
    },

    async newestRuns(query, limit) {
      const fields = {
        ...RUN_FIELDS,
        status: '$status',
        excluded: '$excluded',
        parameter: numberOf(query.parameter),
      };
      const match = { ...runsOf(query), task_type: TASK_TYPES[query.kind] };
      const groups = await results
        .aggregate([{ $match: match }, ...newestPerGroup(limit, fields)], ONE_REPLY)
        .toArray();
      return rowsOfGroups(groups).map((row) => ({
        ...measurementOf(row, query.parameter),
        status: readStatus(row['status']),
        excluded: row['excluded'] === true,
      }));
    },

    async bestMeasurements(query, best) {
      const sortBy = { value: best === 'GREATEST' ? -1 : 1, at: -1, _id: -1 } as const;
      const output = { ...FIELDS, parameter: '$parameter' };
      const rows = await results
        .aggregate(
          [
            { $match: usableResults(query) },
            valueAndTime(query.parameter),
            { $group: { _id: { chip: '$chip_id', qid: '$qid' }, best: { $top: { sortBy, output } } } },
            { $replaceRoot: { newRoot: '$best' } },
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
            { $match: usableResults(query) },
            valueAndTime(query.parameter),
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
      return rows.flatMap((row) => {
        const key = readRecord(row['_id']);
        const [mean, newestAt] = [readNumber(row['mean']), readDate(row['newest'])];
        if (mean === null || newestAt === null) return [];
        return [
          {
            chipId: readText(key['chip']) ?? '',
            qid: readText(key['qid']) ?? '',
            unit: canonicalUnit(readText(key['unit']) ?? ''),
            mean,
            deviation: readNumber(row['deviation']),
            count: readNumber(row['count']) ?? 0,
            newestAt,
          },
        ];
      });
    },
  };
}

/** Filter of usable results: a numeric range excludes NaN, text and booleans. */
function usableResults(query: MeasurementQuery): Document {
  const { kind, parameter, taskNames, qids, cooldownId, from, to, marksUpTo, ...scope } = query;
  const path = `output_parameters.${parameter}`;
  const above =
    marksUpTo === null || marksUpTo === undefined ? { $gte: -Number.MAX_VALUE } : { $gt: marksUpTo };
  const finite = { ...above, $lte: Number.MAX_VALUE };
  return {
    ...chipFilter(scope),
    ...(taskNames === null ? {} : { name: oneOf(taskNames) }),
    task_type: TASK_TYPES[kind],
    ...(qids === null ? {} : { qid: oneOf(qids) }),
    status: 'completed',
    excluded: { $ne: true },
    $and: [
      // Old rows and manual imports hold the bare number.
      { $or: [{ [`${path}.value`]: finite }, { [path]: finite }] },
      measuredBetween(from, to),
      ...(cooldownId === null ? [] : [duringCooldown(cooldownId)]),
    ],
  };
}

function duringCooldown(cooldownId: string): Document {
  return {
    $or: [{ cooldown_id: { $in: [cooldownId, ''] } }, { cooldown_id: { $not: { $type: 'string' } } }],
  };
}

/** Filter by the end of a run, else its start; excludes runs without a time. Text is ISO, in UTC. */
function measuredBetween(from: Date | null, to: Date | null): Document {
  const range = (bound: (at: Date) => Date | string): Document => ({
    $gte: bound(from ?? new Date(0)),
    ...(to === null ? {} : { $lt: bound(to) }),
  });
  const kinds = [range((at) => at), range((at) => at.toISOString().slice(0, 19))];
  return {
    $or: [
      ...kinds.map((kind) => ({ end_at: kind })),
      ...kinds.map((kind) => ({ end_at: { $not: { $type: ['date', 'string'] } }, start_at: kind })),
    ],
  };
}

/** Stage that adds the number and its time for the accumulators. */
function valueAndTime(parameter: string): Document {
  const path = `$output_parameters.${parameter}`;
  return {
    $addFields: {
      parameter: path,
      value: { $cond: [{ $eq: [{ $type: path }, 'object'] }, `${path}.value`, path] },
      at: MEASURED_AT,
    },
  };
}

/** Expression: the part of a parameter that a measurement uses. Bare numbers have nothing else. */
function numberOf(parameter: string): Document {
  const path = `$output_parameters.${parameter}`;
  return { value: { $ifNull: [`${path}.value`, path] }, unit: `${path}.unit`, error: `${path}.error` };
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
    at: readMeasuredAt(row),
    value,
    error,
    unit,
  };
}
