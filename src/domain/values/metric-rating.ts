import type { Metric, Rating } from './metric.ts';

/** Whether the catalogue says when a value of this metric is good. */
export function isRated(metric: Metric): boolean {
  return metric.direction !== 'NEUTRAL' && metric.good !== null;
}

/**
 * Class of a value in display scale. At a threshold the better class holds. Lower-is-better metrics are compared with
 * the signs turned, which is right for negative numbers too: an anharmonicity of -330 MHz beats one of -300 MHz.
 */
export function rate(metric: Metric | null, displayValue: number | null): Rating {
  if (metric === null || displayValue === null || !isRated(metric) || metric.good === null) return 'UNKNOWN';
  const sign = metric.direction === 'HIGHER_IS_BETTER' ? 1 : -1;
  const reaches = (threshold: number): boolean => sign * displayValue >= sign * threshold;
  if (metric.excellent !== null && reaches(metric.excellent)) return 'EXCELLENT';
  if (reaches(metric.good)) return 'GOOD';
  return metric.bad !== null && !reaches(metric.bad) ? 'BAD' : 'FAIR';
}
