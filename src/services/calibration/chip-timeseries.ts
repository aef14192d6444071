import { chipTimeseries, type ChipTimeseries } from '../../domain/chip/chip-timeseries.ts';
import type { Chip } from '../../domain/chip/chip.ts';
import { storedMark, type MetricScope } from '../../domain/values/metric.ts';
import { latestByQubit } from '../../domain/values/measurement.ts';
import { InvalidInputError } from '../../base/errors.ts';
import type { InputIssue } from '../../base/errors.ts';
import type { CalibrationStore } from '../../stores/calibration-store.ts';
import { scopeOf } from './chip-scope.ts';
import type { MeasuredEntitiesFinder } from './measured-entities.ts';
import type { WritingTasksFinder } from './writing-tasks.ts';

const DEFAULT_LAST_N = 10;
const MAX_LAST_N = 200;

/** Which history. `from` is inclusive and `to` exclusive, by measurement time. */
export type ChipTimeseriesRequest = {
  readonly parameter: string;
  /** Null: qubits or couplings, whichever the parameter is measured on. */
  readonly kind?: MetricScope | null;
  /** Qubits, or couplings for a coupling parameter; null or empty: all. */
  readonly qids?: readonly string[] | null;
  /** Newest results per qubit or coupling: 1 to 200, default 10. */
  readonly lastN?: number;
  readonly from?: Date | null;
  readonly to?: Date | null;
};

/** Histories of parameters: the newest results of each qubit or coupling. */
export function createChipTimeseries(deps: {
  readonly store: CalibrationStore;
  readonly measured: MeasuredEntitiesFinder;
  readonly writingTasks: WritingTasksFinder;
}) {
  const { store, measured, writingTasks } = deps;
  return {
    /** @throws InvalidInputError for an unknown parameter or one of the other kind; NotFoundError for unknown ids */
    async get(chip: Chip, request: ChipTimeseriesRequest): Promise<ChipTimeseries> {
      const issues = issuesOf(request);
      if (issues.length > 0) throw new InvalidInputError(issues);
      const { parameter, lastN = DEFAULT_LAST_N, from = null, to = null } = request;
      const found = await measured.find(chip, request);
      const { kind, metric, entities, qids, twins } = found;
      const scope = scopeOf([chip]);
      const taskNames = await writingTasks.find(scope, { kind, parameter });
      const query = {
        ...scope,
        kind,
        parameter,
        taskNames,
        qids,
        cooldownId: null,
        from,
        to,
        marksUpTo: storedMark(metric),
      };
      const rows = await store.latestMeasurements(query, lastN);
      if (rows.length === 0) await measured.requireKnown(chip, parameter, found);
      const measurements = latestByQubit(rows, lastN);
      return chipTimeseries({ kind, parameter, metric, entities, twins, measurements });
    },
  };
}

function issuesOf({ lastN = DEFAULT_LAST_N, from, to }: ChipTimeseriesRequest): InputIssue[] {
  const issues: InputIssue[] = [];
  if (!Number.isInteger(lastN) || lastN < 1 || lastN > MAX_LAST_N) {
    issues.push({ path: ['lastN'], message: `${lastN} is not a whole number from 1 to ${MAX_LAST_N}` });
  }
  if (from && to && from >= to) {
    issues.push({ path: ['to'], message: `must be later than from, ${from.toISOString()}` });
  }
  return issues;
}
