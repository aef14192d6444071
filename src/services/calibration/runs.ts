import type { Chip } from '../../domain/chip/chip.ts';
import type { Viewer } from '../../domain/conversation/session.ts';
import { isCouplingId } from '../../domain/qid.ts';
import type { Execution, ExecutionFilter } from '../../domain/records/execution.ts';
import type { MetricCatalog, MetricScope } from '../../domain/values/metric.ts';
import { describeParameter } from '../../domain/values/parameter-value.ts';
import type { ParameterValue } from '../../domain/values/parameter-value.ts';
import type { StoredParameter } from '../../domain/values/stored-parameter.ts';
import type { TaskResult, TaskResultFilter } from '../../domain/values/task-result.ts';
import type { CalibrationStore, TaskResultRow } from '../../stores/calibration-store.ts';
import { rowsToRead, toPage, type FilteredPageRequest, type Page } from '../page-cursor.ts';
import { scopeOf } from './chip-scope.ts';
import type { CouplingsService } from './couplings.ts';
import type { QubitsService } from './qubits.ts';
import { decodeTimeCursor, encodeTimeCursor } from './time-cursor.ts';

export type TaskResultsDeps = {
  readonly store: CalibrationStore;
  readonly metrics: MetricCatalog;
  readonly qubits: QubitsService;
  readonly couplings: CouplingsService;
  readonly now: () => Date;
};

/** Runs of calibration tasks. */
export type TaskResultsService = ReturnType<typeof createTaskResults>;

/** Runs of calibration tasks. */
export function createTaskResults(deps: TaskResultsDeps) {
  const described = (row: TaskResultRow): TaskResult => describe(row, deps.metrics, deps.now());
  const pages = async (
    chip: Chip,
    qids: readonly string[] | null,
    { filter, first, after }: FilteredPageRequest<Omit<TaskResultFilter, 'qid'>>,
  ): Promise<readonly Page<TaskResult>[]> => {
    const slices = await deps.store.taskResultSlices({
      ...scopeOf([chip]),
      filter: filter ?? {},
      qids,
      limit: rowsToRead(first),
      after: decodeTimeCursor(after),
    });
    return slices.map((slice) =>
      toPage(slice, first, ({ row, cursor }) => ({ item: described(row), cursor: encodeTimeCursor(cursor) })),
    );
  };
  return {
    /** In the order of `taskIds`; null for a result that the project does not have. One read. */
    async getMany(
      { projectId }: Viewer,
      taskIds: readonly string[],
    ): Promise<readonly (TaskResult | null)[]> {
      const rows = await deps.store.taskResults(projectId, taskIds);
      const byId = new Map(rows.map((row) => [row.taskId, row]));
      return taskIds.map((taskId) => {
        const row = byId.get(taskId);
        return row ? described(row) : null;
      });
    },
    /** Newest completed, not excluded result of a task for each qid (or coupling id) that has one. One read. */
    async latest(
      chip: Chip,
      { taskName, qids }: { readonly taskName: string; readonly qids: readonly string[] },
    ): Promise<ReadonlyMap<string, TaskResult>> {
      if (qids.length === 0) return new Map();
      const rows = await deps.store.latestTaskResults({ ...scopeOf([chip]), taskName, qids });
      return new Map(rows.map((row) => [row.qid, described(row)]));
    },
    /** @throws InvalidInputError for a bad cursor; NotFoundError for an unknown qubit in the filter */
    async page(
      chip: Chip,
      { filter, ...page }: FilteredPageRequest<TaskResultFilter>,
    ): Promise<Page<TaskResult>> {
      const qid = filter?.qid ? await storedQid(deps, chip, filter.qid) : null;
      const [only] = await pages(chip, qid === null ? null : [qid], { filter: filter ?? null, ...page });
      if (!only) throw new Error('a page of results was read and is not there');
      return only;
    },
    /** A page of each of these qubits or couplings of the chip; null: one page of all results. @throws InvalidInputError for a bad cursor */
    pages,
    /** Sorted names of all tasks ever run on the chip. */
    async names(chip: Chip): Promise<readonly string[]> {
      const tasks = await deps.store.taskOutputs(scopeOf([chip]));
      return [...new Set(tasks.map(({ taskName }) => taskName))].filter((name) => name !== '').toSorted();
    },
  };
}

/** The id under which results of a qubit or coupling are stored; a coupling may be named in either direction. */
async function storedQid(deps: TaskResultsDeps, chip: Chip, written: string): Promise<string> {
  if (!isCouplingId(written)) return (await deps.qubits.get(chip, written)).qid;
  return (await deps.couplings.get(chip, written)).coupling.couplingId;
}

function describe(row: TaskResultRow, metrics: MetricCatalog, now: Date): TaskResult {
  const scope: MetricScope = isCouplingId(row.qid) ? 'COUPLING' : 'QUBIT';
  // A run belongs to its time: its values never become stale.
  const describeAll = (parameters: readonly StoredParameter[]): readonly ParameterValue[] =>
    parameters.map((each) =>
      describeParameter(each, metrics.find(each.name, scope), each.calibratedAt ?? now),
    );
  return {
    ...row,
    inputParameters: describeAll(row.inputParameters),
    outputParameters: describeAll(row.outputParameters),
  };
}

/** Runs of calibration workflows. */
export const createExecutions = (store: CalibrationStore) => ({
  /** In the order of `executionIds`; null for an execution that the project does not have. One read. */
  async getMany(
    { projectId }: Viewer,
    executionIds: readonly string[],
  ): Promise<readonly (Execution | null)[]> {
    const rows = await store.executions(projectId, executionIds);
    const byId = new Map(rows.map((row) => [row.executionId, row]));
    return executionIds.map((id) => byId.get(id) ?? null);
  },
  /** @throws InvalidInputError for a bad cursor */
  async page(
    chip: Chip,
    { filter, first, after }: FilteredPageRequest<ExecutionFilter>,
  ): Promise<Page<Execution>> {
    const limit = rowsToRead(first);
    const slice = await store.executionSlice({
      ...scopeOf([chip]),
      filter: filter ?? {},
      limit,
      after: decodeTimeCursor(after),
    });
    return toPage(slice, first, ({ row, cursor }) => ({ item: row, cursor: encodeTimeCursor(cursor) }));
  },
});
