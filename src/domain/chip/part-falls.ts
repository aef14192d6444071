import { isRated, type MetricCatalog, type MetricScope } from '../values/metric.ts';
import type { ChipChange } from './chip-comparison.ts';

/** A value that got significantly worse. Numbers are in display scale. */
export type PartFall = {
  readonly kind: MetricScope;
  readonly qid: string;
  readonly parameter: string;
  readonly title: string;
  readonly before: number;
  readonly after: number;
  readonly unit: string;
  /** Standard errors of both values combined, above 0. */
  readonly sigma: number;
  /** On the scale of a problem's: {@link SIGMA_LIKE_BAD} weigh as much as a value at its bad limit. */
  readonly severity: number;
};

/** Of a thousand values that did not change, none moves this far by chance. */
const FEWEST_SIGMA = 5;
/** A fall of as many standard errors is as urgent as a value at its bad limit. */
const SIGMA_LIKE_BAD = 10;

/** The falls among some changes; a change without standard errors is no proof of one. */
export function fallsOf(changes: readonly ChipChange[], metrics: MetricCatalog): readonly PartFall[] {
  return changes.flatMap((change): PartFall[] => {
    const { scope: kind, qid, parameter, title, unit, before, after, better } = change;
    const sigma = Math.abs(change.sigma ?? 0);
    const metric = parameter === null ? null : metrics.find(parameter, kind);
    if (better !== false || sigma < FEWEST_SIGMA || metric === null || !isRated(metric)) return [];
    const [was, is] = [before?.displayValue ?? null, after?.displayValue ?? null];
    if (was === null || is === null) return [];
    return [
      {
        kind,
        qid,
        parameter: metric.name,
        title: title ?? metric.title,
        before: was,
        after: is,
        unit: unit ?? metric.unit,
        sigma,
        severity: sigma / SIGMA_LIKE_BAD,
      },
    ];
  });
}
