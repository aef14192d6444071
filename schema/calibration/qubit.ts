import type { GridPosition as Position } from '../../src/domain/chip/topology.ts';
import { builder } from '../builder.ts';
import { NEIGHBORS, partHistoryCost, sizesFor, valuesCost } from '../read-costs.ts';
import { splitWithinChip, withinChip } from '../node-ids.ts';
import { Chip, Coupling, ParameterSeries, ParameterValue, Qubit, TaskResult } from '../refs.ts';
import { neighborsOf, chipOf, couplingsOf } from './chip-parts.ts';

const GridPosition = builder.objectRef<Position>('GridPosition').implement({
  description: 'Position on the drawing grid of a chip, counted from 0 at the top left.',
  fields: (t) => ({
    row: t.exposeInt('row', { description: 'From the top.' }),
    column: t.exposeInt('column', { description: 'From the left.' }),
  }),
});

builder.node(Qubit, {
  rule: 'viewer: project',
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
      description: 'Its chip.',
      resolve: (qubit, _args, context) => chipOf(qubit, context),
    }),
    position: t.expose('position', {
      type: GridPosition,
      nullable: true,
      description: 'Position on the drawing grid; null if neither a topology nor couplings determine it.',
    }),
    parameters: t.field({
      type: [ParameterValue],
      description: 'Current values.',
      complexity: valuesCost('parametersOfQubit'),
      args: {
        names: t.arg.stringList({
          required: false,
          description: 'Only these; names without a value are left out.',
        }),
      },
      resolve: async (qubit, { names }, { loaders }) =>
        (await loaders.qubitParameters.load(qubit)).filter(({ name }) => !names || names.includes(name)),
    }),
    parameter: t.field({
      type: ParameterValue,
      nullable: true,
      description: 'Current value of one parameter; null without a value.',
      args: { name: t.arg.string({ description: 'Key of the parameter, for example `t1`.' }) },
      resolve: async (qubit, args, { loaders }) =>
        (await loaders.qubitParameters.load(qubit)).find(({ name }) => name === args.name) ?? null,
    }),
    couplings: t.field({
      type: [Coupling],
      description: 'Directed couplings of the qubit.',
      complexity: (_args, context) => ({ field: 1, multiplier: sizesFor(context).couplingsOfQubit }),
      resolve: (qubit, _args, context) => couplingsOf(qubit, context),
    }),
    neighbors: t.field({
      type: [Qubit],
      description: 'Coupled qubits, in numeric order.',
      complexity: { field: 1, multiplier: NEIGHBORS },
      resolve: (qubit, _args, context) => neighborsOf(qubit, context),
    }),
    latestTaskResult: t.field({
      type: TaskResult,
      nullable: true,
      description: 'Newest completed, not excluded result of a task; null without one.',
      args: { taskName: t.arg.string({ description: 'Class of the task, for example `CheckT1`.' }) },
      resolve: (qubit, { taskName }, { loaders }) => loaders.latestTaskResult.load({ qubit, taskName }),
    }),
    timeseries: t.field({
      type: ParameterSeries,
      nullable: true,
      description: 'History of one parameter, oldest first; null with an error for an unknown parameter.',
      complexity: partHistoryCost,
      args: {
        parameter: t.arg.string({ description: 'Key of the parameter.' }),
        lastN: t.arg.int({
          required: false,
          defaultValue: 10,
          description: 'Number of newest results, 1 to 200.',
        }),
      },
      resolve: async ({ chipId, qid }, { parameter, lastN }, context) => {
        const key = { kind: 'QUBIT', chipId, qid, parameter, lastN: lastN ?? 10 } as const;
        return { ...(await context.loaders.series.load(key)), chip: await chipOf({ chipId }, context) };
      },
    }),
  }),
});

builder.queryField('qubit', (t) =>
  t.field({
    rule: 'viewer: project',
    type: Qubit,
    nullable: true,
    description: 'A qubit; if it does not exist null, with an error that lists the known ones.',
    args: {
      chipId: t.arg.string({ description: 'Name of the chip.' }),
      qid: t.arg.string({ description: '`7`, `Q7` and `Q07` are the same.' }),
    },
    resolve: async (_root, { chipId, qid }, { loaders, services }) => {
      const chip = await loaders.chipNamed(chipId);
      const [qubit] = services.qubits.pick(chip, await loaders.qubitsOfChip.load(chip), [qid]);
      return qubit;
    },
  }),
);
