import { layoutRemark, neighborsOf, type Topology } from '../chip/topology.ts';
import { countOf } from '../text/display-text.ts';
import type { ChartSpec, JsonObject } from '../visuals.ts';
import { gridAxes, gridSizeOf, holdsText, muxOutlines } from './chip-grid.ts';
import { ACCENT, MUTED, plainText, titleOf } from './drawing.ts';

/** Nodes of the largest size hold their label. */
const NODE_PIXELS = 27;
/** Width that all nodes of a row together may take, so that a phone shows the edges between them. */
const ROW_PIXELS = 216;

const LABELS = {
  inside: { textposition: 'middle center', textfont: { size: 10, color: '#ffffff' } },
  beside: { textposition: 'top right', textfont: { size: 10 }, cliponaxis: false },
};

/** The chip as it lies: qubits at their places, couplings as lines, a frame around each MUX; row 0 at the top. */
export function topologyGraph(
  chipId: string,
  topology: Topology,
  qubits: readonly { readonly qid: string; readonly label: string }[],
): ChartSpec {
  const placed = qubits.flatMap(({ qid, label }) => {
    const position = topology.positions.get(qid);
    return position === undefined ? [] : [{ qid, label, ...position }];
  });
  const size = gridSizeOf(placed);
  const nodePixels = Math.max(4, Math.min(NODE_PIXELS, Math.floor(ROW_PIXELS / size.columns)));
  const isInside = nodePixels === NODE_PIXELS;
  const remark = layoutRemark(topology.placedBy);
  const title = `Topology of ${chipId}${remark === null ? '' : ` (${remark})`}`;
  return {
    type: 'chart',
    kind: 'GRAPH',
    title,
    data: [
      edges(topology),
      {
        type: 'scatter',
        x: placed.map(({ column }) => column),
        y: placed.map(({ row }) => row),
        hovertext: placed.map(({ qid, label }) => pointed(qid, label, topology)),
        hoverinfo: 'text',
        ...(holdsText(size)
          ? {
              mode: 'markers+text',
              text: placed.map(({ label }) => plainText(label)),
              ...LABELS[isInside ? 'inside' : 'beside'],
            }
          : { mode: 'markers' }),
        marker: { size: nodePixels, color: ACCENT },
      },
    ],
    layout: {
      title: titleOf(title),
      showlegend: false,
      margin: { b: 8, l: 8, r: 8, t: 48 },
      ...gridAxes(size),
      shapes: muxOutlines(topology),
    },
  };
}

function pointed(qid: string, label: string, { couplings, muxOf }: Topology): string {
  const mux = muxOf.get(qid);
  const neighbours = countOf(neighborsOf(qid, couplings).length, 'neighbour');
  return [label, ...(mux === undefined ? [] : [`MUX ${mux}`]), neighbours].map(plainText).join('<br>');
}

/** One trace for all lines: a null between two couplings lifts the pen. */
function edges({ couplings, positions }: Topology): JsonObject {
  const ends = couplings.flatMap(([a, b]) => {
    const [from, to] = [positions.get(a), positions.get(b)];
    return from === undefined || to === undefined ? [] : [{ from, to }];
  });
  return {
    type: 'scatter',
    mode: 'lines',
    x: ends.flatMap(({ from, to }) => [from.column, to.column, null]),
    y: ends.flatMap(({ from, to }) => [from.row, to.row, null]),
    hoverinfo: 'skip',
    line: { color: MUTED, width: 1.5 },
  };
}
