import type { ChipTimeseries } from '../chip/chip-timeseries.ts';
import type { TableSpec } from '../visuals.ts';
import { numberColumn, textColumn, timeColumn } from './table.ts';

/** History of one parameter in figures, a row a qubit or coupling, in display scale. */
export function seriesTable(title: string, timeseries: ChipTimeseries): TableSpec {
  const unit = timeseries.displayUnit;
  return {
    type: 'table',
    title,
    columns: [
      textColumn('label', timeseries.kind === 'QUBIT' ? 'Qubit' : 'Coupling'),
      numberColumn('latest', 'Newest', unit),
      numberColumn('min', 'Minimum', unit),
      numberColumn('mean', 'Mean', unit),
      numberColumn('max', 'Maximum', unit),
      numberColumn('count', 'Results', ''),
      textColumn('trend', 'Trend'),
      timeColumn('newestAt', 'Measured (UTC)'),
    ],
    rows: timeseries.series.map(({ label, latest, min, mean, max, scale, points, trend }) => {
      const display = (value: number | null) => (value === null ? null : value * scale);
      return {
        label,
        latest: display(latest),
        min: display(min),
        mean: display(mean),
        max: display(max),
        count: points.length,
        trend: trend?.toLowerCase() ?? null,
        newestAt: points.at(-1)?.at.toISOString() ?? null,
      };
    }),
  };
}
