import { compareQids } from '../qid.ts';
import type { Metric, MetricCatalog, MetricScope, Rating } from '../values/metric.ts';
import type { ParameterValue } from '../values/parameter-value.ts';

/** A current value that is worse than good. `value` and `threshold` are in display scale. */
export type PartProblem = {
  readonly kind: MetricScope;
  readonly qid: string;
  readonly parameter: string;
  readonly title: string;
  readonly value: number;
  readonly unit: string;
  readonly rating: Rating;
  /** The limit it misses: `bad` for BAD values, `good` for FAIR ones. */
  readonly threshold: number;
  /** How far past the limit of good: 0 at `good`, 1 at `bad`, more beyond. The same scale for all metrics. */
  readonly severity: number;
};

type Part = { readonly qid: string; readonly parameters: readonly ParameterValue[] };

/** The furthest past their limits first; of equals qubits before couplings, then by id and parameter. */
export function problemsOf(
  qubits: readonly Part[],
  couplings: readonly Part[],
  metrics: MetricCatalog,
): readonly PartProblem[] {
  const ofKind = (kind: MetricScope, parts: readonly Part[]): PartProblem[] =>
    parts.flatMap(({ qid, parameters }) =>
      parameters.flatMap((each) => problemOf(kind, qid, each, metrics.find(each.name, kind)) ?? []),
    );
  return [...ofKind('QUBIT', qubits), ...ofKind('COUPLING', couplings)].sort(
    (a, b) =>
      b.severity - a.severity ||
      (a.kind === b.kind ? compareQids(a.qid, b.qid) : a.kind === 'QUBIT' ? -1 : 1) ||
      (a.parameter < b.parameter ? -1 : 1),
  );
}

function problemOf(
  kind: MetricScope,
  qid: string,
  { name, title, displayValue, displayUnit, rating }: ParameterValue,
  metric: Metric | null,
): PartProblem | null {
  if (metric === null || displayValue === null || (rating !== 'FAIR' && rating !== 'BAD')) return null;
  const threshold = rating === 'BAD' ? metric.bad : metric.good;
  if (threshold === null) return null;
  const severity = severityOf(metric, displayValue);
  return {
    kind,
    qid,
    parameter: name,
    title,
    value: displayValue,
    unit: displayUnit,
    rating,
    threshold,
    severity,
  };
}

/**
 * Distance past `good` in spans from good to bad. The laboratory chose that span as what separates "to be improved" from
 * "not to be used", so it is the one scale on which a readout fidelity and a T1 can be compared; a share of the value
 * itself would rank every T1 before any fidelity. A metric without `bad` takes its span from excellent to good.
 */
export function severityOf(metric: Metric, displayValue: number): number {
  const { good, bad, excellent, direction } = metric;
  if (good === null) return 0;
  const span = Math.abs((bad ?? excellent ?? 0) - good) || Math.abs(good) || 1;
  const past = direction === 'LOWER_IS_BETTER' ? displayValue - good : good - displayValue;
  return Math.max(0, past / span);
}
