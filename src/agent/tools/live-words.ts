/** Sentences about live values beside stored ones; each begins with `Live` to distinguish them. */
import { extremes, extremeWords } from '../../domain/claims/ranked.ts';
import type { LiveCause } from '../../domain/conversation/session-event.ts';
import { formatMeasurement } from '../../domain/live/live-display.ts';
import type { LiveReading } from '../../domain/live/live-reading.ts';
import { countOf, formatMeasured, formatQuantity, formatTime } from '../../domain/text/display-text.ts';
import { freshnessOf } from '../../domain/values/freshness.ts';
import { medianOf } from '../../domain/values/statistics.ts';
import type { LiveRow } from './live-rows.ts';

/** More rows of a parameter than this are summed up. */
const SHOWN_ROWS = 6;
/** Parameters that the sentences name; the table has all. */
const SHOWN_PARAMETERS = 8;

/** Why the live source was read and what it returned, parameter by parameter. */
export function besideSentences(
  cause: LiveCause,
  { readAt }: LiveReading,
  rows: readonly LiveRow[],
): readonly string[] {
  const asked = `Live values were read ${formatTime(readAt)} because ${causeWords(cause)}`;
  if (rows.length === 0) return [`${asked}; the live source has nothing newer.`];
  return [`${asked}:`, ...parameterSentences(rows)];
}

/** The live values, parameter by parameter. */
export function parameterSentences(rows: readonly LiveRow[]): readonly string[] {
  const groups = [...Map.groupBy(rows, ({ parameter, unit }) => `${parameter} ${unit}`).values()];
  const more = groups.length - SHOWN_PARAMETERS;
  return [
    ...groups.slice(0, SHOWN_PARAMETERS).map(parameterSentence),
    ...(more > 0 ? [`Live values of ${countOf(more, 'more parameter')} are in the table.`] : []),
  ];
}

function causeWords(cause: LiveCause): string {
  switch (cause) {
    case 'USER_REQUESTED':
      return 'they were asked for';
    case 'STALE':
      return 'stored ones are older than they may be';
    case 'NOT_STORED':
      return 'some that are needed are not stored';
    case 'DISPUTED':
      return 'stored ones were doubted';
    default:
      return cause satisfies never;
  }
}

/** Few rows one by one, many by median and ends; values that are not measurements are ignored. */
function parameterSentence(rows: readonly LiveRow[]): string {
  const title = rows[0]?.title ?? '';
  if (rows.length <= SHOWN_ROWS) return `Live ${title}: ${rows.map(rowWords).join(', ')}.`;
  const usable = rows.filter(({ unusable }) => unusable === null);
  const ends = extremes(usable, ({ value }) => value);
  if (ends === null) return `Live ${title}: no usable value.`;
  const median = medianOf(usable.map(({ value }) => value));
  const { oldestAt, newestAt } = freshnessOf(
    'LIVE',
    usable.map(({ at }) => at),
    null,
  );
  const show = (value: number | null): string => formatQuantity(value, usable[0]?.unit ?? '');
  return `Live ${title} of ${usable.length}: median ${show(median)}, ${extremeWords(ends, show)} (${formatMeasured(oldestAt, newestAt)}).`;
}

function rowWords({ label, value, error, unit, at, unusable }: LiveRow): string {
  const doubt = unusable === null ? '' : `, no measurement: ${unusable}`;
  return `${label} ${formatMeasurement(value, error, unit)} (${at === null ? 'time unknown' : formatTime(at)}${doubt})`;
}
