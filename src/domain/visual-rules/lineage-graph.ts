/**
 * The origins of a value as a graph (C9 of docs/chart-rules.md), drawn like an outline: one row a node, indented by its
 * distance, so that names have room on a phone, too, and never overlap.
 */
import type { ProvenanceGraph, ProvenanceNode } from '../records/provenance.ts';
import { formatQuantity } from '../text/display-text.ts';
import type { ChartSpec, JsonObject } from '../visuals.ts';
import { ACCENT, MUTED, plainText, RATING_COLORS, titleOf } from './drawing.ts';
import { nodeWords } from './record-tables.ts';

const ROW_PIXELS = 30;
/** Title and legend. */
const AROUND_PIXELS = 90;
/** Columns for names, in addition to those of the steps. */
const NAME_COLUMNS = 3;

/** The origin at the top left; below and to the right of everything what it came from. */
export function provenanceChart(title: string, graph: ProvenanceGraph): ChartSpec {
  const { rows, links } = outlineOf(graph);
  const places = new Map(rows.map(({ node, depth }, row) => [node.id, { x: depth, y: row }]));
  const depth = Math.max(0, ...rows.map((row) => row.depth));
  const [branches, others] = [links.filter(({ isBranch }) => isBranch), links.filter((one) => !one.isBranch)];
  return {
    type: 'chart',
    kind: 'GRAPH',
    title,
    data: [
      ...(branches.length > 0 ? [lines(branches, places, {})] : []),
      ...(others.length > 0 ? [lines(others, places, { name: 'also from', dash: 'dot' })] : []),
      ...GROUPS.flatMap((group) => {
        const members = rows.filter(({ node }) => groupOf(node) === group.name);
        return members.length === 0
          ? []
          : [
              marks(
                group,
                members.map(({ node }) => node),
                places,
              ),
            ];
      }),
    ],
    layout: {
      title: titleOf(title),
      height: AROUND_PIXELS + ROW_PIXELS * rows.length,
      margin: { b: 8, l: 8, r: 8 },
      xaxis: { visible: false, range: [-0.3, depth + NAME_COLUMNS], fixedrange: true },
      yaxis: { visible: false, range: [rows.length - 0.5, -0.5] },
      showlegend: true,
    },
  };
}

type Row = { readonly node: ProvenanceNode; readonly depth: number };
type Link = { readonly from: string; readonly to: string; readonly isBranch: boolean };

/**
 * Depth first: what a node came from follows it at once. An arrow to a node that already has a row is not a
 * branch.
 */
function outlineOf({ nodes, edges }: ProvenanceGraph): {
  readonly rows: readonly Row[];
  readonly links: readonly Link[];
} {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const targets = Map.groupBy(edges, ({ sourceId }) => sourceId);
  const rows: Row[] = [];
  const links: Link[] = [];
  const seen = new Set<string>();
  const visit = (node: ProvenanceNode): void => {
    seen.add(node.id);
    rows.push({ node, depth: node.depth });
    for (const id of new Set(targets.get(node.id)?.map(({ targetId }) => targetId))) {
      const next = byId.get(id);
      if (next === undefined) continue;
      const isBranch = !seen.has(id) && next.depth === node.depth + 1;
      links.push({ from: node.id, to: id, isBranch });
      if (isBranch) visit(next);
    }
  };
  for (const node of nodes) if (!seen.has(node.id)) visit(node);
  return { rows, links };
}

type Place = { readonly x: number; readonly y: number };

/** One trace: down from the one, then across to what it came from; a null between two lifts the pen. */
function lines(
  links: readonly Link[],
  places: ReadonlyMap<string, Place>,
  { name, dash = 'solid' }: { readonly name?: string; readonly dash?: string },
): JsonObject {
  const ends = links.flatMap(({ from, to }) => {
    const [a, b] = [places.get(from), places.get(to)];
    return a === undefined || b === undefined ? [] : [{ a, b }];
  });
  return {
    type: 'scatter',
    mode: 'lines',
    ...(name === undefined ? { showlegend: false } : { name }),
    x: ends.flatMap(({ a, b }) => [a.x, a.x, b.x, null]),
    y: ends.flatMap(({ a, b }) => [a.y, b.y, b.y, null]),
    line: { color: MUTED, width: 1, dash },
    hoverinfo: 'skip',
  };
}

const GROUPS = [
  { name: 'version', color: ACCENT, symbol: 'circle' },
  // no claim: its newest version has a greater number
  { name: 'measured again since', color: RATING_COLORS.FAIR, symbol: 'circle' },
  { name: 'run', color: MUTED, symbol: 'square' },
] as const;

function groupOf(node: ProvenanceNode): (typeof GROUPS)[number]['name'] {
  if (node.kind === 'ACTIVITY') return 'run';
  // no claim: compared here
  return node.newestVersion > node.entity.version ? 'measured again since' : 'version';
}

const marks = (
  { name, color, symbol }: (typeof GROUPS)[number],
  nodes: readonly ProvenanceNode[],
  places: ReadonlyMap<string, Place>,
): JsonObject => ({
  type: 'scatter',
  mode: 'markers+text',
  name,
  x: nodes.map(({ id }) => places.get(id)?.x ?? null),
  y: nodes.map(({ id }) => places.get(id)?.y ?? null),
  text: nodes.map((node) => `  ${plainText(shortWords(node))}`),
  textposition: 'middle right',
  hovertext: nodes.map((node) => plainText(nodeWords(node))),
  hoverinfo: 'text',
  marker: { size: 12, color, symbol },
});

/** What fits beside a mark; its hover text is complete. */
function shortWords(node: ProvenanceNode): string {
  if (node.kind === 'ACTIVITY') return `${node.activity.taskName} on ${node.activity.qid}`;
  const { parameter, qid, value, text, unit } = node.entity;
  return `${parameter} of ${qid}: ${value === null ? (text ?? '–') : formatQuantity(value, unit)}`;
}
