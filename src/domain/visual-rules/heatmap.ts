/**
 * The heatmap of a metric over a chip: every qubit is drawn at its place on the chip. A qubit without a value
 * is hatched and labelled `N/A`; it is never drawn as zero and never left out.
 */
import type { QubitValue } from '../chip/chip-metric.ts';
import { layoutRemark, type GridPosition, type Topology } from '../chip/topology.ts';
import { countOf, formatQuantity, formatTime } from '../text/display-text.ts';
import type { PartState } from '../values/current.ts';
import { displayScale, type Direction, type Metric } from '../values/metric.ts';
import { findOutliers } from '../values/outliers.ts';
import { scaled } from '../values/parameter-value.ts';
import { canonicalUnit } from '../values/units.ts';
import type { ChartSpec, Json, JsonObject } from '../visuals.ts';
import { gridAxes, gridSizeOf, holdsText, muxOutlines, type GridSize } from './chip-grid.ts';
import { plainText, pointedText, titleOf, withUnit } from './drawing.ts';

/**
 * Bright is good: the scale is turned for metrics where less is better, and another one for those without good or
 * bad.
 */
const COLOURS: Readonly<Record<Direction, { readonly colorscale: string; readonly reversescale: boolean }>> =
  {
    HIGHER_IS_BETTER: { colorscale: 'Viridis', reversescale: false },
    LOWER_IS_BETTER: { colorscale: 'Viridis', reversescale: true },
    NEUTRAL: { colorscale: 'Cividis', reversescale: false },
  };
/** Where both scales become bright enough (relative luminance 0.18) that black is easier to read on them than white. */
const BRIGHT_FROM = 0.45;

type PlacedValue = QubitValue & { readonly position: GridPosition };

/** Value and unit as shown in a cell; decimals follow the unit. */
export function cellText(value: number, unit: string): string {
  const canonical = canonicalUnit(unit);
  if (canonical === '%') return `${value.toFixed(2)}%`;
  const decimals = canonical === 'μs' || canonical === 'ns' ? 2 : 3;
  return `${value.toFixed(decimals)}<br>${plainText(canonical)}`;
}

/**
 * Heatmap of `values`, one a qubit, on the chip's layout. Qubits that the layout does not place are named in the
 * title.
 */
export function metricHeatmap(
  metric: Metric,
  values: readonly QubitValue[],
  topology: Topology | null,
): ChartSpec {
  const placed = values.flatMap((value): PlacedValue[] => {
    const position = topology?.positions.get(value.qid);
    return position ? [{ ...value, position }] : [];
  });
  const size = gridSizeOf(placed.map(({ position }) => position));
  const missing = placed.filter(({ displayValue }) => displayValue === null);
  const colours = colourRange(placed);
  return {
    type: 'chart',
    title: titleWords(metric, values.length - placed.length, topology),
    kind: 'HEATMAP',
    data: [
      cells(metric, placed, size, colours),
      ...(holdsText(size) ? [labels(metric, placed, colours)] : []),
      ...(missing.length > 0 ? [missingMarks(missing, size)] : []),
    ],
    layout: {
      title: titleOf(withUnit(metric.title, metric.unit), outlierWords(colours)),
      showlegend: false,
      margin: { b: 8, l: 8, r: 8, t: 56 },
      ...gridAxes(size),
      shapes: [...missing.map(({ position }) => hatching(position)), ...muxOutlines(topology)],
    },
  };
}

function titleWords(metric: Metric, unplaced: number, topology: Topology | null): string {
  const remark = topology && layoutRemark(topology.placedBy);
  const notes = [
    ...(remark ? [remark] : []),
    ...(unplaced > 0 ? [`${unplaced} qubits without a known position are not drawn`] : []),
  ];
  return notes.length === 0 ? metric.title : `${metric.title}: ${notes.join('; ')}`;
}

/** The range of the colour scale, null unless two values differ; `outside` counts the values outside it. */
type ColourRange = { readonly low: number; readonly high: number; readonly outside: number } | null;

/** Outliers do not stretch the scale, or all others would look alike. */
function colourRange(placed: readonly PlacedValue[]): ColourRange {
  const values = placed.flatMap(({ displayValue }) => displayValue ?? []);
  const outliers = new Set(findOutliers(values, (value) => value).map(({ row }) => row));
  const usual = values.filter((value) => !outliers.has(value));
  const [low, high] = [Math.min(...usual), Math.max(...usual)];
  return low < high ? { low, high, outside: values.length - usual.length } : null;
}

function outlierWords(colours: ColourRange): string {
  if (colours === null || colours.outside === 0) return '';
  return `${countOf(colours.outside, 'outlier')} beyond the ends of the colour scale`;
}

