/** What a value was made from, as a graph: each step back is a column to the left. Pure. */
import type { ChartParts } from '../../charts/plotly-figure.ts';
import type { LineageNodeFragment, QubitLineageQuery } from '../../gql/graphql.ts';
import { quantityText } from '../../lib/format/quantity.ts';

type Version = NonNullable<QubitLineageQuery['qubit']>['lineage'][number];
type Graph = Pick<Version['provenance'], 'edges'> & { readonly nodes: readonly LineageNodeFragment[] };
type Place = { readonly x: number; readonly y: number };

const ROW_PX = 46;
const MARGINS_PX = 40;
const LINE = '#868e96';
const COLORS = { ENTITY: '#4c6ef5', ACTIVITY: '#868e96' };
/** Columns where names would run into each other are given every second one further up. */
const STAGGER = 0.18;

/** The graph as a figure: round marks are values, square ones the tasks between them; arrows lead to what was made. */
export function lineageFigure({ nodes, edges }: Graph): ChartParts {
  const places = placesOf(nodes);
  const rows = Math.max(1, ...columnsOf(nodes).map((column) => column.length));
  const lines = edges.flatMap(({ source, target }) => {
    // A source originates from its target.
    const [from, to] = [places.get(target), places.get(source)];
    return from && to ? [{ from, to }] : [];
  });
  return {
    data: [
      {
        type: 'scatter',
        mode: 'lines+markers',
        hoverinfo: 'skip',
        line: { width: 1, color: LINE },
        // An arrow head at the end of each line, turned as the line runs and short of the mark that it points at.
        marker: {
          symbol: 'arrow',
          angleref: 'previous',
          standoff: 7,
          size: lines.flatMap(() => [0, 10, 0]),
          color: LINE,
        },
        x: lines.flatMap(({ from, to }) => [from.x, to.x, null]),
        y: lines.flatMap(({ from, to }) => [from.y, to.y, null]),
      },
      {
        type: 'scatter',
        mode: 'markers+text',
        x: nodes.map(({ nodeId }) => places.get(nodeId)?.x ?? null),
        y: nodes.map(({ nodeId }) => places.get(nodeId)?.y ?? null),
        text: nodes.map(nameOf),
        textposition: nodes.map(({ nodeId }) =>
          (places.get(nodeId)?.y ?? 0) < 0 ? 'bottom center' : 'top center',
        ),
        textfont: { size: 10 },
        customdata: nodes.map(({ taskId }) => taskId),
        hovertext: nodes.map(detailsOf),
        hoverinfo: 'text',
        marker: {
          size: 11,
          symbol: nodes.map(({ kind }) => (kind === 'ENTITY' ? 'circle' : 'square')),
          color: nodes.map(({ kind }) => COLORS[kind]),
        },
      },
    ],
    layout: {
      height: rows * ROW_PX + MARGINS_PX,
      showlegend: false,
      xaxis: {
        visible: false,
        range: rangeOf(
          [...places.values()].map(({ x }) => x),
          0.6,
        ),
      },
      yaxis: {
        visible: false,
        range: rangeOf(
          [...places.values()].map(({ y }) => y),
          0.6,
        ),
      },
    },
  };
}

function columnsOf(nodes: readonly LineageNodeFragment[]): readonly (readonly LineageNodeFragment[])[] {
  const columns = Map.groupBy(nodes, ({ depth }) => depth);
  return [...columns.keys()].toSorted((a, b) => a - b).map((depth) => columns.get(depth) ?? []);
}

/** Columns by steps back, each centred, the value itself at the right. */
function placesOf(nodes: readonly LineageNodeFragment[]): ReadonlyMap<string, Place> {
  const places = columnsOf(nodes).flatMap((column, step) =>
    column.map(({ nodeId }, row): [string, Place] => [
      nodeId,
      { x: 0 - step, y: (column.length - 1) / 2 - row + (step % 2) * STAGGER },
    ]),
  );
  return new Map(places);
}

function rangeOf(values: readonly number[], room: number): readonly [number, number] {
  return [Math.min(0, ...values) - room, Math.max(0, ...values) + room];
}

const nameOf = ({ kind, parameter, taskName, qid }: LineageNodeFragment): string =>
  kind === 'ENTITY' ? escaped(`${parameter ?? ''} ${qid}`) : escaped(taskName);

function detailsOf({ kind, value, unit, version, at, taskName, status }: LineageNodeFragment): string {
  const lines =
    kind === 'ENTITY'
      ? [
          value === null ? '' : quantityText(value, unit ?? ''),
          version === null ? '' : `v${version}`,
          at ?? '',
        ]
      : [taskName, status ?? '', at ?? ''];
  return lines
    .filter((line) => line !== '')
    .map(escaped)
    .join('<br>');
}

/** Plotly reads a little HTML in texts; names are names. */
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
