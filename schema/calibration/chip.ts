import type { Topology as DomainTopology } from '../../src/domain/chip/topology.ts';
import { builder } from '../builder.ts';
import { PAGE_READ, sizesFor } from '../read-costs.ts';
import { Chip, Coupling, Qubit } from '../refs.ts';
import { filterParts, partFilterArgs, partFilterCost } from './part-filter.ts';

const Topology = builder.objectRef<DomainTopology>('Topology').implement({
  description: 'Positions of the qubits of a chip, and which of them are connected.',
  fields: (t) => ({
    topologyId: t.exposeString('topologyId', {
      description: 'Its name, for example `square-lattice-mux-64`.',
    }),
    gridSize: t.exposeInt('gridSize', { description: 'Rows and columns of the square drawing grid.' }),
    layoutType: t.exposeString('layoutType', {
      description:
        '`grid`, `hex` or `linear`; `imported` if the positions came with the chip, `derived` if computed from its couplings.',
    }),
    muxSize: t.exposeInt('muxSize', {
      nullable: true,
      description: 'Qubits of one multiplexed readout unit; null for chips without multiplexing.',
    }),
    couplings: t.field({
      type: t.listRef(t.listRef('String')),
      description:
        'Pairs of qids; the order within a pair matters for directed gates. Without past couplings.',
      resolve: ({ couplings }) => couplings.map((pair) => [...pair]),
    }),
  }),
});

builder.node(Chip, {
  rule: 'viewer: project',
  description: "A quantum chip in the request's project.",
  id: { resolve: ({ chipId }) => chipId },
  loadWithoutCache: (chipId, { loaders }) => loaders.chip.load(chipId),
  fields: (t) => ({
    chipId: t.exposeString('chipId', { description: 'Its name in the lab.' }),
    size: t.exposeInt('size', { description: 'Nominal number of qubits; `qubits` lists those with data.' }),
    installedAt: t.expose('installedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was installed; null if unknown.',
    }),
    cooldownStartedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When the cool-down began that it is in; null where that is unknown.',
      complexity: PAGE_READ,
      resolve: (chip, _args, { loaders }) => loaders.cooldownStart.load(chip),
    }),
    qubits: t.field({
      type: [Qubit],
      complexity: partFilterCost('qubits'),
      description: 'Its qubits in numeric order, or the requested ones in the given order.',
      args: {
        qids: t.arg.stringList({
          required: false,
          description: '`7`, `Q7` and `Q07` are the same; omit it for all qubits.',
        }),
        ...partFilterArgs(),
      },
      resolve: async (chip, { qids, ...filter }, context) => {
        const { loaders, services } = context;
        const all = await loaders.qubitsOfChip.load(chip);
        const qubits = qids ? services.qubits.pick(chip, all, qids) : all;
        return filterParts(qubits, { chip, kind: 'QUBIT', qidOf: ({ qid }) => qid }, filter, context);
      },
    }),
    couplings: t.field({
      type: [Coupling],
      complexity: partFilterCost('couplings'),
      description:
        "Its directed couplings; an edge's empty direction is left out if the other one has values. Past ones, which the newest snapshot lacks, have `lastSeenAt`.",
      args: partFilterArgs(),
      resolve: async (chip, filter, context) => {
        const couplings = await context.loaders.couplingsOfChip.load(chip);
        const qidOf = ({ couplingId }: (typeof couplings)[number]): string => couplingId;
        return filterParts(couplings, { chip, kind: 'COUPLING', qidOf }, filter, context);
      },
    }),
    topology: t.field({
      type: Topology,
      nullable: true,
      description:
        'Layout from the catalogue, else from the chip, else derived from its couplings. Null for a chip without qubits.',
      resolve: (chip, _args, { loaders }) => loaders.topology.load(chip),
    }),
    parameterNames: t.stringList({
      description: 'Sorted names of all parameters ever set.',
      args: {
        qid: t.arg.string({ required: false, description: 'Only of this qubit or coupling.' }),
      },
      resolve: async (chip, { qid }, { loaders }) => [
        ...(await loaders.parameterNames.load({ chip, qid: qid ?? null })),
      ],
    }),
  }),
});

builder.subscriptionField('chipUpdated', (t) =>
  t.field({
    rule: 'viewer: project',
    type: Chip,
    description:
      'The chip, within seconds of each new result, import or note. The initial state is not sent: read it once the stream is open.',
    args: { chipId: t.arg.string({ description: 'Its name in the lab.' }) },
    subscribe: (_root, { chipId }, { services, viewer, signal }) =>
      services.chipUpdates.follow(viewer, chipId, signal),
    resolve: (chip) => chip,
  }),
);

builder.queryFields((t) => ({
  chips: t.field({
    rule: 'viewer: project',
    type: [Chip],
    description: "Chips of the request's project, newest installation first.",
    complexity: (_args, context) => ({ field: 1, multiplier: sizesFor(context).chips }),
    resolve: async (_root, _args, { loaders }) => [...(await loaders.chips())],
  }),
  chip: t.field({
    rule: 'viewer: project',
    type: Chip,
    nullable: true,
    description: 'A chip by name; for an unknown name null, with an error that lists the known ones.',
    args: { chipId: t.arg.string({ description: 'Its name in the lab.' }) },
    resolve: (_root, { chipId }, { loaders }) => loaders.chipNamed(chipId),
  }),
}));
