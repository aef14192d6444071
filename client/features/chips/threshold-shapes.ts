import type { MetricOfCatalogueFragment } from '../../gql/graphql.ts';
import { RATING_COLORS } from '../../components/rating-colors.ts';

type Thresholds = Pick<MetricOfCatalogueFragment, 'direction' | 'good' | 'excellent' | 'bad'>;
type Shape = Readonly<Record<string, unknown>>;

/** Bands of a metric's thresholds behind values between `bottom` and `top`; none for metrics that are not rated. */
export function thresholdBands(
  { direction, good, excellent, bad }: Thresholds,
  [bottom, top]: readonly [number, number],
): readonly Shape[] {
  if (direction === 'NEUTRAL') return [];
  const [best, worst] = direction === 'HIGHER_IS_BETTER' ? [top, bottom] : [bottom, top];
  const bands = [
    { from: excellent, to: best, color: RATING_COLORS.EXCELLENT },
    { from: good, to: excellent ?? best, color: RATING_COLORS.GOOD },
    { from: bad, to: worst, color: RATING_COLORS.BAD },
  ];
  return bands.flatMap(({ from, to, color }) => {
    if (from === null) return [];
    const y0 = Math.max(bottom, Math.min(from, to));
    const y1 = Math.min(top, Math.max(from, to));
    return y0 < y1 ? [bandOf(y0, y1, color)] : [];
  });
}

const bandOf = (y0: number, y1: number, fillcolor: string): Shape => ({
  type: 'rect',
  xref: 'paper',
  x0: 0,
  x1: 1,
  yref: 'y',
  y0,
  y1,
  fillcolor,
  opacity: 0.1,
  line: { width: 0 },
  layer: 'below',
});

/** Lines at a metric's thresholds across a distribution, where they lie within its values. */
export function thresholdLines(
  { direction, good, excellent, bad }: Thresholds,
  [low, high]: readonly [number, number],
): readonly Shape[] {
  if (direction === 'NEUTRAL') return [];
  const lines = [
    { at: excellent, color: RATING_COLORS.EXCELLENT },
    { at: good, color: RATING_COLORS.GOOD },
    { at: bad, color: RATING_COLORS.BAD },
  ];
  return lines.flatMap(({ at, color }) => {
    if (at === null || at < low || at > high) return [];
    const line = { color, width: 1.5, dash: 'dash' };
    return [{ type: 'line', xref: 'x', x0: at, x1: at, yref: 'paper', y0: 0, y1: 1, line }];
  });
}
