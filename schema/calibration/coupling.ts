import { builder } from '../builder.ts';
import { partHistoryCost, valuesCost } from '../read-costs.ts';
import { splitWithinChip, withinChip } from '../node-ids.ts';
import { Chip, Coupling, CouplingSeries, ParameterValue, Qubit } from '../refs.ts';
import { chipOf, qubitOf } from './chip-parts.ts';

builder.node(Coupling, {
  rule: 'viewer: project',
  description: 'A directed pair of coupled qubits; the direction matters for cross-resonance gates.',
  id: { resolve: ({ chipId, couplingId }) => withinChip(chipId, couplingId) },
  loadWithoutCache: async (key, { loaders }) => {
    const parts = splitWithinChip(key);
    const chip = parts && (await loaders.chip.load(parts.chipId));
    const couplings = chip ? await loaders.couplingsOfChip.load(chip) : [];
    return couplings.find(({ couplingId }) => couplingId === parts?.entityId) ?? null;
  },
  fields: (t) => ({
    couplingId: t.exposeString('couplingId', { description: '`control-target`, for example `4-1`.' }),
    chip: t.field({
      type: Chip,
      description: 'Its chip.',
      resolve: (coupling, _args, context) => chipOf(coupling, context),
    }),
    control: t.field({
      type: Qubit,
      description: 'The driven qubit.',
      resolve: async (it, _args, context) => qubitOf(await chipOf(it, context), it.controlQid, context),
    }),
    target: t.field({
      type: Qubit,
      description: 'The qubit that the gate acts on.',
      resolve: async (it, _args, context) => qubitOf(await chipOf(it, context), it.targetQid, context),
    }),
    parameters: t.field({
      type: [ParameterValue],
      description: 'Current values.',
      complexity: valuesCost('parametersOfCoupling'),
      args: {
        names: t.arg.stringList({
          required: false,
          description: 'Only these; names without a value are left out.',
        }),
      },
      resolve: async (coupling, { names }, { loaders }) =>
        (await loaders.couplingParameters.load(coupling)).filter(
          ({ name }) => !names || names.includes(name),
        ),
    }),
    timeseries: t.field({
      type: CouplingSeries,
      nullable: true,
      description: 'History of one parameter, oldest first; null with an error for an unknown parameter.',
      complexity: partHistoryCost,
      args: {
        parameter: t.arg.string({ description: 'Key of the parameter, for example `zx90_gate_fidelity`.' }),
        lastN: t.arg.int({
          required: false,
          defaultValue: 10,
          description: 'Number of newest results, 1 to 200.',
        }),
      },
      resolve: async ({ chipId, couplingId: qid }, { parameter, lastN }, context) => {
        const key = { kind: 'COUPLING', chipId, qid, parameter, lastN: lastN ?? 10 } as const;
        return { ...(await context.loaders.series.load(key)), chip: await chipOf({ chipId }, context) };
      },
    }),
  }),
});

builder.queryField('coupling', (t) =>
  t.field({
    rule: 'viewer: project',
    type: Coupling,
    nullable: true,
    description:
      'A coupling. For a direction without values its opposite is returned; if neither exists null, with an error that lists the known ones.',
    args: {
      chipId: t.arg.string({ description: 'Name of the chip.' }),
      couplingId: t.arg.string({ description: '`control-target`, for example `4-1`.' }),
    },
    resolve: async (_root, { chipId, couplingId }, { loaders, services }) => {
      const chip = await loaders.chipNamed(chipId);
      return services.couplings.find(chip, await loaders.couplingsOfChip.load(chip), couplingId).coupling;
    },
  }),
);
