import type { Collection, Db, Document } from 'mongodb';
import { bestByQubit, mergeAverages } from '../../domain/values/measurement.ts';
import type { Measurement } from '../../domain/values/measurement.ts';
import { readStoredParameter } from '../../domain/values/stored-parameter.ts';
import { readDate, readNumber, readRecord, readText } from '../../domain/values/stored-values.ts';
import { canonicalUnit } from '../../domain/values/units.ts';
import type { CalibrationStore, ChipScope, MeasurementQuery, RunQuery } from '../calibration-store.ts';
import { cooldownStart } from './cooldowns.ts';
import { eachRunsOf, newestRunsOf, unionOf } from './newest-of-each.ts';
import { MEASURED_AT, ONE_REPLY, readMeasuredAt } from './read-helpers.ts';
import { readStatus } from './task-status.ts';
import { TASK_TYPES } from './task-types.ts';

/** Fields of a result besides the parameter. */
const FIELDS = {
  _id: 0,
  id: '$_id',
  chip_id: '$chip_id',
  qid: '$qid',
  name: '$name',
  task_id: '$task_id',
  execution_id: '$execution_id',
  cooldown_id: '$cooldown_id',
  start_at: '$start_at',
  end_at: '$end_at',
};

/** Newest runs of each task on each qubit in which a parameter without a known task is looked for. */
const SEARCHED_RUNS = 5;

/**
 * Results of one parameter, reduced in the database to a few rows per qubit or coupling, over the index (project_id,
 * chip_id, name, qid, end_at desc). Only the best and the mean of a parameter need all results of its tasks within their
 * window, or within the cool-down.
 */
