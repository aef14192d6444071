import type { Chip } from '../../domain/chip/chip.ts';
import { latestByQubit } from '../../domain/values/measurement.ts';
import { comparePeriods } from '../../domain/values/period-comparison.ts';
import type { EntityLevel } from '../../domain/values/period-comparison.ts';
import { periodBefore } from '../../domain/values/period-values.ts';
import type { Period, PeriodResults } from '../../domain/values/period-values.ts';
import { InvalidInputError } from '../../base/errors.ts';
import type { CalibrationStore, MeasurementQuery } from '../../stores/calibration-store.ts';
import { scopeOf } from './chip-scope.ts';
import type { TopologiesService } from './chip-services.ts';
import type { MeasuredEntities, MeasuredEntitiesFinder } from './measured-entities.ts';
import type { PeriodComparisonRequest, PeriodComparisonsService } from './value-services.ts';
import type { WritingTasksFinder } from './writing-tasks.ts';

/** Results of each qubit or coupling that a window is described by; the newest count. */
const RESULTS_OF_EACH = 200;
/** A year of hours: a window that long with the one before it is more than any cool-down lasts. */
const MAX_HOURS = 8_784;

/** What comparisons are made from. */
export type PeriodComparisonsDeps = {
  readonly store: CalibrationStore;
  readonly measured: MeasuredEntitiesFinder;
  readonly writingTasks: WritingTasksFinder;
  readonly topologies: TopologiesService;
  readonly timeZone: string;
  readonly now: () => Date;
};

/** Windows of time against the ones before them. */
export function createPeriodComparisons(deps: PeriodComparisonsDeps): PeriodComparisonsService {
  const { store, measured, timeZone } = deps;
  return {
    async get(chip, request) {
      const { parameter, level = 'QUBIT' } = request;
      const period = periodOf(request, deps.now());
      const found = await measured.find(chip, request);
      const { kind, metric, entities, qids, twins } = found;
      const scope = scopeOf([chip]);
      const [muxOf, taskNames] = await Promise.all([
        muxesOf(deps, chip, found, level),
        deps.writingTasks.find(scope, { kind, parameter }),
      ]);
      const query = { ...scope, kind, parameter, taskNames, qids, cooldownId: null };
      const [current, previous] = await Promise.all([
        resultsIn(store, query, found, period),
        resultsIn(store, query, found, periodBefore(period)),
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

/** The window asked for, or the last so many hours. */
function periodOf({ windowHours, from, to }: PeriodComparisonRequest, now: Date): Period {
  const end = to ?? now;
  const hours = windowHours ?? (from ? (end.getTime() - from.getTime()) / 3_600_000 : null);
  if (windowHours && from) {
    throw new InvalidInputError([{ path: ['from'], message: 'give a window in hours or a start, not both' }]);
  }
  if (hours === null || !(hours > 0) || hours > MAX_HOURS) {
    const message = `a window is more than 0 and at most ${MAX_HOURS} hours long and ends after it starts`;
    throw new InvalidInputError([{ path: [from ? 'from' : 'windowHours'], message }]);
  }
  return { from: from ?? new Date(end.getTime() - hours * 3_600_000), to: end };
}

/** @throws InvalidInputError where the level is MUX and there is none: for couplings, and where the topology knows none. */
async function muxesOf(
  { topologies }: PeriodComparisonsDeps,
  chip: Chip,
  { kind }: MeasuredEntities,
  level: EntityLevel,
): Promise<ReadonlyMap<string, number>> {
  if (level !== 'MUX') return new Map();
  if (kind === 'COUPLING') {
    const message = 'couplings are of no MUX; compare them one by one (qubit) or over the chip';
    throw new InvalidInputError([{ path: ['level'], message }]);
  }
  const [topology = null] = await topologies.ofChips([chip]);
  if (topology !== null && topology.muxOf.size > 0) return topology.muxOf;
  const message = `the topology of ${chip.chipId} has no MUX; compare qubits or the chip`;
  throw new InvalidInputError([{ path: ['level'], message }]);
}

/** Results of those asked for alone: others may be stored under an id that the chip does not list. */
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
