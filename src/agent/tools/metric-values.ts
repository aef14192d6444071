/** Arguments, rows and words that tools about one metric over a chip share. */
import { z } from 'zod';
import type { MetricSelection, MetricValues, QubitValue } from '../../domain/chip/chip-metric.ts';
import { countOf, formatTime } from '../../domain/text/display-text.ts';
import type { RankedRow } from '../../domain/visual-rules/ranking.ts';
import type { JsonObject } from '../../domain/visuals.ts';
import { someOf, stateData } from './words.ts';

/** Names a metric; the prompt has examples, once for all tools. */
export const metricNameArg = z.string();

/** Which of a qubit's results counts. */
export const selectionArg = z
  .enum(['latest', 'best', 'average'])
  .nullable()
  .describe('Which result of each qubit counts; best and average of this cool-down; null for latest');

/** Only recent results: of the last hours, ten years at most. */
export const withinHoursArg = z.number().int().min(1).max(87_600).nullable().describe('null for any age');

const SELECTIONS = { latest: 'LATEST', best: 'BEST', average: 'AVERAGE' } as const;

/** What {@link selectionArg} means. */
export const selectionOf = (argument: z.infer<typeof selectionArg>): MetricSelection =>
  SELECTIONS[argument ?? 'latest'];

const SELECTION_WORDS: Readonly<Record<MetricSelection, string>> = {
  // no claim: the selection that was asked for
  LATEST: 'latest result of each',
  // no claim: the selection that was asked for
  BEST: 'best result of each',
  AVERAGE: 'average of each',
};

/** `latest result of each`, `best result of each within the last 24 hours`. */
export function selectionWords({ selection, withinHours }: MetricValues): string {
  // no claim: the window that was asked for
  const within = withinHours === null ? '' : ` within the last ${countOf(withinHours, 'hour')}`;
  return `${SELECTION_WORDS[selection]}${within}`;
}

/** A row in display scale for users, with the stored value for the model. */
export type MeasuredRow = RankedRow & {
  readonly qid: string;
  readonly stored: { readonly value: number | null; readonly error: number | null; readonly unit: string };
};

/** Qubits that have a value, in qubit order. */
export function measuredRows({ values, statistics }: MetricValues): readonly MeasuredRow[] {
  return values.flatMap(({ qid, label, value, unit, error, displayValue, rating, measuredAt }) => {
    if (displayValue === null) return [];
    const displayError = error === null ? null : Math.abs(error * statistics.scale);
    const stored = { value, error, unit };
    return [{ qid, label, value: displayValue, error: displayError, rating, measuredAt, stored }];
  });
}

/** Beside rows: what keeps others out, and failures that are newer than a value. */
export const besideRows = (values: readonly QubitValue[]): JsonObject => ({
  disabled: values.flatMap((each) =>
    each.state === 'DISABLED' ? [{ qid: each.qid, ...stateData(each) }] : [],
  ),
  newer_failures: values.flatMap(({ qid, newerFailure }) =>
    newerFailure === null ? [] : [{ qid, at: newerFailure.at.toISOString() }],
  ),
});

/** A failed run does not hide the value before it, and the value does not hide the failure. */
export function failureSentences(values: readonly QubitValue[]): readonly string[] {
  const words = values.flatMap(({ label, newerFailure, displayValue, measuredAt }) =>
    newerFailure === null || displayValue === null || (measuredAt !== null && newerFailure.at < measuredAt)
      ? []
      : [
          `${label} (failed ${formatTime(newerFailure.at)}; value of ${measuredAt === null ? 'an unknown time' : formatTime(measuredAt)})`,
        ],
  );
  // no claim: each of these failures is compared with its value's time
  return words.length === 0 ? [] : [`A newer run failed, so the last good value is kept: ${someOf(words)}.`];
}
