import { layoutRemark } from '../topology.ts';
import type { Topology } from '../topology.ts';
import type { ChartSpec, JsonObject } from '../visuals.ts';

/** The chip as it lies: qubits at their places, couplings as lines; row 0 at the top. */
export function topologyGraph(
  chipId: string,
  topology: Topology,
  qubits: readonly { readonly qid: string; readonly label: string }[],
): ChartSpec {
  const placed = qubits.flatMap(({ qid, label }) => {
    const position = topology.positions.get(qid);
    return position === undefined ? [] : [{ label, ...position }];
  });
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
        mode: 'markers+text',
        x: placed.map(({ column }) => column),
        y: placed.map(({ row }) => row),
        text: placed.map(({ label }) => label),
        textposition: 'top center',
        hoverinfo: 'text',
        marker: { size: 12, color: '#4c6ef5' },
      },
    ],
    layout: {
      title: { text: title },
      showlegend: false,
      xaxis: { visible: false },
      yaxis: { visible: false, autorange: 'reversed', scaleanchor: 'x' },
    },
  };
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
    line: { color: '#adb5bd', width: 1 },
  };
}
