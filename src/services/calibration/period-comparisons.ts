import type { Chip } from '../../domain/chip/chip.ts';
import { storedMark } from '../../domain/values/metric.ts';
import { latestByQubit } from '../../domain/values/measurement.ts';
import { comparePeriods } from '../../domain/values/period-comparison.ts';
import type { EntityLevel, PeriodComparison } from '../../domain/values/period-comparison.ts';
import { periodBefore } from '../../domain/values/period-values.ts';
import type { Period, PeriodResults } from '../../domain/values/period-values.ts';
import { InvalidInputError } from '../../base/errors.ts';
import type { CalibrationStore, MeasurementQuery } from '../../stores/calibration-store.ts';
import { scopeOf } from './chip-scope.ts';
import type { MeasuredEntities, MeasuredEntitiesFinder } from './measured-entities.ts';
import type { TopologiesService } from './topologies.ts';
import type { WritingTasksFinder } from './writing-tasks.ts';

/** Newest results of each qubit or coupling that describe a window. */
const RESULTS_OF_EACH = 200;
/**
 * Which window: the last `windowHours` before `to`, or `from` to `to`; `to` defaults to now. `previous` is the window
 * that it is compared with: by default the one just before, of the same length.
 */
export type PeriodComparisonRequest = {
  readonly parameter: string;
  readonly windowHours?: number | null;
  readonly from?: Date | null;
  readonly to?: Date | null;
  /** Ends at or before the start of the window; without `from` it is as long as the window. */
  readonly previous?: { readonly from?: Date | null; readonly to: Date } | null;
  readonly level?: EntityLevel;
  /** Qubits, or couplings for a coupling parameter; null or empty: all. */
  readonly qids?: readonly string[] | null;
};

export type PeriodComparisonsDeps = {
  readonly store: CalibrationStore;
  readonly measured: MeasuredEntitiesFinder;
  readonly writingTasks: WritingTasksFinder;
  readonly topologies: TopologiesService;
  readonly timeZone: string;
  readonly now: () => Date;
};

/** Compares a window of time with an earlier one. */
export function createPeriodComparisons(deps: PeriodComparisonsDeps) {
  const { store, measured, timeZone } = deps;
  return {
    /**
     * Over qubits or couplings, whichever the parameter is measured on.
     * @throws InvalidInputError for an invalid window, an unknown parameter, or MUX without multiplexed qubits;
     * NotFoundError for unknown ids
     */
    async get(chip: Chip, request: PeriodComparisonRequest): Promise<PeriodComparison> {
      const { parameter, level = 'QUBIT' } = request;
      const period = periodOf(request, deps.now());
      const earlier = earlierPeriod(request, period);
      const found = await measured.find(chip, request);
      const { kind, metric, entities, qids, twins } = found;
      const scope = scopeOf([chip]);
      const [muxOf, taskNames] = await Promise.all([
        muxesOf(deps, chip, found, level),
        deps.writingTasks.find(scope, { kind, parameter }),
      ]);
      const query = {
        ...scope,
        kind,
        parameter,
        taskNames,
        qids,
        cooldownId: null,
        marksUpTo: storedMark(metric),
      };
      const [current, previous] = await Promise.all([
        resultsIn(store, query, found, period),
        resultsIn(store, query, found, earlier),
      ]);
      if (current.measurements.length + previous.measurements.length === 0) {
        await measured.requireKnown(chip, parameter, found);
      }
      return comparePeriods({
        kind,
        parameter,
        metric,
        chipId: chip.chipId,
        level,
        entities,
        twins,
        muxOf,
        timeZone,
        current,
        previous,
      });
    },
  };
}

function periodOf({ windowHours, from, to }: PeriodComparisonRequest, now: Date): Period {
  const end = to ?? now;
  const hours = windowHours ?? (from ? (end.getTime() - from.getTime()) / 3_600_000 : null);
  if (windowHours && from) {
    throw InvalidInputError.at(['from'], 'give a window in hours or a start, not both');
  }
  const start = from ?? (hours === null ? null : new Date(end.getTime() - hours * 3_600_000));
  if (hours === null || start === null || !(hours > 0) || Number.isNaN(start.getTime())) {
    const message = 'a window is more than 0 hours long and ends after it starts';
    throw InvalidInputError.at([from ? 'from' : 'windowHours'], message);
  }
  return { from: start, to: end };
}

/** @throws InvalidInputError for a window that is empty or ends after the later one starts */
function earlierPeriod({ previous }: PeriodComparisonRequest, period: Period): Period {
  if (!previous) return periodBefore(period);
  const { to } = previous;
  const lengthMs = period.to.getTime() - period.from.getTime();
  const from = previous.from ?? new Date(to.getTime() - lengthMs);
  if (to > period.from) {
    const message = `the earlier window ends at ${to.toISOString()}, after the later one starts (${period.from.toISOString()}): give the earlier one as previous`;
    throw InvalidInputError.at(['previous'], message);
  }
  if (from < to) return { from, to };
  throw InvalidInputError.at(['previous'], 'the earlier window starts at or after its end');
}

/** MUX number by qid, for the level MUX. @throws InvalidInputError for couplings and for a topology without MUXes */
async function muxesOf(
  { topologies }: PeriodComparisonsDeps,
  chip: Chip,
  { kind }: MeasuredEntities,
  level: EntityLevel,
): Promise<ReadonlyMap<string, number>> {
  if (level !== 'MUX') return new Map();
  if (kind === 'COUPLING') {
    const message = 'couplings belong to no MUX; compare them one by one (qubit) or over the chip';
    throw InvalidInputError.at(['level'], message);
  }
  const [topology = null] = await topologies.ofChips([chip]);
  if (topology !== null && topology.muxOf.size > 0) return topology.muxOf;
  const message = `the topology of ${chip.chipId} has no MUX; compare qubits or the chip`;
  throw InvalidInputError.at(['level'], message);
}

/** Only results of the requested entities: the store may have results under ids that the chip does not list. */
async function resultsIn(
  store: CalibrationStore,
  query: Omit<MeasurementQuery, 'from' | 'to'>,
  { entities }: MeasuredEntities,
  period: Period,
): Promise<PeriodResults> {
  const rows = await store.latestMeasurements({ ...query, ...period }, RESULTS_OF_EACH);
  const latest = latestByQubit(rows, RESULTS_OF_EACH);
  return { ...period, measurements: entities.flatMap(({ qid }) => latest.get(qid) ?? []) };
}
