import type { Topology as DomainTopology } from '../src/domain/topology.ts';
import { builder } from './builder.ts';
import { Chip } from './refs.ts';

const Topology = builder.objectRef<DomainTopology>('Topology').implement({
  description: 'Where the qubits of a chip stand and which of them are connected.',
  fields: (t) => ({
    topologyId: t.exposeString('topologyId', {
      description: 'Its name, for example `square-lattice-mux-64`.',
    }),
    gridSize: t.exposeInt('gridSize', { description: 'Side of the square drawing grid.' }),
    layoutType: t.exposeString('layoutType', {
      description: '`grid`, `hex`, `linear`, or `derived` when it was made from the couplings of the chip.',
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
      'Layout; derived from the couplings where the catalogue does not know it, null where there are none either.',
    resolve: (chip, _args, { loaders }) => loaders.topology.load(chip),
  }),
);
