/** A chart of kind `INDICATOR` as a card: words and one number, which a client sets in its own type. */
import { z } from 'zod';
import type { ChartKind } from '../../src/domain/visuals.ts';
import { numberText } from '../lib/format/cell.ts';

/** How a page shows each kind of chart: drawn by Plotly, or as cards. */
const SHOWN_AS: Readonly<Record<ChartKind, 'figure' | 'cards'>> = {
  HEATMAP: 'figure',
  LINE: 'figure',
  BAR: 'figure',
  SCATTER: 'figure',
  HISTOGRAM: 'figure',
  BOX: 'figure',
  GRAPH: 'figure',
  INDICATOR: 'cards',
};

/** Whether charts of that kind are cards; Plotly draws the others, also kinds that a newer server has. */
export const isCards = (kind: string): boolean => new Map(Object.entries(SHOWN_AS)).get(kind) === 'cards';

/** The text of a card. */
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

/** An invalid figure from analysis code. */
const NONE = { value: null, number: { suffix: '' }, meta: undefined };

/** The cards of a chart, one for each of its figures; null for charts that Plotly draws. */
export function cardsOf(chart: {
  readonly kind: string;
  readonly title: string;
  readonly data: unknown;
}): readonly Card[] | null {
  if (!isCards(chart.kind)) return null;
  const figures = z.array(indicator.catch(NONE)).safeParse(chart.data);
  return (figures.data ?? []).map(({ value, number, meta }) => ({
    heading: chart.title,
    value: meta?.value ?? (value === null ? '—' : numberText(value)),
    unit: number.suffix.trim(),
    notes: meta?.notes ?? [],
  }));
}
