import type { NewerFailure } from '../../domain/chip/chip-metric.ts';
import { isUsable, latestByQubit } from '../../domain/values/measurement.ts';
import type { Measurement, UsableMeasurement } from '../../domain/values/measurement.ts';
import type { CalibrationStore, MeasurementQuery, TaskRun } from '../../stores/calibration-store.ts';

/** Newest runs of a task on a qubit in which a failure is looked for. */
const RECENT_RUNS = 5;

/** The latest value of a qubit or coupling, and a newer failed run of the same task. */
export type LatestValue = { readonly value: UsableMeasurement; readonly newerFailure: NewerFailure | null };

/**
 * Latest values by qid. Reads the newest run of each task on each qubit, whatever its status. If all of these are
 * usable, they hold the latest value and nothing has failed since, which is the usual case. Only for the other qubits
 * and tasks are usable runs and failures read.
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

/** `settled` runs need no further read; `open` is the query for the other qubits and tasks, null for none. */
type NewestRuns = { readonly settled: readonly Measurement[]; readonly open: MeasurementQuery | null };

async function newestRuns(store: CalibrationStore, query: MeasurementQuery): Promise<NewestRuns> {
  const { taskNames, from, cooldownId } = query;
  // The newest runs are read regardless of time and cool-down; for a narrower query few of them would be usable.
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

/** Failed runs of the tasks that produced these values. */
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

/** The newest failed run of the value's task, if newer than the value; `failures` are of the same entity. */
function newerFailure(value: UsableMeasurement, failures: readonly TaskRun[]): NewerFailure | null {
  const newer = failures.flatMap(({ taskName, status, taskId, at }) => {
    const isNewer = at !== null && at > value.at && taskName === value.taskName;
    return isNewer ? [{ taskId, status, at }] : [];
  });
  return newer.toSorted((a, b) => b.at.getTime() - a.at.getTime())[0] ?? null;
}
