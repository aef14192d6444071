/** A window against the one before it (C6 and C7 of docs/chart-rules.md). */
import { countOf, formatQuantity, formatTime } from '../text/display-text.ts';
import type { ComparedEntity, ComparedPeriod, PeriodComparison } from '../values/period-comparison.ts';
import type { ChartSpec, JsonObject, TableSpec, Visual } from '../visuals.ts';
import { distributionChart } from './distribution.ts';
import { ACCENT, axisTitle, legendKeys, MUTED, plainText, RATING_COLORS, titleOf } from './drawing.ts';
import { noDataNote, numberColumn, tableOf, textColumn } from './table.ts';

/** Above this many rows, the distribution of changes is drawn instead. */
const MAX_ROWS = 32;
const ROW_PIXELS = 24;
/** Title, legend and axis. */
const AROUND_PIXELS = 150;

/** Charts and table of a comparison; `withSeries` where the course within the windows was asked for. */
export function comparisonVisuals(comparison: PeriodComparison, withSeries: boolean): readonly Visual[] {
  const { title: name, rows, current, previous } = comparison;
  const title = `${name}: ${periodWords(current)} against ${periodWords(previous)}`;
  const measured = rows.filter((row) => row.current !== null || row.previous !== null);
  if (measured.length === 0) return [noDataNote(title, title)];
  const chart = withSeries ? seriesChart(title, comparison) : changeChart(title, comparison);
  const table = comparisonTable(title, comparison);
  return chart === null ? [table] : [chart, table];
}

/** `2026-05-13 01:00 to 2026-05-20 01:00 UTC`. */
export const periodWords = ({ from, to }: Pick<ComparedPeriod, 'from' | 'to'>): string =>
  `${formatTime(from).slice(0, -4)} to ${formatTime(to)}`;

function seriesChart(
  title: string,
  { kind, title: name, displayUnit: unit, scale, current, previous }: PeriodComparison,
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
      hovertext: period.series.map(({ day, value, members }) =>
        [day, formatQuantity(value * scale, unit), `mean of ${countOf(members, noun)}`]
          .map(plainText)
          .join('<br>'),
      ),
      hoverinfo: 'text',
      marker: { size: 7, symbol: index === 0 ? 'circle-open' : 'circle' },
      line: index === 0 ? { dash: 'dash', color: MUTED } : { color: ACCENT },
    })),
    layout: {
      title: titleOf(title),
      xaxis: { type: 'linear', title: { text: 'Hours from the start of the window' }, automargin: true },
      yaxis: { title: axisTitle(`Mean ${name} of a day`, unit), automargin: true },
      showlegend: true,
    },
  };
}

/** Verdicts on a change, in the colours of ratings. */
const VERDICTS = [
  { name: 'better', better: true, color: RATING_COLORS.EXCELLENT },
  { name: 'worse', better: false, color: RATING_COLORS.BAD },
  { name: 'neither', better: null, color: ACCENT },
] as const;

function verdictOf({ better }: ComparedEntity): (typeof VERDICTS)[number] {
  return VERDICTS.find((verdict) => verdict.better === better) ?? VERDICTS[2];
}

/** A row each: an open dot before, a filled one now, and the way between them. Null where no change is known. */
function changeChart(title: string, comparison: PeriodComparison): ChartSpec | null {
  const { title: name, kind, level, displayUnit: unit, scale, rows, current, previous } = comparison;
  if (rows.length > MAX_ROWS) {
    if (rows.every(({ change }) => change === null)) return null;
    return distributionChart({
      title,
      valueTitle: `Change of ${name}`,
      unit,
      counted: `${HEADERS[level === 'QUBIT' ? kind : level]}s`,
      groups: VERDICTS.map((verdict) => ({
        name: verdict.name,
        color: verdict.color,
        values: rows.flatMap((row) =>
          row.change !== null && verdictOf(row) === verdict ? [row.change * scale] : [],
        ),
      })),
    });
  }
  const verdicts = VERDICTS.filter(
    ({ better }) => better !== null && rows.some((row) => row.better === better),
  );
  return {
    type: 'chart',
    kind: 'BAR',
    title,
    data: [
      waysBetween(rows, scale),
      dots(periodWords(previous), rows, (row) => row.previous, comparison, {
        color: MUTED,
        symbol: 'circle-open',
      }),
      dots(periodWords(current), rows, (row) => row.current, comparison, {
        color: rows.map((row) => verdictOf(row).color),
        symbol: 'circle',
      }),
      ...legendKeys([{ name: periodWords(current), color: MUTED, symbol: 'circle' }, ...verdicts]),
    ],
    layout: {
      title: titleOf(title),
      height: AROUND_PIXELS + ROW_PIXELS * rows.length,
      xaxis: { title: axisTitle(name, unit), automargin: true },
      yaxis: { type: 'category', range: [rows.length - 0.5, -0.5], dtick: 1, automargin: true },
      showlegend: true,
    },
  };
}

function waysBetween(rows: readonly ComparedEntity[], scale: number): JsonObject {
  const known = rows.filter(({ change }) => change !== null);
  return {
    type: 'scatter',
    mode: 'lines',
    x: known.flatMap(({ previous, current }) => [display(previous, scale), display(current, scale), null]),
    y: known.flatMap(({ entity }) => [plainText(entity), plainText(entity), null]),
    line: { color: MUTED, width: 2 },
    hoverinfo: 'skip',
    showlegend: false,
  };
}

const dots = (
  name: string,
  rows: readonly ComparedEntity[],
  valueOf: (row: ComparedEntity) => number | null,
  { displayUnit: unit, scale }: PeriodComparison,
  marker: JsonObject,
): JsonObject => ({
  type: 'scatter',
  mode: 'markers',
  name,
  x: rows.map((row) => display(valueOf(row), scale)),
  y: rows.map(({ entity }) => plainText(entity)),
  marker: { size: 10, ...marker },
  // A legend cannot show a colour for each dot.
  showlegend: typeof marker['color'] === 'string',
  hovertext: rows.map((row) =>
    [row.entity, name, formatQuantity(display(valueOf(row), scale), unit), changeWords(row, scale, unit)]
      .map(plainText)
      .join('<br>'),
  ),
  hoverinfo: 'text',
});

function changeWords({ change, changeSigma }: ComparedEntity, scale: number, unit: string): string {
  if (change === null) return 'measured in only one of the windows';
  const sigma = changeSigma === null ? '' : ` (${changeSigma.toFixed(1)} σ)`;
  return `change ${formatQuantity(change * scale, unit)}${sigma}`;
}

const display = (value: number | null, scale: number): number | null =>
  value === null ? null : value * scale;

const HEADERS = { QUBIT: 'Qubit', COUPLING: 'Coupling', MUX: 'MUX', CHIP: 'Chip' };

function comparisonTable(
  title: string,
  { kind, level, displayUnit, scale, rows }: PeriodComparison,
): TableSpec {
  return tableOf(title, rows, [
    [textColumn('entity', HEADERS[level === 'QUBIT' ? kind : level]), ({ entity }) => entity],
    [numberColumn('current', 'Current', displayUnit), ({ current }) => display(current, scale)],
    [numberColumn('previous', 'Previous', displayUnit), ({ previous }) => display(previous, scale)],
    [numberColumn('change', 'Change', displayUnit), ({ change }) => display(change, scale)],
    [numberColumn('sigma', 'Change', 'σ'), ({ changeSigma }) => changeSigma],
    [
      textColumn('verdict', 'Verdict'),
      ({ better }) => (better === null ? null : better ? 'better' : 'worse'),
    ],
  ]);
}
