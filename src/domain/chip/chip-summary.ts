import { compareQids } from '../qid.ts';
import { freshnessOf, type Freshness } from '../values/freshness.ts';
import { strictestLimitSeconds, type MetricCatalog } from '../values/metric.ts';
import { parameterStatistics } from '../values/parameter-statistics.ts';
import type { ParameterStatistics } from '../values/statistics.ts';
import { chipHealth, type ChipHealth, type QubitParameters } from './chip-health.ts';

/** A chip's current values: statistics, health, age, and the rows they were made from, in numeric qubit order. */
export type ChipSummary = {
  readonly qubitCount: number;
  readonly parameters: readonly ParameterStatistics[];
  readonly health: ChipHealth;
  readonly freshness: Freshness;
  readonly rows: readonly QubitParameters[];
};

/** Current values of every qubit, and which parameters to show. */
export type ChipSummaryInput = {
  readonly qubits: readonly QubitParameters[];
  /**
   * Null: all. Statistics, health and age are of these alone, so that everything in a summary is of the same values.
   */
  readonly shown: readonly string[] | null;
  readonly metrics: MetricCatalog;
};

/** Statistics, health and age of a chip's current values. */
export function summarizeChip({ qubits, shown, metrics }: ChipSummaryInput): ChipSummary {
  const all = qubits.toSorted((a, b) => compareQids(a.qid, b.qid));
  const names = new Set(shown ?? all.flatMap(({ parameters }) => parameters.map(({ name }) => name)));
  const wanted = shown === null ? metrics.inOrder([...names]) : [...names];
  const rows =
    shown === null
      ? all
      : all.map(({ qid, parameters }) => ({
          qid,
          parameters: parameters.filter(({ name }) => names.has(name)),
        }));
  const values = rows.flatMap(({ parameters }) => parameters);
  const byName = Map.groupBy(values, ({ name }) => name);
  return {
    qubitCount: all.length,
    parameters: wanted.map((name) =>
      parameterStatistics(name, metrics.find(name, 'QUBIT'), byName.get(name) ?? [], all.length),
    ),
    health: chipHealth(rows, metrics),
    freshness: freshnessOf(
      'SNAPSHOT',
      values.map(({ calibratedAt }) => calibratedAt),
      strictestLimitSeconds(wanted.map((name) => metrics.find(name, 'QUBIT'))),
    ),
    rows,
  };
}
