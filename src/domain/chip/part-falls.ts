/**
 * Values that got much worse. How much counts is judged by the recorded errors of both values; where none are recorded, by the
 * earlier changes of the same parameter; and without enough of these nothing is claimed.
 */
import { isRated, type MetricCatalog, type MetricScope } from '../values/metric.ts';
import { medianOf } from '../values/statistics.ts';
import type { ChipChange } from './chip-comparison.ts';

/** What a fall is measured against. */
export type FallBasis = 'ERRORS' | 'EARLIER_CHANGES';

/** A value that got much worse. Numbers are in display scale. */
export type PartFall = {
  readonly kind: MetricScope;
  readonly qid: string;
  readonly parameter: string;
  readonly title: string;
  readonly before: number;
  readonly after: number;
  readonly unit: string;
  readonly basis: FallBasis;
  /** In standard errors of both values combined, or in usual changes; above 0. */
  readonly sigma: number;
  /** On the scale of a problem's: {@link SIGMA_LIKE_BAD} weigh as much as a value at its bad limit. */
  readonly severity: number;
};

/** Falls, and the titles of parameters that got worse without anything to judge it by. */
export type Falls = { readonly falls: readonly PartFall[]; readonly notJudged: readonly string[] };

/** A value in display scale. */
export type Point = { readonly at: Date; readonly value: number };

/** How the values of a parameter used to change from one result to the next. */
export type EarlierChanges = {
  /** Robust spread: 1.4826 times the median size of a change, the standard deviation of normal ones. */
  readonly spread: number;
  readonly count: number;
  /** Median time between two results. */
  readonly gapMs: number;
  /** The largest change of each part. */
  readonly largest: ReadonlyMap<string, number>;
};

/** Of a thousand values that did not change, none moves this far by chance. */
const FEWEST_SIGMA = 5;
/** A fall of as many standard errors is as urgent as a value at its bad limit. */
const SIGMA_LIKE_BAD = 10;
/** Earlier changes of a parameter over the chip, and of the part itself, below which its falls are not judged. */
const FEWEST_CHANGES = 30;
const FEWEST_OWN_CHANGES = 3;
/** A change over more than this many usual gaps says nothing beside changes from one result to the next. */
const MOST_GAPS = 10;

/** Null where too little was recorded. `histories` are the points of each part, in any order. */
export function earlierChanges(histories: ReadonlyMap<string, readonly Point[]>): EarlierChanges | null {
  const own = new Map(
    [...histories].map(([qid, points]) => {
      const sorted = points.toSorted((a, b) => a.at.getTime() - b.at.getTime());
      const steps = sorted.slice(1).map((point, index) => {
        const previous = sorted[index] ?? point;
        return {
          size: Math.abs(point.value - previous.value),
          gapMs: point.at.getTime() - previous.at.getTime(),
        };
      });
      return [qid, steps] as const;
    }),
  );
  const all = [...own.values()].flat();
  const spread = 1.4826 * (medianOf(all.map(({ size }) => size)) ?? 0);
  if (all.length < FEWEST_CHANGES || spread === 0) return null;
  return {
    spread,
    count: all.length,
    gapMs: medianOf(all.map(({ gapMs }) => gapMs)) ?? 0,
    largest: new Map(
      [...own].flatMap(([qid, steps]) =>
        steps.length < FEWEST_OWN_CHANGES ? [] : [[qid, Math.max(...steps.map(({ size }) => size))] as const],
      ),
    ),
  };
}

/** `QUBIT t1`, the key of a parameter. */
export const parameterKey = (kind: MetricScope, parameter: string): string => `${kind} ${parameter}`;

/** Changes for the worse of rated parameters that no recorded error judges. */
export const withoutErrors = (
  changes: readonly ChipChange[],
  metrics: MetricCatalog,
): readonly ChipChange[] =>
  changes.filter((change) => change.sigma === null && worsened(change, metrics) !== null);

/** The falls among some changes; `earlier` holds the parameters without recorded errors. */
export function fallsOf(
  changes: readonly ChipChange[],
  metrics: MetricCatalog,
  earlier: ReadonlyMap<string, EarlierChanges | null>,
): Falls {
  const notJudged = new Set<string>();
  const falls = changes.flatMap((change): PartFall[] => {
    const worse = worsened(change, metrics);
    if (worse === null) return [];
    const basis = change.sigma === null ? 'EARLIER_CHANGES' : 'ERRORS';
    const usual = earlier.get(parameterKey(worse.kind, worse.parameter)) ?? null;
    const sigma = change.sigma === null ? usualTimes(change, usual) : Math.abs(change.sigma);
    if (sigma === null) notJudged.add(worse.title);
    return sigma === null || sigma < FEWEST_SIGMA
      ? []
      : [{ ...worse, basis, sigma, severity: sigma / SIGMA_LIKE_BAD }];
  });
  return { falls, notJudged: [...notJudged] };
}

/** The part of a fall that does not depend on how it is judged; null for other changes and unrated parameters. */
function worsened(
  { scope: kind, qid, parameter, title, unit, before, after, better }: ChipChange,
  metrics: MetricCatalog,
): Omit<PartFall, 'basis' | 'sigma' | 'severity'> | null {
  const metric = parameter === null ? null : metrics.find(parameter, kind);
  if (better !== false || metric === null || !isRated(metric)) return null;
  const [was, is] = [before?.displayValue ?? null, after?.displayValue ?? null];
  if (was === null || is === null) return null;
  return {
    kind,
    qid,
    parameter: metric.name,
    title: title ?? metric.title,
    before: was,
    after: is,
    unit: unit ?? metric.unit,
  };
}

/**
 * The change in usual ones, which grow with the square root of the time as those of a random walk do; 0 where the part
 * itself once changed as much, null where there is nothing to judge by.
 */
function usualTimes(
  { qid, before, after, difference }: ChipChange,
  usual: EarlierChanges | null,
): number | null {
  const [was, is] = [before?.calibratedAt ?? null, after?.calibratedAt ?? null];
  const largest = usual?.largest.get(qid);
  if (usual === null || largest === undefined || was === null || is === null) return null;
  const gaps = Math.max(1, (is.getTime() - was.getTime()) / usual.gapMs);
  if (!(gaps <= MOST_GAPS)) return null;
  const size = Math.abs(difference ?? 0);
  return size > largest ? size / (usual.spread * Math.sqrt(gaps)) : 0;
}
