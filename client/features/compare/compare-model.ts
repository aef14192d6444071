/** Two chips, or two dates of one, value by value and metric by metric. Pure. */
import type { CompareSideQuery } from '../../gql/graphql.ts';

type Parts = NonNullable<CompareSideQuery['chip']>['asOf']['parts'];
type Scope = Parts[number]['scope'];

/** A value of a qubit or coupling on both sides. */
export type ComparedPart = {
  readonly partId: string;
  readonly label: string;
  readonly a: number | null;
  readonly b: number | null;
  /** `b` minus `a`; null without both. */
  readonly difference: number | null;
};

/** A metric on both sides: medians of all values that each has. */
export type ComparedMetric = {
  readonly name: string;
  readonly a: number | null;
  readonly b: number | null;
  readonly countA: number;
  readonly countB: number;
  /** Of the medians, as a part of that of `a`; null without both, or where it is 0. */
  readonly share: number | null;
};

type Metric = { readonly name: string; readonly scope: Scope };

/** Metrics that either side has, those whose medians differ most (as a part of `a`) first. */
export function comparedMetrics(a: Parts, b: Parts, metrics: readonly Metric[]): readonly ComparedMetric[] {
  return metrics
    .map(({ name, scope }): ComparedMetric => {
      const [ofA, ofB] = [valuesOf(a, scope, name), valuesOf(b, scope, name)].map((of) => [...of.values()]);
      const [medianA, medianB] = [median(ofA ?? []), median(ofB ?? [])];
      const share =
        medianA === null || medianB === null || medianA === 0
          ? null
          : (medianB - medianA) / Math.abs(medianA);
      return { name, a: medianA, b: medianB, countA: ofA?.length ?? 0, countB: ofB?.length ?? 0, share };
    })
    .filter(({ countA, countB }) => countA + countB > 0)
    .toSorted((one, other) => sizeOf(other.share) - sizeOf(one.share));
}

/** All qubits or couplings with a value of the metric on either side, the largest differences first. */
export function comparedParts(a: Parts, b: Parts, { name, scope }: Metric): readonly ComparedPart[] {
  const [ofA, ofB] = [valuesOf(a, scope, name), valuesOf(b, scope, name)];
  const labels = new Map([...a, ...b].map(({ partId, label }) => [partId, label]));
  return [...new Set([...ofA.keys(), ...ofB.keys()])]
    .map((partId): ComparedPart => {
      const [one, other] = [ofA.get(partId) ?? null, ofB.get(partId) ?? null];
      const difference = one === null || other === null ? null : other - one;
      return { partId, label: labels.get(partId) ?? partId, a: one, b: other, difference };
    })
    .toSorted((one, other) => sizeOf(other.difference) - sizeOf(one.difference));
}

/** Values of a metric by qubit or coupling. */
export function valuesOf(parts: Parts, scope: Scope, name: string): ReadonlyMap<string, number> {
  return new Map(
    parts.flatMap((part) => {
      if (part.scope !== scope) return [];
      const value = part.parameters.find((parameter) => parameter.name === name)?.displayValue ?? null;
      return value === null ? [] : [[part.partId, value] as const];
    }),
  );
}

/** What has no difference comes last. */
const sizeOf = (difference: number | null): number => (difference === null ? -1 : Math.abs(difference));

export function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}
