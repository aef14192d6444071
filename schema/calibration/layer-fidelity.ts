import type { LayerFidelity as Layer } from '../../src/domain/chip/layer-fidelity.ts';
import { builder } from '../builder.ts';
import { Chip, Qubit, type OfChip } from '../refs.ts';
import { qubitOf } from './chip-parts.ts';

const LayerFidelity = builder.objectRef<OfChip<Layer>>('LayerFidelity').implement({
  rule: 'viewer: project',
  description:
    'How well one layer of two-qubit gates works on a whole chain of qubits, which the vendor chose.',
  fields: (t) => ({
    length: t.int({ description: 'Qubits of the chain.', resolve: ({ qids }) => qids.length }),
    value: t.exposeFloat('value', { description: 'The fidelity, 0 to 1.' }),
    measuredAt: t.expose('measuredAt', { type: 'DateTime', description: 'When it was measured.' }),
    qubits: t.field({
      type: [Qubit],
      complexity: { field: 1, multiplier: 64 },
      description: 'The qubits in the order of the chain.',
      resolve: ({ chip, qids }, _args, context) =>
        Promise.all(qids.map((qid) => qubitOf(chip, qid, context))),
    }),
  }),
});

builder.objectField(Chip, 'layerFidelities', (t) =>
  t.field({
    type: [LayerFidelity],
    complexity: { field: 1, multiplier: 64 },
    description:
      'Layer fidelities of the newest snapshot, the shortest chain first; empty for chips whose source has none.',
    resolve: async (chip, _args, { services }) =>
      (await services.layerFidelities.ofChip(chip)).map((layer) => ({ ...layer, chip })),
  }),
);
