import type { Topology as DomainTopology } from '../../src/domain/chip/topology.ts';
import { builder } from '../builder.ts';
import { Chip } from '../refs.ts';

const Topology = builder.objectRef<DomainTopology>('Topology').implement({
  description: 'Where the qubits of a chip stand and which of them are connected.',
  fields: (t) => ({
    topologyId: t.exposeString('topologyId', {
      description: 'Its name, for example `square-lattice-mux-64`.',
    }),
    gridSize: t.exposeInt('gridSize', { description: 'Side of the square drawing grid.' }),
    layoutType: t.exposeString('layoutType', {
      description:
        '`grid`, `hex`, `linear`; `imported` where the places came with the chip, `derived` where they were made from its couplings.',
    }),
    muxSize: t.exposeInt('muxSize', {
      nullable: true,
      description: 'Qubits of one multiplexed readout unit; null for chips without.',
    }),
    couplings: t.field({
      type: t.listRef(t.listRef('String')),
      description: 'Pairs of qids; the order within a pair is meaningful where a gate has a direction.',
      resolve: ({ couplings }) => couplings.map((pair) => [...pair]),
    }),
  }),
});

builder.objectField(Chip, 'topology', (t) =>
  t.field({
    type: Topology,
    nullable: true,
    description:
      'Layout; where the catalogue does not know it, the places that came with the chip, else derived from its couplings. Null for a chip without qubits.',
    resolve: (chip, _args, { loaders }) => loaders.topology.load(chip),
  }),
);
