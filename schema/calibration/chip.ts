import { builder } from '../builder.ts';
import { Chip, Coupling, Qubit } from '../refs.ts';

/** Cost of a list of all qubits or couplings of a chip, for the limit on operations. */
const CHIP_LIST = { field: 1, multiplier: 64 };

builder.node(Chip, {
  description: 'A quantum chip of the project of the request.',
  id: { resolve: ({ chipId }) => chipId },
  loadWithoutCache: (chipId, { loaders }) => loaders.chip.load(chipId),
  fields: (t) => ({
    chipId: t.exposeString('chipId', { description: 'Its name in the lab.' }),
    size: t.exposeInt('size', { description: 'Number of qubits it is said to have.' }),
    installedAt: t.expose('installedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was installed; null when unknown.',
    }),
    qubits: t.field({
      type: [Qubit],
      complexity: CHIP_LIST,
      description: 'Its qubits in numeric order, or those asked for in the order asked for.',
      args: {
        qids: t.arg.stringList({
          required: false,
          description: '`7`, `Q7` and `Q07` are the same; none: all.',
        }),
      },
      resolve: async (chip, { qids }, { loaders, services }) =>
        qids
          ? [...(await services.qubits.getMany(chip, qids))]
          : [...(await loaders.qubitsOfChip.load(chip))],
    }),
    couplings: t.field({
      type: [Coupling],
      complexity: CHIP_LIST,
      description: 'Its directed couplings; the empty twin of a direction that has values is left out.',
      resolve: async (chip, _args, { loaders }) => [...(await loaders.couplingsOfChip.load(chip))],
    }),
    parameterNames: t.stringList({
      description: 'Sorted names of every parameter that was ever set.',
      args: {
        qid: t.arg.string({ required: false, description: 'Only of this qubit or coupling.' }),
      },
      resolve: async (chip, { qid }, { services }) => [
        ...(await services.parameterNames.list(chip, qid ?? null)),
      ],
    }),
  }),
});

builder.subscriptionField('chipUpdated', (t) =>
  t.field({
    type: Chip,
    description:
      'The chip, each time that a newer result, import or note has arrived, within a few seconds. What it was before is not sent: read it once the stream is open.',
    args: { chipId: t.arg.string({ description: 'Its name in the lab.' }) },
    subscribe: (_root, { chipId }, { services, viewer, signal }) =>
      services.chipUpdates.follow(viewer, chipId, signal),
    resolve: (chip) => chip,
  }),
);

builder.queryFields((t) => ({
  chips: t.field({
    type: [Chip],
    description: 'Chips of the project of the request, newest installation first.',
    resolve: async (_root, _args, { services, viewer }) => [...(await services.chips.list(viewer))],
  }),
  chip: t.field({
    type: Chip,
    nullable: true,
    description:
      'One chip by name; null with an error that names the known ones when there is none of that name.',
    args: { chipId: t.arg.string({ description: 'Its name in the lab.' }) },
    resolve: (_root, { chipId }, { services, viewer }) => services.chips.get(viewer, chipId),
  }),
}));
