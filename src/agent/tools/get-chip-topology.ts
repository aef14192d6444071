/** `get_chip_topology`: where the qubits lie and which are coupled. */
import { z } from 'zod';
import type { Topology } from '../../domain/chip/topology.ts';
import { layoutRemark, neighborsOf } from '../../domain/chip/topology.ts';
import { qidLabel } from '../../domain/qid.ts';
import { countOf } from '../../domain/text/display-text.ts';
import { freshnessOf } from '../../domain/values/freshness.ts';
import { noDataNote } from '../../domain/visual-rules/table.ts';
import { topologyGraph } from '../../domain/visual-rules/topology-graph.ts';
import { defineTool } from '../tool.ts';
import { chipIdArg, chipOf, chipWords } from './chip-argument.ts';
import { fieldsOf } from './row-data.ts';
import { pastSentences } from './words.ts';

export const getChipTopology = defineTool({
  name: 'get_chip_topology',
  category: 'calibration',
  rule: 'viewer: project',
  reads: 'DIRECT',
  label: 'Fetching chip topology',
  title: { en: 'Layout of a chip', ja: 'チップの配置' },
  example: {},
  description:
    'Layout of a chip: grid position and neighbours of every qubit, couplings, readout groups (MUX).',
  args: z.object({
    chip_id: chipIdArg,
    qids: z.array(z.string()).nullable().describe('Only these qubits; null for all'),
  }),
  describe: ({ chip_id }) => `layout of ${chipWords(chip_id)}`,
  run: async ({ chip_id, qids }, context) => {
    const chip = await chipOf(context, chip_id);
    const { topology: layouts, qubitsOfChip, couplingsOfChip } = context.loaders;
    const [topology, qubits, couplings] = await Promise.all([
      layouts.load(chip),
      qubitsOfChip.load(chip),
      couplingsOfChip.load(chip),
    ]);
    const past = couplings.flatMap(({ couplingId, lastSeenAt }) =>
      lastSeenAt === null ? [] : [{ couplingId, label: qidLabel(couplingId, chip.size), lastSeenAt }],
    );
    const freshness = freshnessOf('CONFIG', [], null);
    if (topology === null) {
      const words = `${chip.chipId}: neither a topology nor couplings are known for its ${countOf(qubits.length, 'qubit')}.`;
      return {
        data: {
          chip_id: chip.chipId,
          topology_id: null,
          num_qubits: qubits.length,
          qubits: [],
          couplings: [],
        },
        formattedSummary: words,
        preview: 'no topology known',
        freshness,
        source: 'CONFIG',
        visuals: [noDataNote(`Topology of ${chip.chipId}`, `the topology of ${chip.chipId}`)],
      };
    }
    const there = new Set(qubits.map(({ qid }) => qid));
    const wanted = qids?.length ? await context.services.qubits.getMany(chip, qids) : qubits;
    const rows = wanted.map(({ qid, label }) => {
      const position = topology.positions.get(qid);
      return {
        qid,
        label,
        row: position?.row ?? null,
        col: position?.column ?? null,
        mux: topology.muxOf.get(qid) ?? null,
        neighbors: neighborsOf(qid, topology.couplings).filter((near) => there.has(near)),
      };
    });
    return {
      data: {
        chip_id: chip.chipId,
        ...fieldsOf(topology, 'topologyId', 'layoutType', 'gridSize'),
        num_qubits: qubits.length,
        num_couplings: topology.couplings.length,
        mux_size: topology.muxSize,
        placed_by: topology.placedBy,
        qubits: rows,
        past_couplings: past.map((each) => fieldsOf(each, 'couplingId', 'lastSeenAt')),
      },
      formattedSummary: [wordsOf(chip.chipId, topology, qubits.length), ...pastSentences(past)].join('\n'),
      preview: `${countOf(qubits.length, 'qubit')}, ${countOf(topology.couplings.length, 'coupling')}`,
      freshness,
      source: 'CONFIG',
      visuals: [topologyGraph(chip.chipId, topology, qubits)],
    };
  },
});

function wordsOf(chipId: string, topology: Topology, qubits: number): string {
  const { topologyId, layoutType, gridSize, muxSize, couplings, placedBy } = topology;
  const layout =
    placedBy === 'CATALOGUE'
      ? `topology ${topologyId} (${layoutType})`
      : `no topology of the catalogue, ${layoutRemark(placedBy) ?? 'layout as it came with the chip'}`;
  return [
    `${chipId}: ${countOf(qubits, 'qubit')} and ${countOf(couplings.length, 'coupling')}, ${layout}, drawn on a grid of side ${gridSize}.`,
    ...(muxSize === null ? [] : [`Readout groups (MUX) of ${countOf(muxSize, 'qubit')}.`]),
  ].join('\n');
}
