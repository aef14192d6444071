import type { ChipHealth, HealthLabel, QubitParameters, QubitProblem } from './chip-summary.ts';
import type { MetricCatalog, Rating } from './metric.ts';
import { compareQids } from './qid.ts';

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
