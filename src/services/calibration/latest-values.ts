import type { NewerFailure } from '../../domain/chip/chip-metric.ts';
import { isUsable, latestByQubit } from '../../domain/values/measurement.ts';
import type { Measurement, UsableMeasurement } from '../../domain/values/measurement.ts';
import type { CalibrationStore, MeasurementQuery, TaskRun } from '../../stores/calibration-store.ts';

/** How far back a failure is looked for among the newest runs of a task on a qubit. */
const RECENT_RUNS = 5;

/** The latest value of a qubit or coupling, and the run of the same task since that failed. */
export type LatestValue = { readonly value: UsableMeasurement; readonly newerFailure: NewerFailure | null };

/**
 * Latest values by qid. The newest runs of each task on each qubit are read, whatever became of them. Where all of a qubit's runs
 * count, they hold its latest value, and nothing failed since: on most chips that is nearly all there is. Only of the others are
 * the runs that count read, and the failures.
 */
export async function latestValues(
  store: CalibrationStore,
  query: MeasurementQuery,
): Promise<ReadonlyMap<string, LatestValue>> {
  const { settled, open } = await newestRuns(store, query);
  const further = open === null ? [] : await store.latestMeasurements(open, 1);
  const values = [...latestByQubit([...settled, ...further], 1).values()].flatMap(([newest]) => newest ?? []);
  const failures = open === null ? [] : await failuresSince(store, open, values);
  const byQubit = Map.groupBy(failures, ({ qid }) => qid);
  return new Map(
    values.map((value) => [
      value.qid,
      { value, newerFailure: newerFailure(value, byQubit.get(value.qid) ?? []) },
    ]),
  );
}

/** Runs that say all of their qubit and task; and a query for the qubits and tasks of which that is not so, null for none. */
type NewestRuns = { readonly settled: readonly Measurement[]; readonly open: MeasurementQuery | null };

async function newestRuns(store: CalibrationStore, query: MeasurementQuery): Promise<NewestRuns> {
  const { taskNames, from, cooldownId } = query;
  // Runs are read whatever their time and cool-down: of a part of these, few of the newest would count.
  if (taskNames === null || from !== null || cooldownId !== null) return { settled: [], open: query };
  const runs = await store.newestRuns({ ...query, taskNames }, 1);
  const groups = [...Map.groupBy(runs, ({ taskName, qid }) => JSON.stringify([taskName, qid])).values()];
  const isSettled = (group: readonly Measurement[]): boolean => group.every(isUsable);
  const open = groups.filter((group) => !isSettled(group)).flat();
  return {
    settled: groups.filter(isSettled).flat(),
    open: open.length === 0 ? null : { ...query, taskNames: tasksOf(open), qids: qidsOf(open) },
  };
}

/** Failed runs of the tasks that brought values of these qubits. */
async function failuresSince(
  store: CalibrationStore,
  { qids, ...query }: MeasurementQuery,
  values: readonly UsableMeasurement[],
): Promise<readonly TaskRun[]> {
  const looked = qids === null ? null : new Set(qids);
  const brought = values.filter(({ qid }) => looked === null || looked.has(qid));
  if (brought.length === 0) return [];
  const wanted = { ...query, taskNames: tasksOf(brought), qids, status: 'FAILED' } as const;
  return store.recentRuns(wanted, RECENT_RUNS);
}

const tasksOf = (runs: readonly Measurement[]): string[] => [
  ...new Set(runs.map(({ taskName }) => taskName)),
];
const qidsOf = (runs: readonly Measurement[]): string[] => [...new Set(runs.map(({ qid }) => qid))];

/** The newest of the failed runs of its qubit or coupling of the value's task, if it is newer than the value. */
function newerFailure(value: UsableMeasurement, failures: readonly TaskRun[]): NewerFailure | null {
  const newer = failures.flatMap(({ taskName, status, taskId, at }) => {
    const isNewer = at !== null && at > value.at && taskName === value.taskName;
    return isNewer ? [{ taskId, status, at }] : [];
  });
  return newer.toSorted((a, b) => b.at.getTime() - a.at.getTime())[0] ?? null;
}
