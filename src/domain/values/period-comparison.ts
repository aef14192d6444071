/**
 * A window of time against an earlier one. The value of a qubit or coupling in a window is its latest there; a
 * MUX's or the chip's is a mean over its members measured in both windows, never over means, so that a member that
 * was skipped once does not look like a change.
 */
import { compareQids, type TwinAnswer } from '../qid.ts';
import { cooldownsOf } from './daily.ts';
import { freshnessOf, type Freshness } from './freshness.ts';
import { strictestLimitSeconds, type Metric, type MetricScope } from './metric.ts';
import { commonUnit, parameterStatistics } from './parameter-statistics.ts';
import { displayScale } from './metric.ts';
import {
  seriesOf,
  valuesOf,
  type Period,
  type PeriodPoint,
  type PeriodResults,
  type PeriodValue,
} from './period-values.ts';
import { statisticsOf, type ParameterStatistics } from './statistics.ts';

/** What a row compares; for a parameter of couplings, QUBIT is each coupling. */
export const ENTITY_LEVELS = ['QUBIT', 'MUX', 'CHIP'] as const;
export type EntityLevel = (typeof ENTITY_LEVELS)[number];

/**
 * What happened to one qubit or coupling, one MUX or the chip. Figures are as stored; multiply by the comparison's
 * `scale` for display.
 */
export type ComparedEntity = {
  /** `Q07`, `Q04-Q01`, `MUX 3`, or the chip's name. */
  readonly entity: string;
  readonly current: number | null;
  readonly previous: number | null;
  /** Null unless there is a value in both windows. */
  readonly change: number | null;
  /**
   * The change in standard errors: of one member, the errors of its two values combined; of several, the error of the
   * mean of their changes. Null where these are not known.
   */
  readonly changeSigma: number | null;
  /** By the metric's direction; null without change or where neither way is better. */
  readonly better: boolean | null;
  /** Qubits or couplings behind `change`. */
  readonly members: number;
};

/** One of the two windows. `statistics` are over all its members, also those that the other window lacks. */
export type ComparedPeriod = Period & {
  readonly statistics: ParameterStatistics;
  /** Newest first; values are of the first only. */
  readonly cooldownIds: readonly string[];
  /** One point a day of the lab, oldest first. */
  readonly series: readonly PeriodPoint[];
};

/** A parameter over two windows, in the unit that most results have. */
export type PeriodComparison = {
  readonly kind: MetricScope;
  readonly parameter: string;
  readonly title: string;
  readonly metric: Metric | null;
  readonly level: EntityLevel;
  readonly unit: string;
  readonly displayUnit: string;
  readonly scale: number;
  /** In numeric order; entities without any value are there, empty. */
  readonly rows: readonly ComparedEntity[];
  /** All together, whatever the level. */
  readonly total: ComparedEntity;
  readonly twins: readonly TwinAnswer[];
  readonly current: ComparedPeriod;
  readonly previous: ComparedPeriod;
  readonly freshness: Freshness;
};

/** What is compared. */
export type PeriodComparisonInput = {
  readonly kind: MetricScope;
  readonly parameter: string;
  readonly metric: Metric | null;
  readonly chipId: string;
  readonly level: EntityLevel;
  readonly entities: readonly { readonly qid: string; readonly label: string }[];
  readonly twins: readonly TwinAnswer[];
  /** From the topology; only needed for MUX. */
  readonly muxOf: ReadonlyMap<string, number>;
  readonly timeZone: string;
  readonly current: PeriodResults;
  readonly previous: PeriodResults;
};

