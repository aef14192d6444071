import { compareQids } from '../qid.ts';
import type { MetricCatalog, Rating } from '../values/metric.ts';
import type { ParameterValue } from '../values/parameter-value.ts';

/** Labels of a chip's score. */
export const HEALTH_LABELS = ['EXCELLENT', 'GOOD', 'FAIR', 'POOR', 'UNKNOWN'] as const;
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

const POINTS: Readonly<Record<Rating, 3 | 2 | 1 | null>> = {
  EXCELLENT: 3,
  GOOD: 2,
  FAIR: 1,
  BAD: 1,
  UNKNOWN: null,
};

/** Scores the current values of a chip's qubits: the mean of the points of every rated value. */
export function chipHealth(rows: readonly QubitParameters[], metrics: MetricCatalog): ChipHealth {
  const counts = { 3: 0, 2: 0, 1: 0 };
  const problems: QubitProblem[] = [];
  for (const { qid, parameters } of rows) {
    for (const parameter of parameters) {
      const points = POINTS[parameter.rating];
      if (points === null) continue;
      counts[points] += 1;
      const problem = points === 1 ? problemOf(qid, parameter, metrics) : null;
      if (problem !== null) problems.push(problem);
    }
  }
  const rated = counts[3] + counts[2] + counts[1];
  const score = rated === 0 ? null : (3 * counts[3] + 2 * counts[2] + counts[1]) / rated;
  return {
    score,
    label: labelOf(score),
    excellent: counts[3],
    good: counts[2],
    poor: counts[1],
    problems: problems.sort(compareProblems),
  };
}

function problemOf(
  qid: string,
  { name, displayValue, displayUnit, rating }: ParameterValue,
  metrics: MetricCatalog,
): QubitProblem | null {
  const metric = metrics.find(name, 'QUBIT');
  const threshold = rating === 'BAD' ? metric?.bad : metric?.good;
  if (displayValue === null || threshold === null || threshold === undefined) return null;
  return { qid, parameter: name, value: displayValue, unit: displayUnit, rating, threshold };
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
