import type { Chip } from '../../domain/chip/chip.ts';
import { isCouplingId } from '../../domain/qid.ts';
import type { MetricCatalog, MetricScope } from '../../domain/values/metric.ts';
import { describeParameter } from '../../domain/values/parameter-value.ts';
import type { ParameterValue } from '../../domain/values/parameter-value.ts';
import type { StoredParameter } from '../../domain/values/stored-parameter.ts';
import type { TaskResult } from '../../domain/values/task-result.ts';
import type { CalibrationStore, TaskResultRow } from '../../stores/calibration-store.ts';
import { rowsToRead, toPage } from '../page-cursor.ts';
import { scopeOf } from './chip-scope.ts';
import type { CouplingsService, QubitsService } from './chip-services.ts';
import type { TaskResultsService } from './record-services.ts';
import { decodeTimeCursor, encodeTimeCursor } from './time-cursor.ts';

/** What task results are made from. */
export type TaskResultsDeps = {
  readonly store: CalibrationStore;
  readonly metrics: MetricCatalog;
  readonly qubits: QubitsService;
  readonly couplings: CouplingsService;
  readonly now: () => Date;
};

/** Runs of calibration tasks. */
export function createTaskResults(deps: TaskResultsDeps): TaskResultsService {
  const described = (row: TaskResultRow): TaskResult => describe(row, deps.metrics, deps.now());
  return {
    async getMany({ projectId }, taskIds) {
      const rows = await deps.store.taskResults(projectId, taskIds);
      const byId = new Map(rows.map((row) => [row.taskId, row]));
      return taskIds.map((taskId) => {
        const row = byId.get(taskId);
        return row ? described(row) : null;
      });
    },
    async latest(chip, { taskName, qids }) {
      if (qids.length === 0) return new Map();
      const rows = await deps.store.latestTaskResults({ ...scopeOf([chip]), taskName, qids });
      return new Map(rows.map((row) => [row.qid, described(row)]));
    },
    async page(chip, { filter, first, after }) {
      const limit = rowsToRead(first);
      const qid = filter?.qid ? await storedQid(deps, chip, filter.qid) : null;
      const slice = await deps.store.taskResultSlice({
        ...scopeOf([chip]),
        filter: { ...filter, qid },
        limit,
        after: decodeTimeCursor(after),
      });
      return toPage(slice, first, ({ row, cursor }) => ({
        item: described(row),
        cursor: encodeTimeCursor(cursor),
      }));
    },
    async names(chip) {
      const tasks = await deps.store.taskOutputs(scopeOf([chip]));
      return [...new Set(tasks.map(({ taskName }) => taskName))].filter((name) => name !== '').toSorted();
    },
  };
}

/** The id that results of this qubit or coupling are stored under; a coupling may be asked for in either direction. */
async function storedQid(deps: TaskResultsDeps, chip: Chip, written: string): Promise<string> {
  if (!isCouplingId(written)) return (await deps.qubits.get(chip, written)).qid;
  return (await deps.couplings.get(chip, written)).coupling.couplingId;
}

function describe(row: TaskResultRow, metrics: MetricCatalog, now: Date): TaskResult {
  const scope: MetricScope = isCouplingId(row.qid) ? 'COUPLING' : 'QUBIT';
  // A run is of its time: its values do not grow stale.
  const describeAll = (parameters: readonly StoredParameter[]): readonly ParameterValue[] =>
    parameters.map((each) => ({
      ...describeParameter(each, metrics.find(each.name, scope), now),
      isStale: false,
    }));
  return {
    ...row,
    inputParameters: describeAll(row.inputParameters),
    outputParameters: describeAll(row.outputParameters),
  };
}
