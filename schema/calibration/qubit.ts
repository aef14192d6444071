import type { GridPosition as Position } from '../../src/domain/chip/topology.ts';
import { builder } from '../builder.ts';
import { splitWithinChip, withinChip } from '../node-ids.ts';
import { Chip, Coupling, ParameterSeries, ParameterValue, Qubit, TaskResult } from '../refs.ts';
import { neighborsOf, chipOf, couplingsOf } from './chip-parts.ts';

const GridPosition = builder.objectRef<Position>('GridPosition').implement({
  description: 'Place on the drawing grid of a chip, counted from 0 at the top left.',
  fields: (t) => ({
    row: t.exposeInt('row', { description: 'From the top.' }),
    column: t.exposeInt('column', { description: 'From the left.' }),
  }),
});

builder.node(Qubit, {
  description: 'A qubit of a chip.',
  id: { resolve: ({ chipId, qid }) => withinChip(chipId, qid) },
  loadWithoutCache: async (key, { loaders }) => {
    const parts = splitWithinChip(key);
    const chip = parts && (await loaders.chip.load(parts.chipId));
    const qubits = chip ? await loaders.qubitsOfChip.load(chip) : [];
    return qubits.find(({ qid }) => qid === parts?.entityId) ?? null;
  },
  fields: (t) => ({
    qid: t.exposeString('qid', { description: 'Its number on the chip, for example `7`.' }),
    label: t.exposeString('label', {
      description: 'Its number padded to the size of the chip, for example `Q07`.',
    }),
    chip: t.field({
      type: Chip,
      description: 'The chip it is on.',
      resolve: (qubit, _args, context) => chipOf(qubit, context),
    }),
    position: t.expose('position', {
      type: GridPosition,
      nullable: true,
      description: 'Place on the drawing grid; null when neither a topology nor couplings say where it is.',
    }),
    parameters: t.field({
      type: [ParameterValue],
      description: 'Current values.',
      args: {
        names: t.arg.stringList({
          required: false,
          description: 'Only these; names without a value here are left out.',
        }),
      },
      resolve: async (qubit, { names }, { loaders }) =>
        (await loaders.qubitParameters.load(qubit)).filter(({ name }) => !names || names.includes(name)),
    }),
    parameter: t.field({
      type: ParameterValue,
      nullable: true,
      description: 'Current value of one parameter; null when it has none.',
      args: { name: t.arg.string({ description: 'Key of the parameter, for example `t1`.' }) },
      resolve: async (qubit, args, { loaders }) =>
        (await loaders.qubitParameters.load(qubit)).find(({ name }) => name === args.name) ?? null,
    }),
    couplings: t.field({
      type: [Coupling],
      description: 'Directed couplings that it is part of.',
      resolve: (qubit, _args, context) => couplingsOf(qubit, context),
    }),
    neighbors: t.field({
      type: [Qubit],
      description: 'Qubits that it is coupled to, in numeric order.',
      resolve: (qubit, _args, context) => neighborsOf(qubit, context),
    }),
    latestTaskResult: t.field({
      type: TaskResult,
      nullable: true,
      description: 'Newest completed and not excluded result of a task; null when there is none.',
      args: { taskName: t.arg.string({ description: 'Class of the task, for example `CheckT1`.' }) },
      resolve: (qubit, { taskName }, { loaders }) => loaders.latestTaskResult.load({ qubit, taskName }),
    }),
    timeseries: t.field({
      type: ParameterSeries,
      nullable: true,
      description: 'History of one parameter, oldest first.',
      args: {
        parameter: t.arg.string({ description: 'Key of the parameter.' }),
        lastN: t.arg.int({
          required: false,
          defaultValue: 10,
          description: 'Newest so many results, 1 to 200.',
        }),
      },
      resolve: async (qubit, { parameter, lastN }, context) => ({
        chip: await chipOf(qubit, context),
        part: await context.loaders.series.load({
          kind: 'QUBIT',
          chipId: qubit.chipId,
          qid: qubit.qid,
          parameter,
          lastN: lastN ?? 10,
        }),
      }),
    }),
  }),
});

builder.queryField('qubit', (t) =>
  t.field({
    type: Qubit,
    nullable: true,
    description: 'One qubit; null with an error that names the known ones when there is none.',
    args: {
      chipId: t.arg.string({ description: 'Name of the chip.' }),
      qid: t.arg.string({ description: '`7`, `Q7` and `Q07` are the same.' }),
    },
    resolve: async (_root, { chipId, qid }, { services, viewer }) =>
      services.qubits.get(await services.chips.get(viewer, chipId), qid),
  }),
);
