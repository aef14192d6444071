import { LRUCache } from 'lru-cache';
import type { MetricScope } from '../../domain/values/metric.ts';
import type { CalibrationStore, ChipScope } from '../../stores/calibration-store.ts';

/** Whose writers are asked for. */
export type WrittenParameter = { readonly kind: MetricScope; readonly parameter: string };

/** Tells which tasks write a parameter. */
export type WritingTasksFinder = {
  /**
   * Names of the tasks that write a parameter on the chips, so that the database need not look at the results of all others. A
   * parameter does not say who writes it, so the tasks are those whose runs have it among their outputs, those that cannot be told,
   * and those that its current values came from. Null where none is known to write it: then all results have to be looked at.
   */
  find(scope: ChipScope, written: WrittenParameter): Promise<readonly string[] | null>;
};

/** Parameters, each on its chips, whose current values are remembered. */
const KEPT = 500;
const KEPT_MS = 60_000;

/**
 * What the tasks put out is read anew each time, from one run of each. The tasks behind the current values take a look at the result
 * behind every one of them, so they are looked up once a minute for each parameter, for all qubits at once: whether one qubit is asked
 * about or the chip, the answer is the same.
 *
 * That adds only tasks which put the parameter out on some runs and not on others. Where such a task wrote it for the first time
 * within that minute, its results may be missed until the minute is over. A parameter that no task is known to put out is looked
 * up each time.
 */
export function createWritingTasks(store: CalibrationStore): WritingTasksFinder {
  const behindValues = new LRUCache<string, Promise<readonly string[]>>({ max: KEPT, ttl: KEPT_MS });
  const remembered = (scope: ChipScope, written: WrittenParameter): Promise<readonly string[]> => {
    const key = JSON.stringify([scope.projectId, scope.chipIds, written.kind, written.parameter]);
    const held = behindValues.get(key);
    if (held !== undefined) return held;
    const looked = tasksBehindValues(store, scope, written);
    behindValues.set(key, looked);
    looked.catch(() => behindValues.get(key) === looked && behindValues.delete(key));
    return looked;
  };
  return {
    async find(scope, written) {
      const tasks = await store.taskOutputs(scope);
      const known = namesOf(tasks.filter(({ outputs }) => outputs?.includes(written.parameter)));
      const behind = await (known.length > 0
        ? remembered(scope, written)
        : tasksBehindValues(store, scope, written));
      if (behind.length + known.length === 0) return null;
      return [...new Set([...behind, ...known, ...namesOf(tasks.filter(({ outputs }) => outputs === null))])];
    },
  };
}

const namesOf = (tasks: readonly { readonly taskName: string }[]): string[] =>
  tasks.map(({ taskName }) => taskName);

async function tasksBehindValues(
  store: CalibrationStore,
  scope: ChipScope,
  { kind, parameter }: WrittenParameter,
): Promise<readonly string[]> {
  const rows = await store.currentValues(kind, { ...scope, qids: null, names: [parameter] });
  const taskIds = new Set(rows.flatMap(({ parameters }) => parameters.flatMap(({ taskId }) => taskId ?? [])));
  return taskIds.size === 0 ? [] : store.taskNamesOf(scope.projectId, [...taskIds]);
}
