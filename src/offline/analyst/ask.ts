/** What a question asks for. */
import type { Period, PeriodProblem } from './period.ts';

/** Kinds of questions that the analyst can answer. */
export type AskKind =
  | 'health'
  | 'rank'
  | 'heatmap'
  | 'trend'
  | 'periods'
  | 'values'
  | 'compare'
  | 'outliers'
  | 'topology'
  | 'parameters'
  | 'figures'
  | 'statistic'
  | 'age'
  | 'runs'
  | 'executions'
  | 'notes'
  | 'lineage'
  | 'tasks'
  /** Chips, cool-downs and thresholds. */
  | 'laboratory'
  /** To do something, which the analyst cannot. */
  | 'action';

/** A statistic over the qubits of a chip; no tool returns it, so Python computes it. */
export type Statistic =
  | { readonly type: 'mean' | 'median' | 'deviation' | 'distribution' | 'correlation' }
  | { readonly type: 'percentile'; readonly percent: number }
  /** `unit` as the user wrote it, empty for none. */
  | {
      readonly type: 'count';
      readonly side: 'above' | 'below';
      readonly limit: number;
      readonly unit: string;
    };

/** One thing asked for. Empty lists and nulls mean that the question did not say. */
export type Ask = {
  readonly kind: AskKind;
  /** Parameter names; for unknown ones the words that the user wrote, so that the tool can say what it knows. */
  readonly metrics: readonly string[];
  /** Qubits, and couplings as `0-1`. */
  readonly qids: readonly string[];
  readonly chipId: string | null;
  readonly order: 'best' | 'worst' | 'highest' | 'lowest';
  readonly count: number;
  readonly lastN: number | null;
  /** Length of the window that is compared with the one before it. */
  readonly windowHours: number | null;
  /** The days that the question names. */
  readonly period: Period | PeriodProblem | null;
  readonly statistic: Statistic | null;
  /** A calibration task, as the user wrote it. */
  readonly task: string | null;
  /** Only what failed. */
  readonly isFailed: boolean;
  /** Whether things are to be ranked against each other, so that the better one is to be named. */
  readonly wantsWinner: boolean;
};
