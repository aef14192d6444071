/**
 * The heatmap of a metric over a chip: every qubit stands where it is on the chip. A qubit without a value is hatched and
 * says `N/A`; it is never drawn as zero and never left out.
 */
import type { QubitValue } from './chip-metric.ts';
import type { Direction, Metric } from './metric.ts';
import { layoutRemark } from './topology.ts';
import type { GridPosition, Topology } from './topology.ts';
import { canonicalUnit } from './units.ts';
import type { ChartSpec, Json, JsonObject } from './visuals.ts';

/** Bright is good: the scale is turned for metrics where less is better, and another one for those without good or bad. */
const COLOURS: Readonly<Record<Direction, { readonly colorscale: string; readonly reversescale: boolean }>> =
  {
    HIGHER_IS_BETTER: { colorscale: 'Viridis', reversescale: false },
    LOWER_IS_BETTER: { colorscale: 'Viridis', reversescale: true },
    NEUTRAL: { colorscale: 'Cividis', reversescale: false },
  };

const CELL_PIXELS = 84;

/** Value and unit as they stand in a cell; decimals follow the unit. */
export function cellText(value: number, unit: string): string {
  const canonical = canonicalUnit(unit);
  if (canonical === '%') return `${value.toFixed(2)}%`;
  const decimals = canonical === 'μs' || canonical === 'ns' ? 2 : 3;
  return `${value.toFixed(decimals)}<br>${canonical}`;
}

/** Heatmap of `values`, one a qubit, on the chip's layout. Qubits that the layout does not place are named in the title. */
export function metricHeatmap(
  metric: Metric,
  values: readonly QubitValue[],
  topology: Topology | null,
): ChartSpec {
  const placed = values.flatMap((value) => {
    const position = topology?.positions.get(value.qid);
    return position ? [{ ...value, position }] : [];
  });
  const rows = Math.max(1, ...placed.map(({ position }) => position.row + 1));
  const columns = Math.max(1, ...placed.map(({ position }) => position.column + 1));
  const z = emptyGrid(rows, columns);
  const text = emptyGrid(rows, columns);
  for (const { label, displayValue, position } of placed) {
    put(z, position, displayValue);
    put(text, position, displayValue === null ? 'N/A' : `${label}<br>${cellText(displayValue, metric.unit)}`);
  }
  const missing = placed.filter(({ displayValue }) => displayValue === null);
  return {
    type: 'chart',
    title: titleOf(metric, values.length - placed.length, topology),
    kind: 'HEATMAP',
    data: [
      {
        type: 'heatmap',
        z,
        text,
        hoverinfo: 'text',
        texttemplate: '%{text}',
        textfont: { family: 'monospace', size: 10, weight: 'bold' },
        xgap: 2,
        ygap: 2,
        colorbar: { title: { text: metric.unit } },
        ...COLOURS[metric.direction],
      },
    ],
    layout: {
      title: {
        text: metric.unit === '' ? metric.title : `${metric.title} (${metric.unit})`,
        font: { size: 14 },
      },
      showlegend: false,
      width: CELL_PIXELS * columns + 100,
      height: CELL_PIXELS * rows + 70,
      margin: { b: 30, l: 20, r: 60, t: 40 },
      xaxis: bareAxis(columns),
      // Row 0 is at the top.
      yaxis: { ...bareAxis(rows), range: [rows - 0.5, -0.5], scaleanchor: 'x' },
      shapes: [...missing.map(({ position }) => hatching(position)), ...muxOutlines(topology)],
      annotations: missing.map(({ label, position }) => missingLabel(label, position)),
    },
  };
}

function titleOf(metric: Metric, unplaced: number, topology: Topology | null): string {
  const remark = topology && layoutRemark(topology.placedBy);
  const notes = [
    ...(remark ? [remark] : []),
    ...(unplaced > 0 ? [`${unplaced} qubits without a known place are not drawn`] : []),
  ];
  return notes.length === 0 ? metric.title : `${metric.title}: ${notes.join('; ')}`;
}

const emptyGrid = (rows: number, columns: number): Json[][] =>
  Array.from({ length: rows }, () => Array<Json>(columns).fill(null));

function put(grid: Json[][], { row, column }: GridPosition, value: Json): void {
  const cells = grid[row];
  if (cells) cells[column] = value;
}

const bareAxis = (cells: number): JsonObject => ({
  range: [-0.5, cells - 0.5],
  showticklabels: false,
  showgrid: false,
  zeroline: false,
  ticks: '',
});

/** Three strokes across the cell inside a dotted frame: one shape, so that a thousand missing qubits stay a small chart. */
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

const missingLabel = (label: string, { row, column }: GridPosition): JsonObject => ({
  x: column,
  y: row,
  text: `${label}<br>N/A`,
  showarrow: false,
  font: { family: 'monospace', size: 10, color: '#5f6368' },
});

/** A frame around the qubits of each MUX, where the topology has any. */
function muxOutlines(topology: Topology | null): readonly JsonObject[] {
  if (!topology) return [];
  const byMux = Map.groupBy(topology.muxOf, ([, mux]) => mux);
  return [...byMux.values()].flatMap((members) => {
    const positions = members.flatMap(([qid]) => topology.positions.get(qid) ?? []);
    if (positions.length === 0) return [];
    const [rows, columns] = [positions.map(({ row }) => row), positions.map(({ column }) => column)];
    return [
      {
        type: 'rect',
        x0: Math.min(...columns) - 0.5,
        x1: Math.max(...columns) + 0.5,
        y0: Math.min(...rows) - 0.5,
        y1: Math.max(...rows) + 0.5,
        line: { color: '#5f6368', width: 1 },
      },
    ];
  });
}
