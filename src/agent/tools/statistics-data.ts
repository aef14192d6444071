import type { ParameterStatistics } from '../../domain/values/statistics.ts';
import type { JsonObject } from '../../domain/visuals.ts';

/** Statistics as stored, with what is needed to show them; `round` shortens them for a model. */
export function statisticsData(
  { unit, scale, displayUnit, missing, stored }: ParameterStatistics,
  round: (value: number) => number = (value) => value,
): JsonObject {
  const rounded = (value: number | null) => (value === null ? null : round(value));
  return {
    unit,
    scale,
    display_unit: displayUnit,
    count: stored.count,
    missing,
    mean: rounded(stored.mean),
    median: rounded(stored.median),
    stdev: rounded(stored.stdev),
    min: rounded(stored.min),
    max: rounded(stored.max),
  };
}
