import { compareQids } from '../qid.ts';
import { freshnessOf, type Freshness } from '../values/freshness.ts';
import { strictestLimitSeconds, type MetricCatalog, type MetricScope } from '../values/metric.ts';
import { parameterStatistics } from '../values/parameter-statistics.ts';
import type { ParameterValue } from '../values/parameter-value.ts';
import type { ParameterStatistics } from '../values/statistics.ts';
import { presentOf } from './chip.ts';
import { chipHealth, type ChipHealth, type PartParameters } from './chip-health.ts';
import { partStates, type PartStatus, type PartValues } from './part-state.ts';

/** Current values of one rated parameter that are older than its metric allows. */
export type OldValues = {
  readonly kind: MetricScope;
  readonly parameter: string;
  readonly title: string;
  readonly count: number;
  readonly oldestAt: Date;
};

/**
 * A chip's current values: statistics, health, states, age, and the rows they were made from, in numeric order. All is
 * of the same parameters.
 */
export type ChipSummary = {
  readonly qubitCount: number;
  /** Without past couplings, as are statistics, health and rows. */
  readonly couplingCount: number;
  /** Statistics over qubits, and over couplings. */
  readonly parameters: readonly ParameterStatistics[];
  readonly couplingParameters: readonly ParameterStatistics[];
  readonly health: ChipHealth;
  /** State of each qubit, then of each coupling, past ones included. */
  readonly parts: readonly PartStatus[];
  readonly freshness: Freshness;
  /** By parameter, of qubits and then of couplings, in the order of the catalogue. */
  readonly old: readonly OldValues[];
  readonly rows: readonly PartParameters[];
  readonly couplingRows: readonly PartParameters[];
};

/** Current values of every qubit and coupling, and which parameters to show. */
export type ChipSummaryInput = {
  readonly qubits: readonly PartValues[];
  readonly couplings: readonly PartValues[];
  /** Null: all. */
  readonly shown: readonly string[] | null;
  readonly metrics: MetricCatalog;
  readonly now: Date;
};

/** Statistics, health, states and age of a chip's current values. */
export function summarizeChip({ qubits, couplings, shown, metrics, now }: ChipSummaryInput): ChipSummary {
  const ofQubits = summarizeKind('QUBIT', qubits, shown, metrics);
  const ofCouplings = summarizeKind('COUPLING', couplings, shown, metrics);
  const parts = [...ofQubits.parts, ...ofCouplings.parts];
  return {
    qubitCount: qubits.length,
    couplingCount: ofCouplings.rows.length,
    parameters: ofQubits.statistics,
    couplingParameters: ofCouplings.statistics,
    health: chipHealth({
      qubits: ofQubits.rows,
      couplings: ofCouplings.rows,
      status: presentOf(parts),
      metrics,
      now,
    }),
    parts,
    freshness: freshnessOf(
      'SNAPSHOT',
      [...ofQubits.times, ...ofCouplings.times],
      strictestLimitSeconds([...ofQubits.limits, ...ofCouplings.limits]),
    ),
    old: [...ofQubits.old, ...ofCouplings.old],
    rows: ofQubits.rows,
    couplingRows: ofCouplings.rows,
  };
}

function summarizeKind(
  kind: MetricScope,
  parts: readonly PartValues[],
  shown: readonly string[] | null,
  metrics: MetricCatalog,
) {
  const wanted = shown === null ? null : new Set(shown);
  const all = parts
    .toSorted((a, b) => compareQids(a.qid, b.qid))
    .map((part) => ({
      ...part,
      parameters: part.parameters.filter(({ name }) => wanted === null || wanted.has(name)),
    }));
  const rows = presentOf(all);
  const values = rows.flatMap(({ parameters }) => parameters);
  const byName = Map.groupBy(values, ({ name }) => name);
  const isOfKind = (name: string): boolean => byName.has(name) || metrics.find(name, kind) !== null;
  const names = wanted === null ? metrics.inOrder([...byName.keys()]) : [...wanted].filter(isOfKind);
  return {
    rows,
    parts: partStates(kind, all, metrics),
    statistics: names.map((name) =>
      parameterStatistics(name, metrics.find(name, kind), byName.get(name) ?? [], rows.length),
    ),
    old: names.flatMap((parameter) => oldOf(kind, parameter, byName.get(parameter) ?? [])),
    times: values.flatMap(({ state, calibratedAt }) =>
      state === 'DISABLED' || state === 'MISSING' ? [] : [calibratedAt],
    ),
    limits: names.map((name) => metrics.find(name, kind)),
  };
}

/** Those of one parameter that are too old, of rated ones as the health counts them; disabled parts have no value. */
function oldOf(kind: MetricScope, parameter: string, values: readonly ParameterValue[]): OldValues[] {
  const old = values.filter(
    ({ state, isStale, rating }) => isStale && state !== 'DISABLED' && rating !== 'UNKNOWN',
  );
  const [oldestAt] = old.flatMap(({ calibratedAt }) => calibratedAt ?? []).toSorted((a, b) => +a - +b);
  const title = old[0]?.title ?? parameter;
  return oldestAt === undefined ? [] : [{ kind, parameter, title, count: old.length, oldestAt }];
}