export function measurementReads(
  db: Db,
): Pick<CalibrationStore, 'latestMeasurements' | 'newestRuns' | 'bestMeasurements' | 'averages'> {
  const results = db.collection('task_result_history');
  /** The query with the tasks that write the parameter. */
  const withTasks = async (query: MeasurementQuery): Promise<MeasurementQuery & RunQuery> => {
    if (query.taskNames !== null) return { ...query, taskNames: query.taskNames };
    const taskNames = await taskNamesOn(results, query);
    const found = await newestRunsOf(
      results,
      { ...query, taskNames },
      { only: hasParameter(query), among: SEARCHED_RUNS, limit: 1, fields: { _id: 0, name: 1 } },
    );
    return { ...query, taskNames: [...new Set(found.flatMap(({ name }) => readText(name) ?? []))] };
  };
  /** What `stages` make of the usable results of each task on each qubit, which are read from the start of the window on. */
  const reduced = async (query: MeasurementQuery, stages: readonly Document[]): Promise<Document[]> => {
    const [found, from] = await Promise.all([withTasks(query), startOf(db, query)]);
    return eachRunsOf(results, found, [
      { $match: usable({ ...query, from }) },
      valueAndTime(query.parameter),
      ...stages,
    ]);
  };
  return {
    async latestMeasurements(query, limit) {
      const rows = await newestRunsOf(results, await withTasks(query), {
        only: usable(query),
        limit,
        fields: { ...FIELDS, parameter: numberOf(query.parameter) },
      });
      return rows.map((row) => measurementOf(row, query.parameter));
    },

    async newestRuns(query, limit) {
      const rows = await newestRunsOf(results, query, {
        only: { task_type: TASK_TYPES[query.kind] },
        limit,
        fields: { ...FIELDS, status: '$status', excluded: '$excluded', parameter: numberOf(query.parameter) },
      });
      return rows.map((row) => ({
        ...measurementOf(row, query.parameter),
        status: readStatus(row['status']),
        excluded: row['excluded'] === true,
      }));
    },

    async bestMeasurements(query, best) {
      const sortBy = { value: best === 'GREATEST' ? -1 : 1, at: -1, _id: -1 } as const;
      const { _id, ...fields } = FIELDS;
      const output = { ...fields, parameter: '$parameter' };
      const rows = await reduced(query, [
        { $group: { _id: null, best: { $top: { sortBy, output } } } },
        { $replaceRoot: { newRoot: '$best' } },
      ]);
      const ofTasks = rows.map((row) => measurementOf(row, query.parameter));
      return [...Map.groupBy(ofTasks, ({ chipId }) => chipId).values()].flatMap((ofChip) => [
        ...bestByQubit(ofChip, best).values(),
      ]);
    },

    async averages(query) {
      const rows = await reduced(query, [
        {
          $group: {
            _id: { chip: '$chip_id', qid: '$qid', unit: { $ifNull: ['$parameter.unit', ''] } },
            mean: { $avg: '$value' },
            deviation: { $stdDevSamp: '$value' },
            count: { $sum: 1 },
            newest: { $max: '$at' },
          },
        },
      ]);
      const ofTasks = rows.flatMap((row) => {
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
      const parts = Map.groupBy(ofTasks, ({ chipId, qid, unit }) => JSON.stringify([chipId, qid, unit]));
      return [...parts.values()].flatMap((ofUnit) => mergeAverages(ofUnit) ?? []);
    },
  };
}

/** The start of a query's window: not before its cool-down, of which a result without a cool-down could not be either. */
async function startOf(db: Db, { projectId, cooldownId, from }: MeasurementQuery): Promise<Date | null> {
  const began = cooldownId === null ? null : await cooldownStart(db, projectId, cooldownId);
  return began !== null && (from === null || began > from) ? began : from;
}

type UsableQuery = Omit<MeasurementQuery, 'projectId' | 'chipIds' | 'taskNames' | 'qids'>;

/** Condition on a result: completed, not excluded, with a number and a time. */
function usable({ cooldownId, from, to, ...query }: UsableQuery): Document {
  const { $and, ...parameter } = hasParameter(query);
  return {
    ...parameter,
    status: 'completed',
    excluded: { $ne: true },
    $and: [
      ...$and,
      ...measuredBetween(from, to),
      ...(cooldownId === null ? [] : [duringCooldown(cooldownId)]),
    ],
  };
}

/**
 * Condition on a result: it has the parameter as a finite number. A numeric range excludes NaN, text and booleans, but
 * looks into arrays, whose elements are no value.
 */
function hasParameter({
  kind,
  parameter,
  marksUpTo,
}: Pick<MeasurementQuery, 'kind' | 'parameter' | 'marksUpTo'>) {
  const path = `output_parameters.${parameter}`;
  const above =
    marksUpTo === null || marksUpTo === undefined ? { $gte: -Number.MAX_VALUE } : { $gt: marksUpTo };
  const finite = { ...above, $lte: Number.MAX_VALUE };
  const isNoArray = { $not: { $type: 'array' } };
  return {
    task_type: TASK_TYPES[kind],
    output_parameters: isNoArray,
    [path]: isNoArray,
    [`${path}.value`]: isNoArray,
    // Old rows and manual imports hold the bare number.
    $and: [{ $or: [{ [`${path}.value`]: finite }, { [path]: finite }] }],
  };
}

function duringCooldown(cooldownId: string): Document {
  return {
    $or: [{ cooldown_id: { $in: [cooldownId, ''] } }, { cooldown_id: { $not: { $type: 'string' } } }],
  };
}

const DAY_MS = 86_400_000;

/**
 * Filter by the end of a run, else its start; excludes runs without a time. The expression decides; what is above it
 * lets an index scan pass over the ends outside the window, of text with a day to spare for its time zone.
 */
function measuredBetween(from: Date | null, to: Date | null): Document[] {
  const dayOf = (at: Date, days: number): string =>
    new Date(at.getTime() + days * DAY_MS).toISOString().slice(0, 10);
  const ends = [
    ...(from === null ? [] : [{ $lt: from }, { $lt: dayOf(from, -1) }]),
    ...(to === null ? [] : [{ $gte: to }, { $gte: dayOf(to, 2) }]),
  ];
  return [
    ...ends.map((outside) => ({ end_at: { $not: outside } })),
    {
      $expr: {
        $and: [
          { $gte: [MEASURED_AT, from ?? new Date(0)] },
          ...(to === null ? [] : [{ $lt: [MEASURED_AT, to] }]),
        ],
      },
    },
  ];
}

/** Names of all tasks that ever ran on the chips: one index entry a task. */
async function taskNamesOn(results: Collection, { projectId, chipIds }: ChipScope): Promise<string[]> {
  const [first = [], ...others] = chipIds.map((chip_id) => [
    { $match: { project_id: projectId, chip_id } },
    { $group: { _id: '$name' } },
  ]);
  const rows = await results.aggregate([...first, ...unionOf(results, others)], ONE_REPLY).toArray();
  return [...new Set(rows.flatMap(({ _id: name }) => readText(name) ?? []))];
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
