import type { Freshness } from './freshness.ts';
import type { Rating } from './metric.ts';
import type { ParameterValue } from './parameter-value.ts';
import type { ParameterStatistics } from './statistics.ts';

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
