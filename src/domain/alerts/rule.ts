/**
 * A rule: of which values of a chip somebody wants to be warned. It is written in one line, such as
 * `t1 of any qubit on demo-64 below 20 μs`; `rule-text.ts` reads and writes it.
 */
import type { MetricScope } from '../values/metric.ts';

/** Times in hours; null: since the present cool-down began. */
export type AlertTest =
  /** The current value; `limit` in `unit`, the display unit of the metric. */
  | { readonly is: 'BELOW' | 'ABOVE'; readonly limit: number; readonly unit: string }
  /** The current value against the one that was current before; a share of that one in percent. */
  | { readonly is: 'FALLS' | 'RISES'; readonly percent: number; readonly hours: number | null }
  /** As {@link FALLS}, in standard errors or in usual changes, as the falls of a chip are judged. */
  | { readonly is: 'WORSENS'; readonly sigma: number; readonly hours: number | null }
  | { readonly is: 'OLDER'; readonly hours: number }
  | { readonly is: 'DISABLED' | 'MISSING' | 'DOUBTFUL' };

export type AlertRule = {
  readonly chipId: string;
  readonly kind: MetricScope;
  /** `27` or `4-1`; null: any of the kind. */
  readonly qid: string | null;
  /** Null: the part itself; for states only. */
  readonly parameter: string | null;
  readonly test: AlertTest;
};

/** Tests that compare with earlier values. */
export type ChangeTest = Extract<AlertTest, { readonly is: 'FALLS' | 'RISES' | 'WORSENS' }>;
export const isChangeTest = (test: AlertTest): test is ChangeTest =>
  test.is === 'FALLS' || test.is === 'RISES' || test.is === 'WORSENS';

export const RULE_LIMITS = {
  characters: 300,
  /** Ten years. */
  hours: 87_600,
  /** Below it, values move by chance: see `part-falls.ts`. */
  fewestSigma: 5,
} as const;