/** Compares a window with an earlier one. */
export function comparePeriods(input: PeriodComparisonInput): PeriodComparison {
  const { kind, parameter, metric, level, entities, twins, chipId } = input;
  const unit = commonUnit([...input.current.measurements, ...input.previous.measurements]);
  const scale = displayScale(metric, unit);
  const current = valuesOf(input.current, unit);
  const previous = valuesOf(input.previous, unit);
  const pairs = new Map(
    entities.map(({ qid }) => [
      qid,
      { current: current.get(qid) ?? null, previous: previous.get(qid) ?? null },
    ]),
  );
  const period = (results: PeriodResults, values: typeof current): ComparedPeriod => ({
    from: results.from,
    to: results.to,
    statistics: parameterStatistics(
      parameter,
      metric,
      entities.map(({ qid }) => ({ value: values.get(qid)?.value ?? null, unit })),
      entities.length,
    ),
    cooldownIds: cooldownsOf(results.measurements),
    series: seriesOf(results, unit, input.timeZone),
  });
  const groups = groupsOf(input);
  return {
    kind,
    parameter,
    title: metric?.title ?? parameter,
    metric,
    level,
    unit,
    displayUnit: metric?.unit ?? unit,
    scale,
    rows: groups.map(({ entity, qids }) => compared(entity, qids, pairs, metric)),
    total: compared(
      chipId,
      entities.map(({ qid }) => qid),
      pairs,
      metric,
    ),
    twins,
    current: period(input.current, current),
    previous: period(input.previous, previous),
    freshness: freshnessOf(
      'SNAPSHOT',
      [...current.values()].map(({ at }) => at),
      strictestLimitSeconds([metric]),
    ),
  };
}

type Pair = { readonly current: PeriodValue | null; readonly previous: PeriodValue | null };

type Group = { readonly entity: string; readonly qids: readonly string[] };

function groupsOf({ level, entities, muxOf, chipId }: PeriodComparisonInput): readonly Group[] {
  const ordered = entities.toSorted((a, b) => compareQids(a.qid, b.qid));
  switch (level) {
    case 'QUBIT':
      return ordered.map(({ qid, label }) => ({ entity: label, qids: [qid] }));
    case 'CHIP':
      return [{ entity: chipId, qids: ordered.map(({ qid }) => qid) }];
    case 'MUX': {
      const placed = ordered.flatMap(({ qid }) => {
        const mux = muxOf.get(qid);
        return mux === undefined ? [] : [{ qid, mux }];
      });
      return [...Map.groupBy(placed, ({ mux }) => mux)]
        .toSorted(([a], [b]) => a - b)
        .map(([mux, members]) => ({ entity: `MUX ${mux}`, qids: members.map(({ qid }) => qid) }));
    }
    default:
      return level satisfies never;
  }
}

function compared(
  entity: string,
  qids: readonly string[],
  pairs: ReadonlyMap<string, Pair>,
  metric: Metric | null,
): ComparedEntity {
  const members = qids.flatMap((qid) => pairs.get(qid) ?? []);
  const both = members.flatMap(({ current, previous }) =>
    current !== null && previous !== null ? [{ current, previous }] : [],
  );
  const changes = statisticsOf(both.map(({ current, previous }) => current.value - previous.value));
  // Where none has values in both, each window still has its own figure, but there is no change to report.
  const side = (which: 'current' | 'previous') =>
    statisticsOf((both.length > 0 ? both : members).flatMap((pair) => pair[which]?.value ?? [])).mean;
  const change = changes.mean;
  return {
    entity,
    current: side('current'),
    previous: side('previous'),
    change,
    changeSigma: change === null ? null : sigmaOf(both, change, changes.stdev),
    better: betterOf(change, metric),
    members: both.length,
  };
}

function sigmaOf(
  both: readonly { readonly current: PeriodValue; readonly previous: PeriodValue }[],
  change: number,
  spread: number | null,
): number | null {
  const [only] = both;
  if (only && both.length === 1) {
    const { current, previous } = only;
    if (current.error === null || previous.error === null) return null;
    return ratio(change, Math.hypot(current.error, previous.error));
  }
  return spread === null ? null : ratio(change, spread / Math.sqrt(both.length));
}

function ratio(change: number, error: number): number | null {
  const sigma = change / error;
  return error > 0 && Number.isFinite(sigma) ? sigma : null;
}

function betterOf(change: number | null, metric: Metric | null): boolean | null {
  const direction = metric?.direction ?? 'NEUTRAL';
  if (change === null || change === 0 || direction === 'NEUTRAL') return null;
  return change > 0 === (direction === 'HIGHER_IS_BETTER');
}
