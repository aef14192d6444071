/**
 * A window against the one before it. Rule C6: with series, two lines over elapsed time with the real dates in the legend. Rule C7:
 * without, two bars an entity; the table always.
 */
import { countOf, formatTime } from '../display-text.ts';
import type { ComparedPeriod, PeriodComparison } from '../period-comparison.ts';
import type { ChartSpec, JsonObject, TableSpec, Visual } from '../visuals.ts';
import { noDataNote, numberColumn, textColumn } from './table.ts';

/** Beyond this many, bars cannot be read; the distribution of changes stands for them. */
const MAX_BARS = 32;

/** Charts and table of a comparison; `withSeries` where the course within the windows was asked for. */
export function comparisonVisuals(comparison: PeriodComparison, withSeries: boolean): readonly Visual[] {
  const { title: name, rows, current, previous } = comparison;
  const title = `${name}: ${periodWords(current)} against ${periodWords(previous)}`;
  const measured = rows.filter((row) => row.current !== null || row.previous !== null);
  if (measured.length === 0) return [noDataNote(title, title)];
  const chart = withSeries ? seriesChart(title, comparison) : barChart(title, comparison);
  return [chart, comparisonTable(title, comparison)];
}

/** `2026-05-13 01:00 to 2026-05-20 01:00 UTC`. */
export const periodWords = ({ from, to }: Pick<ComparedPeriod, 'from' | 'to'>): string =>
  `${formatTime(from).slice(0, -4)} to ${formatTime(to)}`;

function seriesChart(
  title: string,
  { kind, title: name, displayUnit, scale, current, previous }: PeriodComparison,
): ChartSpec {
  const noun = kind.toLowerCase();
  return {
    type: 'chart',
    kind: 'LINE',
    title,
    data: [previous, current].map((period, index) => ({
      type: 'scatter',
      mode: 'lines+markers',
      name: periodWords(period),
      x: period.series.map(({ elapsedHours }) => elapsedHours),
      y: period.series.map(({ value }) => value * scale),
      text: period.series.map(({ day, members }) => `${day}, ${countOf(members, noun)}`),
      hovertemplate: `%{y} ${displayUnit}<br>%{text}<extra></extra>`,
      ...(index === 0 ? { line: { dash: 'dash', color: '#868e96' } } : { line: { color: '#4c6ef5' } }),
    })),
    layout: {
      title: { text: title },
      xaxis: { type: 'linear', title: { text: 'Hours from the start of the window' } },
      yaxis: { title: { text: axisTitle(name, displayUnit) } },
      showlegend: true,
    },
  };
}

function barChart(title: string, comparison: PeriodComparison): ChartSpec {
  const { title: name, displayUnit, scale, rows, current, previous } = comparison;
  const changes = rows.flatMap(({ change }) => (change === null ? [] : [change * scale]));
  if (rows.length > MAX_BARS) {
    return {
      type: 'chart',
      kind: 'HISTOGRAM',
      title,
      data: [{ type: 'histogram', x: changes, marker: { color: '#4c6ef5' } }],
      layout: {
        title: { text: title },
        xaxis: { title: { text: axisTitle(`Change of ${name}`, displayUnit) } },
        yaxis: { title: { text: 'Entities' } },
        showlegend: false,
      },
    };
  }
  const bars = (period: ComparedPeriod, side: 'current' | 'previous', color: string): JsonObject => ({
    type: 'bar',
    name: periodWords(period),
    x: rows.map(({ entity }) => entity),
    y: rows.map((row) => display(row[side], scale)),
    marker: { color },
    hovertemplate: `%{x}: %{y} ${displayUnit}<extra></extra>`,
  });
  return {
    type: 'chart',
    kind: 'BAR',
    title,
    data: [bars(previous, 'previous', '#adb5bd'), bars(current, 'current', '#4c6ef5')],
    layout: {
      title: { text: title },
      barmode: 'group',
      xaxis: { type: 'category' },
      yaxis: { title: { text: axisTitle(name, displayUnit) } },
      showlegend: true,
    },
  };
}

const display = (value: number | null, scale: number): number | null =>
  value === null ? null : value * scale;
const axisTitle = (title: string, unit: string): string => (unit === '' ? title : `${title} (${unit})`);

const HEADERS = { QUBIT: 'Qubit', COUPLING: 'Coupling', MUX: 'MUX', CHIP: 'Chip' };

function comparisonTable(
  title: string,
  { kind, level, displayUnit, scale, rows }: PeriodComparison,
): TableSpec {
  return {
    type: 'table',
    title,
    columns: [
      textColumn('entity', HEADERS[level === 'QUBIT' ? kind : level]),
      numberColumn('current', 'Current', displayUnit),
      numberColumn('previous', 'Previous', displayUnit),
      numberColumn('change', 'Change', displayUnit),
      numberColumn('sigma', 'Change', 'σ'),
      textColumn('verdict', 'Verdict'),
    ],
    rows: rows.map(({ entity, current, previous, change, changeSigma, better }) => ({
      entity,
      current: display(current, scale),
      previous: display(previous, scale),
      change: display(change, scale),
      sigma: changeSigma,
      verdict: better === null ? null : better ? 'better' : 'worse',
    })),
  };
}
