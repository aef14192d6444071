import type { MetricCatalog, Rating } from './metric.ts';
import type { ParameterValue } from './parameter-value.ts';
import { compareQids } from './qid.ts';

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

/** Points of a rated value; FAIR and BAD both count as poor, UNKNOWN is not scored. */
const POINTS: Readonly<Record<Rating, number | null>> = {
  EXCELLENT: 3,
  GOOD: 2,
  FAIR: 1,
  BAD: 1,
  UNKNOWN: null,
};

/** Scores the current values of a chip's qubits: the mean of the points of every rated value. */
export function chipHealth(rows: readonly QubitParameters[], metrics: MetricCatalog): ChipHealth {
  const rated = rows.flatMap(({ qid, parameters }) => parameters.map((parameter) => ({ qid, ...parameter })));
  const points = rated.flatMap(({ rating }) => POINTS[rating] ?? []);
  const score = points.length === 0 ? null : points.reduce((sum, each) => sum + each, 0) / points.length;
  const problems = rated.flatMap(({ qid, name, displayValue, displayUnit, rating }): QubitProblem[] => {
    const metric = metrics.find(name, 'QUBIT');
    const threshold = rating === 'BAD' ? metric?.bad : rating === 'FAIR' ? metric?.good : null;
    if (displayValue === null || threshold === null || threshold === undefined) return [];
    return [{ qid, parameter: name, value: displayValue, unit: displayUnit, rating, threshold }];
  });
  const count = (value: number): number => points.filter((each) => each === value).length;
  return {
    score,
    label: labelOf(score),
    excellent: count(3),
    good: count(2),
    poor: count(1),
    problems: problems.toSorted(compareProblems),
  };
}

function labelOf(score: number | null): HealthLabel {
  if (score === null) return 'UNKNOWN';
  if (score >= 2.5) return 'EXCELLENT';
  if (score >= 2) return 'GOOD';
  return score >= 1.5 ? 'FAIR' : 'POOR';
}

function compareProblems(a: QubitProblem, b: QubitProblem): number {
  if (a.rating !== b.rating) return a.rating === 'BAD' ? -1 : 1;
  return compareQids(a.qid, b.qid) || (a.parameter < b.parameter ? -1 : 1);
}
