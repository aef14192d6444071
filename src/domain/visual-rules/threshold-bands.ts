import type { Metric } from '../values/metric.ts';
import type { JsonObject } from '../visuals.ts';
import { RATING_COLORS } from './drawing.ts';

/** Part of the axis that a band must fill to have its name written into it. */
const NAMED_SHARE = 0.08;

/** Shaded bands of a metric's thresholds, as far as they reach into the range of the y axis; none without good or bad. */
export function thresholdBands(
  metric: Metric | null,
  [bottom, top]: readonly [number, number],
): readonly JsonObject[] {
  if (metric === null || metric.direction === 'NEUTRAL') return [];
  const { excellent, good, bad, direction } = metric;
  const best = direction === 'HIGHER_IS_BETTER' ? top : bottom;
  const worst = direction === 'HIGHER_IS_BETTER' ? bottom : top;
  const bands = [
    { name: 'excellent', from: excellent, to: best, color: RATING_COLORS.EXCELLENT },
    { name: 'good', from: good, to: excellent ?? best, color: RATING_COLORS.GOOD },
    { name: 'bad', from: bad, to: worst, color: RATING_COLORS.BAD },
  ];
  return bands.flatMap(({ name, from, to, color }) => {
    if (from === null) return [];
    const y0 = Math.max(bottom, Math.min(from, to));
    const y1 = Math.min(top, Math.max(from, to));
    if (y1 <= y0) return [];
    return [bandOf(y1 - y0 > (top - bottom) * NAMED_SHARE ? name : '', y0, y1, color)];
  });
}

const bandOf = (name: string, y0: number, y1: number, color: string): JsonObject => ({
  type: 'rect',
  xref: 'paper',
  x0: 0,
  x1: 1,
  yref: 'y',
  y0,
  y1,
  fillcolor: color,
  opacity: 0.12,
  line: { width: 0 },
  layer: 'below',
  label: { text: name, textposition: 'top right', font: { size: 10 } },
});
