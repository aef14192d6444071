import type { MetricSelection } from '../../../gql/graphql.ts';
import type { Format } from '../../../lib/format/format.ts';
import type { Words } from '../../../lib/i18n/words.ts';
import type { ChipMapModel, MapMetric, MapPart } from './map-model.ts';

/** A value as it fits into a cell: three digits, and the two decimals of a percentage that matter. */
export function shortText(value: number, unit: string, isDifference: boolean): string {
  const number = unit === '%' ? value.toFixed(2) : String(Number(value.toPrecision(3)));
  return isDifference && value > 0 ? `+${number}` : number;
}

/** A difference with its sign. */
export const differenceText = (value: number, unit: string, format: Format): string =>
  `${value > 0 ? '+' : value < 0 ? '−' : '±'}${format.quantity(Math.abs(value), unit)}`;

/** What is known of a part, a line each: its name, its value, what it was, its state, its time. */
export function partLines(
  part: MapPart,
  metric: MapMetric,
  {
    words,
    format,
    textOf,
    isCompared,
  }: {
    readonly words: Words;
    readonly format: Format;
    /** A sentence of the server in the language of the pages. */
    readonly textOf: (text: string) => string;
    readonly isCompared: boolean;
  },
): readonly string[] {
  const { label, value, before, shown, state, reason, rating, measuredAt } = part;
  const { map } = words.chip;
  const text = value === null ? map.noValue : format.quantity(value, metric.unit);
  const rated = rating === null || rating === 'UNKNOWN' ? '' : ` (${words.common.ratings[rating]})`;
  return [
    label,
    `${metric.title}: ${text}${rated}`,
    ...(isCompared
      ? [before === null ? map.nothingBefore : map.before(format.quantity(before, metric.unit))]
      : []),
    ...(isCompared && shown !== null ? [map.difference(differenceText(shown, metric.unit, format))] : []),
    ...(state === 'ENABLED' ? [] : [`${map.states[state]}${reason ? `: ${textOf(reason)}` : ''}`]),
    ...(measuredAt === null ? [] : [map.measured(format.time(measuredAt))]),
  ];
}

/** From when to when the values of a map were measured; empty where no time is known. */
export function measuredText(
  { qubits, couplings }: Pick<ChipMapModel, 'qubits' | 'couplings'>,
  { format, words }: { readonly format: Format; readonly words: Words },
): string {
  const times = [...qubits, ...couplings].flatMap(({ measuredAt }) => measuredAt ?? []).toSorted();
  const [from, to] = [times[0], times.at(-1)];
  if (from === undefined || to === undefined) return '';
  const ends = [...new Set([format.date(from), format.date(to)])];
  return words.chip.map.measured(ends.join(' – '));
}

/** Which results a map shows: `Best, last 7 days`. */
export const resultsText = (
  { selections, windowOf }: Words['chip'],
  selection: MetricSelection,
  windowHours: number | null,
): string => `${selections[selection]}, ${windowOf(windowHours)}`;
