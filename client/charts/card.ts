/** A chart of kind `INDICATOR` as a card: words and one number, which a client sets in its own type. */
import { z } from 'zod';
import { numberText } from '../lib/format/cell.ts';

/** What a card says, as plain text. */
export type Card = {
  readonly heading: string;
  readonly value: string;
  readonly unit: string;
  /** Below the number, a line each: the uncertainty, the time. */
  readonly notes: readonly string[];
};

const indicator = z.object({
  value: z.number().nullable(),
  number: z.object({ suffix: z.string().default('') }).default({ suffix: '' }),
  meta: z.object({ value: z.string(), notes: z.array(z.string()) }).optional(),
});

/** A figure that analysis code made and that is none. */
const NONE = { value: null, number: { suffix: '' }, meta: undefined };

/** The cards of a chart, one for each of its figures; null for charts that Plotly draws. */
export function cardsOf(chart: {
  readonly kind: string;
  readonly title: string;
  readonly data: unknown;
}): readonly Card[] | null {
  if (chart.kind !== 'INDICATOR') return null;
  const figures = z.array(indicator.catch(NONE)).safeParse(chart.data);
  return (figures.data ?? []).map(({ value, number, meta }) => ({
    heading: chart.title,
    value: meta?.value ?? (value === null ? '—' : numberText(value)),
    unit: number.suffix.trim(),
    notes: meta?.notes ?? [],
  }));
}
