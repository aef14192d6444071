import type { Metric } from '../../domain/values/metric.ts';
import type { Trend } from '../../domain/values/trend.ts';

const WORDS: Readonly<Record<Trend, string>> = { UP: 'rising', DOWN: 'falling', STABLE: 'stable' };

/** `falling (worse)`: whether a direction is good is the metric's to say. */
export function trendWords(trend: Trend, metric: Metric | null): string {
  const direction = metric?.direction ?? 'NEUTRAL';
  if (trend === 'STABLE' || direction === 'NEUTRAL') return WORDS[trend];
  const isBetter = (direction === 'HIGHER_IS_BETTER') === (trend === 'UP');
  return `${WORDS[trend]} (${isBetter ? 'better' : 'worse'})`;
}
