import { chipHealth } from './chip-health.ts';
import { freshnessOf } from './freshness.ts';
import type { Freshness } from './freshness.ts';
import { strictestLimitSeconds } from './metric.ts';
import type { MetricCatalog, Rating } from './metric.ts';
import { parameterStatistics } from './parameter-statistics.ts';
import { describeParameter } from './parameter-value.ts';
import type { ParameterValue } from './parameter-value.ts';
import { compareQids } from './qid.ts';
import type { ParameterStatistics } from './statistics.ts';
import type { StoredParameter } from './stored-parameter.ts';

/** Words for a chip's score. */
export const HEALTH_LABELS = ['EXCELLENT', 'GOOD', 'FAIR', 'POOR', 'UNKNOWN'] as const;
/** One of {@link HEALTH_LABELS}. */
export type HealthLabel = (typeof HEALTH_LABELS)[number];

/** A rated value that is worse than good. `value` and `threshold` are in display scale. */
export type QubitProblem = {
  readonly qid: string;
  readonly parameter: string;
  readonly value: number;
  readonly unit: string;
  readonly rating: Rating;
  /** The limit it misses: `bad` for BAD values, `good` for FAIR ones. */
  readonly threshold: number;
};

/** Score of a chip: mean of 3 (excellent), 2 (good) and 1 (poor) over all rated values; null where none is rated. */
export type ChipHealth = {
  readonly score: number | null;
  readonly label: HealthLabel;
  /** Rated values by class; `poor` counts FAIR and BAD. */
  readonly excellent: number;
  readonly good: number;
  readonly poor: number;
  /** BAD before FAIR, then by qubit and parameter. */
  readonly problems: readonly QubitProblem[];
};

/** Current values of one qubit. */
export type QubitParameters = { readonly qid: string; readonly parameters: readonly ParameterValue[] };

/** A chip's current values: statistics, health, age, and the rows they were made from, in numeric qubit order. */
export type ChipSummary = {
  readonly qubitCount: number;
  readonly parameters: readonly ParameterStatistics[];
  readonly health: ChipHealth;
  readonly freshness: Freshness;
  readonly rows: readonly QubitParameters[];
};

/** What a summary is made from: current values of every qubit, and which parameters are to be shown. */
export type ChipSummaryInput = {
  /** One a qubit, already merged over users. */
  readonly qubits: readonly { readonly qid: string; readonly stored: readonly StoredParameter[] }[];
  /** Null: all. Health is always over every rated metric, whatever is shown. */
  readonly shown: readonly string[] | null;
  readonly metrics: MetricCatalog;
  readonly now: Date;
};

/** Statistics, health and age of a chip's current values. */
export function summarizeChip({ qubits, shown, metrics, now }: ChipSummaryInput): ChipSummary {
  const all = qubits
    .map(({ qid, stored }) => ({
      qid,
      parameters: stored.map((each) => describeParameter(each, metrics.find(each.name, 'QUBIT'), now)),
    }))
    .toSorted((a, b) => compareQids(a.qid, b.qid));
  const names = shown ?? metrics.inOrder(all.flatMap(({ parameters }) => parameters.map(({ name }) => name)));
  const wanted = new Set(names);
  const rows = all.map(({ qid, parameters }) => ({
    qid,
    parameters: parameters.filter(({ name }) => wanted.has(name)),
  }));
  const values = rows.flatMap(({ parameters }) => parameters);
  const byName = Map.groupBy(values, ({ name }) => name);
  return {
    qubitCount: all.length,
    parameters: [...wanted].map((name) =>
      parameterStatistics(name, metrics.find(name, 'QUBIT'), byName.get(name) ?? [], all.length),
    ),
    health: chipHealth(all, metrics),
    freshness: freshnessOf(
      'SNAPSHOT',
      values.map(({ calibratedAt }) => calibratedAt),
      strictestLimitSeconds([...wanted].map((name) => metrics.find(name, 'QUBIT'))),
    ),
    rows,
  };
}
