/** Where values came from (rule C9): the versions of a parameter as a table, the origins of one as a graph with its table. */
import { formatQuantity } from '../display-text.ts';
import type { ParameterVersion, ProvenanceGraph, ProvenanceNode } from '../provenance.ts';
import type { ChartSpec, JsonObject, TableSpec } from '../visuals.ts';
import { numberColumn, textColumn, timeColumn } from './table.ts';

/** Versions, newest first, as stored. */
export function versionsTable(title: string, versions: readonly ParameterVersion[]): TableSpec {
  const unit = versions[0]?.unit ?? '';
  return {
    type: 'table',
    title,
    columns: [
      numberColumn('version', 'Version', ''),
      numberColumn('value', 'Value', unit),
      numberColumn('error', 'Error', unit),
      timeColumn('validFrom', 'From (UTC)'),
      timeColumn('validUntil', 'Until (UTC)'),
      textColumn('task', 'Task'),
      textColumn('executionId', 'Execution'),
    ],
    rows: versions.map((version) => ({
      version: version.version,
      value: version.unit === unit ? (version.value ?? version.text) : null,
      error: version.unit === unit ? version.error : null,
      validFrom: version.validFrom.toISOString(),
      validUntil: version.validUntil?.toISOString() ?? null,
      task: version.taskName,
      executionId: version.executionId,
    })),
  };
}

/** `t1 of 12, version 3 of 5: 45.23 μs`, `CheckT1 on 12`. */
export function nodeWords(node: ProvenanceNode): string {
  if (node.kind === 'ACTIVITY') return `${node.activity.taskName} on ${node.activity.qid}`;
  const { parameter, qid, version, value, text, unit } = node.entity;
  const age = node.newestVersion > version ? `${version} of ${node.newestVersion}` : String(version);
  const shown = value === null ? (text ?? '–') : formatQuantity(value, unit);
  return `${parameter} of ${qid}, version ${age}: ${shown}`;
}

/** The origin on the left, what it came from to its right, a column for each step. */
export function provenanceChart(title: string, graph: ProvenanceGraph): ChartSpec {
  const places = new Map<string, { readonly x: number; readonly y: number }>();
  for (const [depth, column] of Map.groupBy(graph.nodes, (node) => node.depth)) {
    column.forEach(({ id }, index) => places.set(id, { x: depth, y: index - (column.length - 1) / 2 }));
  }
  const arrows = graph.edges.flatMap(({ sourceId, targetId }): JsonObject[] => {
    const [from, to] = [places.get(sourceId), places.get(targetId)];
    return from && to ? [arrow(from, to)] : [];
  });
  return {
    type: 'chart',
    kind: 'GRAPH',
    title,
    data: (['ENTITY', 'ACTIVITY'] as const).map((kind) => {
      const nodes = graph.nodes.filter((node) => node.kind === kind);
      return {
        type: 'scatter',
        mode: 'markers+text',
        name: kind === 'ENTITY' ? 'Version' : 'Run',
        x: nodes.map(({ id }) => places.get(id)?.x ?? null),
        y: nodes.map(({ id }) => places.get(id)?.y ?? null),
        text: nodes.map((node) => (node.kind === 'ENTITY' ? node.entity.parameter : node.activity.taskName)),
        hovertext: nodes.map(nodeWords),
        hoverinfo: 'text',
        textposition: 'bottom center',
        marker:
          kind === 'ENTITY'
            ? { size: 14, color: nodes.map((node) => (isOutdated(node) ? '#f08c00' : '#4c6ef5')) }
            : { size: 14, symbol: 'square', color: '#868e96' },
      };
    }),
    layout: {
      title: { text: title },
      annotations: arrows,
      xaxis: { visible: false },
      yaxis: { visible: false, autorange: 'reversed' },
      showlegend: true,
    },
  };
}

const isOutdated = (node: ProvenanceNode): boolean =>
  node.kind === 'ENTITY' && node.newestVersion > node.entity.version;

type Place = { readonly x: number; readonly y: number };

const arrow = (from: Place, to: Place): JsonObject => ({
  x: to.x,
  y: to.y,
  ax: from.x,
  ay: from.y,
  xref: 'x',
  yref: 'y',
  axref: 'x',
  ayref: 'y',
  text: '',
  showarrow: true,
  arrowhead: 2,
  arrowcolor: '#adb5bd',
  standoff: 8,
  startstandoff: 8,
});

/** The nodes of a graph, nearest first. */
export function provenanceTable(title: string, { nodes }: ProvenanceGraph): TableSpec {
  return {
    type: 'table',
    title,
    columns: [
      numberColumn('depth', 'Steps back', ''),
      textColumn('what', 'Version or run'),
      textColumn('task', 'Task'),
      textColumn('executionId', 'Execution'),
      timeColumn('at', 'Time (UTC)'),
    ],
    rows: nodes.map((node) => {
      const record = node.kind === 'ENTITY' ? node.entity : node.activity;
      const at = node.kind === 'ENTITY' ? node.entity.validFrom : node.activity.endedAt;
      return {
        depth: node.depth,
        what: nodeWords(node),
        task: record.taskName,
        executionId: record.executionId,
        at: at?.toISOString() ?? null,
      };
    }),
  };
}
