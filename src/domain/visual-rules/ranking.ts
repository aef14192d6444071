/** One value for each of many qubits or couplings (C4 of docs/chart-rules.md). */
import { RATINGS, type Rating } from '../values/metric.ts';
import type { ChartSpec, JsonObject, TableSpec, Visual } from '../visuals.ts';
import { distributionChart } from './distribution.ts';
import {
  axisTitle,
  legendKeys,
  MUTED,
  plainText,
  pointedText,
  RATING_COLORS,
  ratingName,
  titleOf,
} from './drawing.ts';
import { numberColumn, ratingText, tableOf, textColumn, timeColumn } from './table.ts';

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
  /** In reading order. */
  readonly rows: readonly RankedRow[];
};

const MAX_BARS = 32;
const ROW_PIXELS = 22;
/** Title, legend and axis. */
const AROUND_PIXELS = 130;

/** Chart and table of a ranking; both in the order of its rows. */
export function rankingVisuals(ranking: Ranking): readonly Visual[] {
  const chart = ranking.rows.length <= MAX_BARS ? rankingChart(ranking) : rankingDistribution(ranking);
  return [chart, rankingTable(ranking)];
}

/** Bars from zero; where that would hide how the values differ, dots on an axis of their own. */
function rankingChart(ranking: Ranking): ChartSpec {
  const { title, metricTitle, unit, rows } = ranking;
  const keys = keysOf(rows);
  return {
    type: 'chart',
    kind: 'BAR',
    title,
    data: [marks(ranking), ...legendKeys(keys)],
    layout: {
      title: titleOf(title),
      height: AROUND_PIXELS + ROW_PIXELS * rows.length,
      xaxis: { title: axisTitle(metricTitle, unit), automargin: true },
      yaxis: {
        type: 'category',
        // The first row is at the top; the axis has room for exactly these rows.
        range: [rows.length - 0.5, -0.5],
        dtick: 1,
        automargin: true,
      },
      showlegend: keys.length > 0,
    },
  };
}

function marks({ unit, rows }: Ranking): JsonObject {
  const hasErrors = rows.some(({ error }) => error !== null && error > 0);
  const color = rows.map(({ rating }) => RATING_COLORS[rating]);
  const shared = {
    y: rows.map(({ label }) => plainText(label)),
    x: rows.map(({ value }) => value),
    showlegend: false,
    hovertext: rows.map(({ label, value, error, rating, measuredAt: at }) =>
      [pointedText({ label, value, error, unit, at }), ratingName(rating)].join('<br>'),
    ),
    hoverinfo: 'text',
    ...(hasErrors && {
      error_x: {
        type: 'data',
        array: rows.map(({ error }) => error),
        visible: true,
        color: MUTED,
        thickness: 1.5,
        width: 3,
      },
    }),
  };
  return areAlike(rows)
    ? { type: 'scatter', mode: 'markers', ...shared, marker: { color, size: 9 } }
    : { type: 'bar', orientation: 'h', ...shared, marker: { color } };
}

/** The colours used in the chart, best first; none where nothing is rated. */
function keysOf(rows: readonly RankedRow[]): readonly { readonly name: string; readonly color: string }[] {
  if (rows.every(({ rating }) => rating === 'UNKNOWN')) return [];
  return RATINGS.filter((one) => rows.some(({ rating }) => rating === one)).map((rating) => ({
    name: ratingName(rating),
    color: RATING_COLORS[rating],
  }));
}

/** Whether the shortest bar would be more than half as long as the longest. */
function areAlike(rows: readonly RankedRow[]): boolean {
  const values = rows.map(({ value }) => value);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return values.length > 1 && (low > 0 ? 2 * low > high : 2 * high < low);
}

/** How many rows have which value, coloured by rating. */
export function rankingDistribution({ title, metricTitle, unit, entity, rows }: Ranking): ChartSpec {
  const byRating = Map.groupBy(rows, ({ rating }) => rating);
  const isRated = rows.some(({ rating }) => rating !== 'UNKNOWN');
  return distributionChart({
    title,
    valueTitle: metricTitle,
    unit,
    counted: `${entity}s`,
    groups: RATINGS.map((rating) => ({
      name: isRated ? ratingName(rating) : '',
      color: RATING_COLORS[rating],
      values: (byRating.get(rating) ?? []).map(({ value }) => value),
    })),
  });
}

const rankingTable = ({ title, metricTitle, unit, entity, rows }: Ranking): TableSpec =>
  tableOf(title, rows, [
    [textColumn('label', entity), ({ label }) => label],
    [numberColumn('value', metricTitle, unit), ({ value }) => value],
    [numberColumn('error', 'Error', unit), ({ error }) => error],
    [textColumn('rating', 'Rating'), ({ rating }) => ratingText(rating)],
    [timeColumn('measuredAt', 'Measured (UTC)'), ({ measuredAt }) => measuredAt],
  ]);
