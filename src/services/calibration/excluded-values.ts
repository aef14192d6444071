import type { CurrentValuesRow, StoredParameter } from '../../domain/values/stored-parameter.ts';
import { latestByQubit } from '../../domain/values/measurement.ts';
import type { UsableMeasurement } from '../../domain/values/measurement.ts';
import type { CalibrationStore, ChipScope } from '../../stores/calibration-store.ts';
import type { WritingTasksFinder } from './writing-tasks.ts';

export type ExcludedValuesDeps = {
  readonly store: CalibrationStore;
  readonly writingTasks: WritingTasksFinder;
};

/**
 * Replaces current values whose task result was excluded by the latest result that was not, or drops them without
 * one. The database keeps an excluded value as current, since it is set on the machine, but statistics must not use it.
 */
export async function replaceExcluded(
  deps: ExcludedValuesDeps,
  scope: ChipScope,
  rows: readonly CurrentValuesRow[],
): Promise<readonly CurrentValuesRow[]> {
  const taskIds = new Set(rows.flatMap(({ parameters }) => parameters.flatMap(({ taskId }) => taskId ?? [])));
  if (taskIds.size === 0) return rows;
  const excluded = new Set(await deps.store.excludedTaskIds(scope.projectId, [...taskIds]));
  if (excluded.size === 0) return rows;
  const isExcluded = ({ taskId }: StoredParameter): boolean => taskId !== null && excluded.has(taskId);
  const affected = rows.filter(({ parameters }) => parameters.some(isExcluded));
  const earlier = await earlierValues(deps, scope, affected, isExcluded);
  return rows.map((row) => ({
    ...row,
    parameters: row.parameters.flatMap((parameter) =>
      isExcluded(parameter) ? (earlier(row, parameter.name) ?? []) : [parameter],
    ),
  }));
}

type EarlierValue = (row: CurrentValuesRow, name: string) => StoredParameter | undefined;

/** A few reads for each parameter that has an excluded value. */
async function earlierValues(
  { store, writingTasks }: ExcludedValuesDeps,
  { projectId }: ChipScope,
  rows: readonly CurrentValuesRow[],
  isExcluded: (parameter: StoredParameter) => boolean,
): Promise<EarlierValue> {
  const names = new Set(
    rows.flatMap(({ parameters }) => parameters.filter(isExcluded).map(({ name }) => name)),
  );
  const chipIds = [...new Set(rows.map(({ chipId }) => chipId))];
  const qids = [...new Set(rows.map(({ qid }) => qid))];
  const found = await Promise.all(
    [...names].map(async (parameter) => {
      const of = { kind: 'QUBIT', parameter } as const;
      const taskNames = await writingTasks.find({ projectId, chipIds }, of);
      const query = { projectId, chipIds, qids, ...of, taskNames, cooldownId: null, from: null, to: null };
      const measurements = await store.latestMeasurements(query, 1);
      const byChip = Map.groupBy(measurements, ({ chipId }) => chipId);
      const latest = new Map([...byChip].map(([chipId, each]) => [chipId, latestByQubit(each, 1)]));
      return [parameter, latest] as const;
    }),
  );
  const byName = new Map(found);
  return ({ chipId, qid }, name) => {
    const measurement = byName.get(name)?.get(chipId)?.get(qid)?.[0];
    return measurement ? storedParameterOf(name, measurement) : undefined;
  };
}

function storedParameterOf(name: string, measurement: UsableMeasurement): StoredParameter {
  const { value, unit, error, at, executionId, taskId } = measurement;
  return { name, value, text: null, unit, error, calibratedAt: at, executionId, taskId };
}
