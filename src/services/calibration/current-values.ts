import {
  displayScale,
  isDisabledMark,
  storedMark,
  type MetricCatalog,
  type MetricScope,
} from '../../domain/values/metric.ts';
import { latestByQubit, type UsableMeasurement } from '../../domain/values/measurement.ts';
import { scaled } from '../../domain/values/parameter-value.ts';
import {
  mergeCurrentValues,
  type CurrentValuesRow,
  type StoredParameter,
} from '../../domain/values/stored-parameter.ts';
import type { CalibrationStore, ChipScope } from '../../stores/calibration-store.ts';
import type { WritingTasksFinder } from './writing-tasks.ts';

/** The values that decide what is current, of one qubit or coupling, in order of text. */
export type CurrentEntity = {
  readonly chipId: string;
  readonly qid: string;
  readonly values: readonly CurrentStored[];
};

/** `before` is the newest good measurement of a disabled part, null for all others. */
export type CurrentStored = { readonly stored: StoredParameter; readonly before: UsableMeasurement | null };

type Query = ChipScope & {
  readonly qids: readonly string[] | null;
  readonly names: readonly string[] | null;
};

/** Reads current values. `qids` and `names` null mean all. */
export type CurrentValuesReader = {
  read(kind: MetricScope, query: Query): Promise<readonly CurrentEntity[]>;
};

export type CurrentValuesDeps = {
  readonly store: CalibrationStore;
  readonly metrics: MetricCatalog;
  readonly writingTasks: WritingTasksFinder;
};

/**
 * Current values of any number of qubits or couplings: the stored ones and which of their task results were excluded
 * are two commands. Only a parameter with an excluded result, or with a disabled part, takes a few more.
 */
export function createCurrentValues(deps: CurrentValuesDeps): CurrentValuesReader {
  return {
    async read(kind, { qids, names, ...scope }) {
      const stored = await deps.store.currentValues(kind, { ...scope, qids, names });
      const rows = await replaceExcluded(deps, kind, scope, stored);
      const byEntity = Map.groupBy(rows, ({ chipId, qid }) => JSON.stringify([chipId, qid]));
      const merged = [...byEntity.values()].flatMap(([first, ...others]) =>
        first === undefined ? [] : [{ ...first, parameters: mergeCurrentValues([first, ...others]) }],
      );
      const isDisabled = (parameter: StoredParameter): boolean => {
        const metric = deps.metrics.find(parameter.name, kind);
        const displayValue = metric && scaled(parameter.value, displayScale(metric, parameter.unit));
        return isDisabledMark(metric, displayValue);
      };
      const before = await newestMeasured(deps, kind, scope, merged, isDisabled, 'GOOD');
      return merged.map((row) => ({
        chipId: row.chipId,
        qid: row.qid,
        values: row.parameters.map((parameter) => ({
          stored: parameter,
          before: isDisabled(parameter) ? before(row, parameter.name) : null,
        })),
      }));
    },
  };
}

/**
 * A database keeps an excluded value as current, since it is set on the machine. The newest result that was not
 * excluded takes its place; without one the parameter has no value.
 */
async function replaceExcluded(
  deps: CurrentValuesDeps,
  kind: MetricScope,
  scope: ChipScope,
  rows: readonly CurrentValuesRow[],
): Promise<readonly CurrentValuesRow[]> {
  const taskIds = new Set(rows.flatMap(({ parameters }) => parameters.flatMap(({ taskId }) => taskId ?? [])));
  if (taskIds.size === 0) return rows;
  const excluded = new Set(await deps.store.excludedTaskIds(scope.projectId, [...taskIds]));
  if (excluded.size === 0) return rows;
  const isExcluded = ({ taskId }: StoredParameter): boolean => taskId !== null && excluded.has(taskId);
  const newest = await newestMeasured(deps, kind, scope, rows, isExcluded, 'ANY');
  return rows.map((row) => ({
    ...row,
    parameters: row.parameters.flatMap((parameter) => {
      if (!isExcluded(parameter)) return [parameter];
      const measurement = newest(row, parameter.name);
      return measurement === null ? [] : [storedParameterOf(parameter.name, measurement)];
    }),
  }));
}

type Newest = (row: Pick<CurrentValuesRow, 'chipId' | 'qid'>, name: string) => UsableMeasurement | null;

/** The newest measurements of the parameters that `wanted` picks; `GOOD` passes over marks of disabled parts. */
async function newestMeasured(
  { store, metrics, writingTasks }: CurrentValuesDeps,
  kind: MetricScope,
  { projectId }: ChipScope,
  rows: readonly CurrentValuesRow[],
  wanted: (parameter: StoredParameter) => boolean,
  which: 'ANY' | 'GOOD',
): Promise<Newest> {
  const picked = rows.flatMap(({ chipId, qid, parameters }) =>
    parameters.filter(wanted).map(({ name }) => ({ chipId, qid, name })),
  );
  const reads = [...Map.groupBy(picked, ({ name }) => name)].map(async ([parameter, of]) => {
    const chipIds = [...new Set(of.map(({ chipId }) => chipId))];
    const taskNames = await writingTasks.find({ projectId, chipIds }, { kind, parameter });
    const measurements = await store.latestMeasurements(
      {
        projectId,
        chipIds,
        kind,
        parameter,
        taskNames,
        qids: [...new Set(of.map(({ qid }) => qid))],
        cooldownId: null,
        from: null,
        to: null,
        marksUpTo: which === 'ANY' ? null : storedMark(metrics.find(parameter, kind)),
      },
      1,
    );
    const byChip = Map.groupBy(measurements, ({ chipId }) => chipId);
    const latest = new Map([...byChip].map(([chipId, each]) => [chipId, latestByQubit(each, 1)]));
    return [parameter, latest] as const;
  });
  const byName = new Map(await Promise.all(reads));
  return ({ chipId, qid }, name) => byName.get(name)?.get(chipId)?.get(qid)?.[0] ?? null;
}

/** A measurement in the form in which current values are stored. */
export function storedParameterOf(name: string, measurement: UsableMeasurement): StoredParameter {
  const { value, unit, error, at, executionId, taskId } = measurement;
  return { name, value, text: null, unit, error, calibratedAt: at, executionId, taskId };
}
