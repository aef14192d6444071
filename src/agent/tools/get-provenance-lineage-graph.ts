/** `get_provenance_lineage_graph`: what one version of a parameter was made from. */
import { z } from 'zod';
import type { ProvenanceGraph, ProvenanceNode } from '../../domain/records/provenance.ts';
import { compactNumber, compactTimestamp } from '../../domain/text/compact.ts';
import { countOf } from '../../domain/text/display-text.ts';
import { freshnessOf } from '../../domain/values/freshness.ts';
import { provenanceChart } from '../../domain/visual-rules/lineage-graph.ts';
import { nodeWords, provenanceTable } from '../../domain/visual-rules/record-tables.ts';
import type { JsonObject } from '../../domain/visuals.ts';
import { defineTool } from '../tool.ts';
import { chipIdArg, chipOf, chipWords, storedSentence } from './chip-argument.ts';

const DEFAULT_DEPTH = 5;
/** Outdated origins that the summary names. */
const SHOWN_NODES = 5;

export const getProvenanceLineageGraph = defineTool({
  name: 'get_provenance_lineage_graph',
  category: 'provenance',
  rule: 'viewer: project',
  reads: 'DIRECT',
  label: 'Fetching provenance lineage graph',
  title: { en: 'Graph of where a value came from', ja: '値の由来のグラフ' },
  example: async ({ services, chip }) => {
    const versions = await services.lineage.versions(chip, { parameter: 't1', qids: ['12'], lastN: 1 });
    return { entity_id: versions.get('12')?.[0]?.entityId ?? '', max_depth: 2 };
  },
  description: 'What a version of a parameter was measured with, for root causes; marks outdated inputs.',
  args: z.object({
    chip_id: chipIdArg,
    entity_id: z.string().describe('From get_parameter_lineage'),
    max_depth: z.number().int().min(1).max(20).nullable().describe(`null for ${DEFAULT_DEPTH}`),
  }),
  describe: ({ chip_id, entity_id }) => `origins of ${entity_id} on ${chipWords(chip_id)}`,
  run: async ({ chip_id, entity_id, max_depth }, context) => {
    const chip = await chipOf(context, chip_id);
    const graph = await context.services.lineage.graph(chip, entity_id, max_depth ?? DEFAULT_DEPTH);
    const title = `Origins of ${entity_id.split(':').slice(0, 2).join(' of ')} on ${chip.chipId}`;
    const freshness = freshnessOf(
      'SNAPSHOT',
      graph.nodes.map((node) => (node.kind === 'ENTITY' ? node.entity.validFrom : node.activity.endedAt)),
      null,
    );
    return {
      data: {
        chip_id: chip.chipId,
        origin: graph.origin,
        nodes: graph.nodes.map((node) => nodeData(node, context.now())),
        edges: graph.edges.map(({ relation, sourceId, targetId }) => ({
          relation: relation.toLowerCase(),
          source: sourceId,
          target: targetId,
        })),
        has_more: graph.hasMore,
        missing: graph.missing,
      },
      formattedSummary: [...sentences(title, graph), storedSentence(freshness)].join('\n'),
      preview: `${countOf(graph.nodes.length, 'node')}, ${countOf(graph.edges.length, 'edge')}`,
      freshness,
      source: 'SNAPSHOT',
      visuals: [provenanceChart(title, graph), provenanceTable(title, graph)],
    };
  },
});

function nodeData(node: ProvenanceNode, now: Date): JsonObject {
  const common = {
    id: node.id,
    type: node.kind.toLowerCase(),
    depth: node.depth,
    ...(node.excluded ? { excluded: true } : {}),
  };
  switch (node.kind) {
    case 'ENTITY': {
      const { parameter, qid, value, text, unit, version, taskName, executionId, validFrom } = node.entity;
      return {
        ...common,
        param: parameter,
        qid,
        value: value === null ? text : compactNumber(value),
        unit,
        ver: node.newestVersion > version ? `${version}/${node.newestVersion}` : version,
        task: taskName,
        exec_id: executionId,
        valid_from: compactTimestamp(validFrom, now),
      };
    }
    case 'ACTIVITY': {
      const { taskName, qid, executionId, status, endedAt } = node.activity;
      return {
        ...common,
        task: taskName,
        qid,
        exec_id: executionId,
        status: status.toLowerCase(),
        ended_at: compactTimestamp(endedAt, now),
      };
    }
    default:
      return node satisfies never;
  }
}

function sentences(title: string, { nodes, hasMore, missing }: ProvenanceGraph): readonly string[] {
  const [origin, ...origins] = nodes;
  const outdated = origins.filter(
    (node) => node.kind === 'ENTITY' && node.newestVersion > node.entity.version,
  );
  const runs = nodes.filter(({ kind }) => kind === 'ACTIVITY').length;
  return [
    `${title}: ${origin === undefined ? 'nothing' : nodeWords(origin)}; ${countOf(origins.length - runs, 'earlier value')} and ${countOf(runs, 'run')}.`,
    outdated.length === 0
      ? 'None of the earlier values has a newer version.'
      : // no claim: versions with a greater number, which the graph counts
        `Measured again since: ${outdated.slice(0, SHOWN_NODES).map(nodeWords).join('; ')}${outdated.length > SHOWN_NODES ? ` and ${outdated.length - SHOWN_NODES} more` : ''}.`,
    ...(hasMore ? ['It goes back further than was asked for.'] : []),
    ...(missing.length > 0
      ? [`${countOf(missing.length, 'recorded origin')} not on record for this chip.`]
      : []),
  ];
}
