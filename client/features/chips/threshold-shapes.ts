import type { MetricOfCatalogueFragment } from '../../gql/graphql.ts';
import { RATING_COLORS } from '../../components/rating-colors.ts';

type Thresholds = Pick<MetricOfCatalogueFragment, 'direction' | 'good' | 'excellent' | 'bad'>;
type Shape = Readonly<Record<string, unknown>>;
/** Labels of the bands and lines. */
export type RatingWords = Readonly<Record<'EXCELLENT' | 'GOOD' | 'BAD', string>>;

/** Bands of a metric's thresholds behind values between `bottom` and `top`; none for metrics that are not rated. */
export function thresholdBands(
  { direction, good, excellent, bad }: Thresholds,
  [bottom, top]: readonly [number, number],
  words: RatingWords,
): readonly Shape[] {
  if (direction === 'NEUTRAL') return [];
  const [best, worst] = direction === 'HIGHER_IS_BETTER' ? [top, bottom] : [bottom, top];
  const bands = [
    { from: excellent, to: best, rating: 'EXCELLENT' },
    { from: good, to: excellent ?? best, rating: 'GOOD' },
    { from: bad, to: worst, rating: 'BAD' },
  ] as const;
  return bands.flatMap(({ from, to, rating }) => {
    if (from === null) return [];
    const y0 = Math.max(bottom, Math.min(from, to));
    const y1 = Math.min(top, Math.max(from, to));
    return y0 < y1 ? [bandOf(y0, y1, RATING_COLORS[rating], words[rating])] : [];
  });
}

const bandOf = (y0: number, y1: number, fillcolor: string, text: string): Shape => ({
  type: 'rect',
  xref: 'paper',
  x0: 0,
  x1: 1,
  yref: 'y',
  y0,
  y1,
  fillcolor: `${fillcolor}1a`,
  label: { text, textposition: 'top right', font: { size: 10 } },
  line: { width: 0 },
  layer: 'below',
});

/** Lines at a metric's thresholds across a distribution, where they lie within its values. */
export function thresholdLines(
  { direction, good, excellent, bad }: Thresholds,
  [low, high]: readonly [number, number],
  words: RatingWords,
): readonly Shape[] {
  if (direction === 'NEUTRAL') return [];
  const lines = [
    { at: excellent, rating: 'EXCELLENT' },
    { at: good, rating: 'GOOD' },
    { at: bad, rating: 'BAD' },
  ] as const;
  return lines.flatMap(({ at, rating }) => {
    if (at === null || at < low || at > high) return [];
    const line = { color: RATING_COLORS[rating], width: 1.5, dash: 'dash' };
    const label = {
      text: words[rating],
      textposition: 'end',
      textangle: 0,
      xanchor: 'left',
      font: { size: 10 },
    };
    return [{ type: 'line', xref: 'x', x0: at, x1: at, yref: 'y domain', y0: 0, y1: 1, line, label }];
  });
}