function cells(
  metric: Metric,
  placed: readonly PlacedValue[],
  size: GridSize,
  colours: ColourRange,
): JsonObject {
  const z = emptyGrid(size);
  const text = emptyGrid(size);
  for (const { label, displayValue: value, error, measuredAt: at, unit, state, position } of placed) {
    const displayError = scaled(error, displayScale(metric, unit));
    put(z, position, value);
    put(
      text,
      position,
      value === null
        ? noValueText(state)
        : pointedText({ label, value, error: displayError, unit: metric.unit, at }),
    );
  }
  return {
    type: 'heatmap',
    z,
    text,
    hoverinfo: 'text',
    hoverongaps: false,
    xgap: 2,
    ygap: 2,
    ...(colours === null ? {} : { zmin: colours.low, zmax: colours.high }),
    colorbar: { title: { text: plainText(metric.unit) }, thickness: 14, outlinewidth: 0 },
    ...COLOURS[metric.direction],
  };
}

const emptyGrid = ({ rows, columns }: GridSize): Json[][] =>
  Array.from({ length: rows }, () => Array<Json>(columns).fill(null));

function put(grid: Json[][], { row, column }: GridPosition, value: Json): void {
  const cellsOfRow = grid[row];
  if (cellsOfRow) cellsOfRow[column] = value;
}

/** Label and value of each cell, black on bright colours and white on dark ones. */
function labels(metric: Metric, placed: readonly PlacedValue[], colours: ColourRange): JsonObject {
  const measured = placed.filter(({ displayValue }) => displayValue !== null);
  const { reversescale } = COLOURS[metric.direction];
  return {
    ...cellMarks(measured),
    mode: 'markers+text',
    text: measured.map(
      ({ label, displayValue }) => `${plainText(label)}<br>${cellText(displayValue ?? 0, metric.unit)}`,
    ),
    textfont: {
      ...CELL_FONT,
      color: measured.map(({ displayValue }) => {
        const place =
          colours === null ? 0.5 : ((displayValue ?? 0) - colours.low) / (colours.high - colours.low);
        return (reversescale ? 1 - place : place) > BRIGHT_FROM ? '#000000' : '#ffffff';
      }),
    },
    hoverinfo: 'skip',
  };
}

/** Labels and hover text of the hatched cells. */
const missingMarks = (missing: readonly PlacedValue[], size: GridSize): JsonObject => ({
  ...cellMarks(missing),
  ...(holdsText(size) && {
    mode: 'markers+text',
    text: missing.map(({ label, state }) => `${plainText(label)}<br>${noValueText(state)}`),
    textfont: { ...CELL_FONT, color: '#868e96' },
  }),
  hovertext: missing.map((value) => [value.label, ...noValueReasons(value)].map(plainText).join('<br>')),
  hoverinfo: 'text',
});

const noValueText = (state: PartState): string => (state === 'DISABLED' ? 'disabled' : 'N/A');

function noValueReasons({ state, stateReason, lastGood }: QubitValue): readonly string[] {
  const reason = stateReason ?? noValueText(state);
  if (lastGood === null) return [reason];
  const { displayValue, displayUnit, measuredAt } = lastGood;
  // no claim: the newest before the mark, chosen in values/current.ts
  return [reason, `last good ${formatQuantity(displayValue, displayUnit)} at ${formatTime(measuredAt)}`];
}

const CELL_FONT: JsonObject = { family: 'monospace', size: 10, weight: 'bold' };

/** Invisible marks that carry text and hover text. */
const cellMarks = (placed: readonly PlacedValue[]): JsonObject => ({
  type: 'scatter',
  mode: 'markers',
  x: placed.map(({ position }) => position.column),
  y: placed.map(({ position }) => position.row),
  marker: { opacity: 0, size: 12 },
});

/** Three strokes across the cell inside a frame: one shape, so that a thousand missing qubits stay a small chart. */
function hatching({ row, column }: GridPosition): JsonObject {
  const at = (dx: number, dy: number): string => `${column + dx},${row + dy}`;
  const strokes = [
    `M${at(-0.45, 0)}L${at(0, -0.45)}`,
    `M${at(-0.45, 0.45)}L${at(0.45, -0.45)}`,
    `M${at(0, 0.45)}L${at(0.45, 0)}`,
    `M${at(-0.45, -0.45)}L${at(0.45, -0.45)}L${at(0.45, 0.45)}L${at(-0.45, 0.45)}Z`,
  ];
  return {
    type: 'path',
    path: strokes.join(''),
    layer: 'below',
    line: { color: '#9aa0a6', width: 1, dash: 'dot' },
  };
}
