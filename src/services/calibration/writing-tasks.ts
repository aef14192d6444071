import { LRUCache } from 'lru-cache';
import { withoutBudget } from '../../base/read-budget.ts';
import type { MetricScope } from '../../domain/values/metric.ts';
import type { CalibrationStore, ChipScope, TaskOutputs } from '../../stores/calibration-store.ts';

type WrittenParameter = { readonly kind: MetricScope; readonly parameter: string };

/** Finds the tasks that write a parameter. */
export type WritingTasksFinder = ReturnType<typeof createWritingTasks>;

/** Remembered (chips, parameter) pairs. */
const KEPT = 500;
const KEPT_MS = 60_000;

/**
 * Task outputs are read anew each time, from one run of each task. The tasks behind the current values need a look at
 * the result behind each value, so they are looked up once a minute for each parameter, for all qubits together.
 *
 * That lookup only adds tasks that output the parameter in some runs and not in others. If such a task writes it for
 * the first time, its results may be missed for up to a minute. A parameter without a known task is looked up each
 * time.
 */
export function createWritingTasks(store: CalibrationStore) {
  const behindValues = new LRUCache<string, Promise<readonly string[]>>({ max: KEPT, ttl: KEPT_MS });
  const remembered = (scope: ChipScope, written: WrittenParameter): Promise<readonly string[]> => {
    const key = JSON.stringify([scope.projectId, scope.chipIds, written.kind, written.parameter]);
    const held = behindValues.get(key);
    if (held !== undefined) return held;
    const looked = withoutBudget(() => tasksBehindValues(store, scope, written));
    behindValues.set(key, looked);
    looked.catch(() => behindValues.get(key) === looked && behindValues.delete(key));
    return looked;
  };
  const findAmong = async (
    tasks: readonly TaskOutputs[],
    scope: ChipScope,
    written: WrittenParameter,
  ): Promise<readonly string[] | null> => {
    const known = namesOf(tasks.filter(({ outputs }) => outputs?.includes(written.parameter)));
    const behind = await (known.length > 0
      ? remembered(scope, written)
      : tasksBehindValues(store, scope, written));
    if (behind.length + known.length === 0) return null;
    return [...new Set([...behind, ...known, ...namesOf(tasks.filter(({ outputs }) => outputs === null))])];
  };
  /** As `find` for several parameters, in their order. */
  const findMany = async (
    scope: ChipScope,
    written: readonly WrittenParameter[],
  ): Promise<readonly (readonly string[] | null)[]> => {
    const tasks = await store.taskOutputs(scope);
    return Promise.all(written.map((each) => findAmong(tasks, scope, each)));
  };
  return {
    /**
     * Names of the tasks that may write a parameter on the chips, so that the store can skip all other results: tasks
     * with it among their outputs, tasks with unknown outputs, and the tasks behind its current values. Null if none is
     * known: then all results have to be searched.
     */
    async find(scope: ChipScope, written: WrittenParameter): Promise<readonly string[] | null> {
      const [found = null] = await findMany(scope, [written]);
      return found;
    },
    findMany,
    /** As `find`, and which of `others` some task puts out, from the same read. */
    async findBeside(
      scope: ChipScope,
      written: WrittenParameter,
      others: readonly string[],
    ): Promise<{ readonly taskNames: readonly string[] | null; readonly putOut: readonly string[] }> {
      const tasks = await store.taskOutputs(scope);
      const ofKind = tasks.filter(({ kind }) => kind === written.kind);
      return {
        taskNames: await findAmong(tasks, scope, written),
        putOut: others.filter((name) => ofKind.some(({ outputs }) => outputs?.includes(name))),
      };
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
