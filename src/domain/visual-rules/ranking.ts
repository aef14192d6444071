/**
 * One value for each of many qubits or couplings. Rule C4: a horizontal bar up to 32 rows, else their distribution; the
 * table always.
 */
import type { Rating } from '../metric.ts';
import type { ChartSpec, JsonObject, TableSpec, Visual } from '../visuals.ts';
import { numberColumn, ratingText, textColumn, timeColumn } from './table.ts';

/** A row to be ranked; `value` and `error` are in display scale. */
export type RankedRow = {
  readonly label: string;
  readonly value: number;
  readonly error: number | null;
  readonly rating: Rating;
  readonly measuredAt: Date | null;
};

/** What is ranked. `entity` is the header of the first column: Qubit or Coupling. */
export type Ranking = {
  readonly title: string;
  readonly metricTitle: string;
  readonly unit: string;
  readonly entity: 'Qubit' | 'Coupling';
  /** In the order in which they are to be read. */
  readonly rows: readonly RankedRow[];
};

const MAX_BARS = 32;

const RATING_COLORS: Readonly<Record<Rating, string>> = {
  EXCELLENT: '#2f9e44',
  GOOD: '#74b816',
  FAIR: '#f08c00',
  BAD: '#e03131',
  UNKNOWN: '#4c6ef5',
};

/** Chart and table of a ranking; both in the order of its rows. */
export function rankingVisuals(ranking: Ranking): readonly Visual[] {
  const chart = ranking.rows.length <= MAX_BARS ? bars(ranking) : distribution(ranking);
  return [chart, rankingTable(ranking)];
}

function bars({ title, metricTitle, unit, rows }: Ranking): ChartSpec {
  const errors = rows.map(({ error }) => error ?? 0);
  return {
    type: 'chart',
    kind: 'BAR',
    title,
    data: [
      {
        type: 'bar',
        orientation: 'h',
        y: rows.map(({ label }) => label),
        x: rows.map(({ value }) => value),
        marker: { color: rows.map(({ rating }) => RATING_COLORS[rating]) },
        hovertemplate: `%{y}: %{x} ${unit}<extra></extra>`,
        ...(errors.some((error) => error > 0)
          ? { error_x: { type: 'data', array: errors, visible: true } }
          : {}),
      },
    ],
    layout: {
      title: { text: title },
      xaxis: { title: { text: axisTitle(metricTitle, unit) } },
      // The first row is to be read first, so it stands at the top.
      yaxis: { type: 'category', autorange: 'reversed' },
      showlegend: false,
    },
  };
}

function distribution({ title, metricTitle, unit, entity, rows }: Ranking): ChartSpec {
  return {
    type: 'chart',
    kind: 'HISTOGRAM',
    title,
    data: [
      { type: 'histogram', x: rows.map(({ value }) => value), marker: { color: RATING_COLORS.UNKNOWN } },
    ],
    layout: {
      title: { text: title },
      xaxis: { title: { text: axisTitle(metricTitle, unit) } },
      yaxis: { title: { text: `${entity}s` } },
      showlegend: false,
    },
  };
}

const axisTitle = (title: string, unit: string): string => (unit === '' ? title : `${title} (${unit})`);

function rankingTable({ title, metricTitle, unit, entity, rows }: Ranking): TableSpec {
  return {
    type: 'table',
    title,
    columns: [
      textColumn('label', entity),
      numberColumn('value', metricTitle, unit),
      numberColumn('error', 'Error', unit),
      textColumn('rating', 'Rating'),
      timeColumn('measuredAt', 'Measured (UTC)'),
    ],
    rows: rows.map((row): JsonObject => ({
      label: row.label,
      value: row.value,
      error: row.error,
      rating: ratingText(row.rating),
      measuredAt: row.measuredAt?.toISOString() ?? null,
    })),
  };
}
