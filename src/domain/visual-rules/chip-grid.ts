/** The chip as a grid that heatmap and topology are drawn on: square cells, row 0 at the top. */
import type { GridPosition, Topology } from '../chip/topology.ts';
import type { JsonObject } from '../visuals.ts';

/** Number of rows and columns. */
export type GridSize = { readonly rows: number; readonly columns: number };

/** The smallest grid that holds all positions; one cell for none. */
export function gridSizeOf(positions: readonly GridPosition[]): GridSize {
  let [rows, columns] = [1, 1];
  for (const { row, column } of positions) {
    rows = Math.max(rows, row + 1);
    columns = Math.max(columns, column + 1);
  }
  return { rows, columns };
}

/** Axes without anything on them, whose scales are equal. */
export const gridAxes = ({ rows, columns }: GridSize): JsonObject => ({
  xaxis: { ...BARE, range: [-0.5, columns - 0.5], constrain: 'domain' },
  yaxis: { ...BARE, range: [rows - 0.5, -0.5], scaleanchor: 'x', constrain: 'domain' },
});

const BARE: JsonObject = { showticklabels: false, showgrid: false, zeroline: false, ticks: '' };

/** More columns than this leave no room for text in a cell, however wide the screen. */
const MAX_TEXT_COLUMNS = 24;

/** Whether cells can hold text at all; the client decides by their actual size. */
export const holdsText = ({ columns }: GridSize): boolean => columns <= MAX_TEXT_COLUMNS;

/** A frame around the qubits of each MUX, where the topology has any. */
export function muxOutlines(topology: Topology | null): readonly JsonObject[] {
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
        line: { color: '#868e96', width: 1 },
      },
    ];
  });
}
