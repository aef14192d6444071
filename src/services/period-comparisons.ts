import type { Chip, Qubit } from '../domain/chip.ts';
import { latestByQubit } from '../domain/measurement.ts';
import type { MetricCatalog } from '../domain/metric.ts';
import { comparePeriods } from '../domain/period-comparison.ts';
import type { EntityLevel } from '../domain/period-comparison.ts';
import { periodBefore } from '../domain/period-values.ts';
import type { Period, PeriodResults } from '../domain/period-values.ts';
import { InvalidInputError } from '../errors.ts';
import type { CalibrationStore, MeasurementQuery } from '../stores/calibration-store.ts';
import type { ParameterNamesService, QubitsService, TopologiesService } from './chip-services.ts';
import type { PeriodComparisonRequest, PeriodComparisonsService } from './value-services.ts';
import { scopeOf } from './chip-scope.ts';
import { parameterNameIssue, unknownParameter } from './parameter-names.ts';
import { pickQubits } from './qubits.ts';
import { tasksThatWrite } from './writing-tasks.ts';

/** Results of each qubit that a window is described by; the newest count. */
const RESULTS_PER_QUBIT = 200;
/** A year of hours: a window that long with the one before it is more than any cool-down lasts. */
const MAX_HOURS = 8_784;

/** What comparisons are made from. */
export type PeriodComparisonsDeps = {
  readonly store: CalibrationStore;
  readonly metrics: MetricCatalog;
  readonly qubits: QubitsService;
  readonly topologies: TopologiesService;
  readonly parameterNames: ParameterNamesService;
  readonly timeZone: string;
  readonly now: () => Date;
};

/** Windows of time against the ones before them. */
export function createPeriodComparisons(deps: PeriodComparisonsDeps): PeriodComparisonsService {
  const { store, metrics } = deps;
  return {
    async get(chip, request) {
      const { parameter, level = 'QUBIT' } = request;
      const issue = parameterNameIssue(parameter, ['parameter']);
      if (issue) throw new InvalidInputError([issue]);
      const period = periodOf(request, deps.now());
      const [all = []] = await deps.qubits.ofChips([chip]);
      const qubits = request.qids?.length ? pickQubits(chip, all, request.qids) : all;
      const metric = metrics.find(parameter, 'QUBIT');
      const scope = scopeOf([chip]);
      const [muxOf, taskNames] = await Promise.all([
        muxesOf(deps, chip, level),
        tasksThatWrite(store, scope, parameter),
      ]);
      const query = { ...scope, parameter, taskNames, qids: qidsOf(qubits, all) };
      const [current, previous] = await Promise.all([
        resultsIn(store, query, period),
        resultsIn(store, query, periodBefore(period)),
      ]);
      if (metric === null && current.measurements.length + previous.measurements.length === 0) {
        const onChip = await deps.parameterNames.list(chip);
        if (!onChip.includes(parameter)) {
          throw unknownParameter(parameter, ['parameter'], chip, { onChip, metrics });
        }
      }
      const { chipId } = chip;
      const { timeZone } = deps;
      return comparePeriods({
        parameter,
        metric,
        chipId,
        level,
        qubits,
        muxOf,
        timeZone,
        current,
        previous,
      });
    },
  };
}

const qidsOf = (wanted: readonly Qubit[], all: readonly Qubit[]): readonly string[] | null =>
  wanted === all ? null : wanted.map(({ qid }) => qid);

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

/** @throws InvalidInputError where the level is MUX and the chip's topology knows none. */
async function muxesOf(
  { topologies }: PeriodComparisonsDeps,
  chip: Chip,
  level: EntityLevel,
): Promise<ReadonlyMap<string, number>> {
  if (level !== 'MUX') return new Map();
  const [topology = null] = await topologies.ofChips([chip]);
  if (topology !== null && topology.muxOf.size > 0) return topology.muxOf;
  const message = `the topology of ${chip.chipId} has no MUX; compare qubits or the chip`;
  throw new InvalidInputError([{ path: ['level'], message }]);
}

async function resultsIn(
  store: CalibrationStore,
  query: Omit<MeasurementQuery, 'from' | 'to'>,
  period: Period,
): Promise<PeriodResults> {
  const rows = await store.latestMeasurements({ ...query, ...period }, RESULTS_PER_QUBIT);
  return { ...period, measurements: [...latestByQubit(rows, RESULTS_PER_QUBIT).values()].flat() };
}
