import type { MetricScope } from '../domain/metric.ts';
import type { CalibrationStore, ChipScope } from '../stores/calibration-store.ts';

/**
 * Names of the tasks that write a parameter, so that the database need not look at the results of all others. A parameter does not
 * say who writes it, so the tasks are those that its current values came from, those whose runs have it among their outputs, and
 * those that cannot be told. Null where none is known to write it: then all results have to be looked at.
 */
export async function tasksThatWrite(
  store: CalibrationStore,
  scope: ChipScope,
  { kind, parameter }: { readonly kind: MetricScope; readonly parameter: string },
): Promise<readonly string[] | null> {
  const [tasks, rows] = await Promise.all([
    store.taskOutputs(scope),
    store.currentValues(kind, { ...scope, qids: null, names: [parameter] }),
  ]);
  const taskIds = new Set(rows.flatMap(({ parameters }) => parameters.flatMap(({ taskId }) => taskId ?? [])));
  const writers = taskIds.size === 0 ? [] : await store.taskNamesOf(scope.projectId, [...taskIds]);
  const known = tasks.filter(({ outputs }) => outputs?.includes(parameter)).map(({ taskName }) => taskName);
  if (writers.length + known.length === 0) return null;
  const possible = tasks.filter(({ outputs }) => outputs === null).map(({ taskName }) => taskName);
  return [...new Set([...writers, ...known, ...possible])];
}
