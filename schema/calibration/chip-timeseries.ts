import type { Chip as DomainChip } from '../../src/domain/chip/chip.ts';
import type { MetricScope } from '../../src/domain/values/metric.ts';
import { builder } from '../builder.ts';
import type { GraphQLContext } from '../context.ts';
import {
  Chip,
  ChipTimeseries,
  Coupling,
  CouplingSeries,
  CouplingTimeseries,
  ParameterSeries,
  ParameterStatistics,
  Qubit,
  Series,
} from '../refs.ts';
import { couplingOf, qubitOf } from './chip-parts.ts';

ParameterSeries.implement({
  description: 'History of one parameter of one qubit, in display scale.',
  interfaces: [Series],
  fields: (t) => ({
    qubit: t.field({
      type: Qubit,
      description: 'The qubit.',
      resolve: ({ chip, part }, _args, context) => qubitOf(chip, part.qid, context),
    }),
  }),
});

CouplingSeries.implement({
  description: 'History of one parameter of one coupling in its direction, in display scale.',
  interfaces: [Series],
  fields: (t) => ({
    coupling: t.field({
      type: Coupling,
      description: 'The coupling.',
      resolve: ({ chip, part }, _args, context) => couplingOf(chip, part.qid, context),
    }),
  }),
});

ChipTimeseries.implement({
  description: 'History of one parameter over qubits of a chip, in display scale.',
  fields: (t) => ({
    parameter: t.string({ description: 'Key of the parameter.', resolve: ({ part }) => part.parameter }),
    unit: t.string({ description: 'Unit of all values here.', resolve: ({ part }) => part.displayUnit }),
    series: t.field({
      type: [ParameterSeries],
      complexity: { field: 1, multiplier: 64 },
      description:
        'One a qubit, in numeric order or in the order of `qids`; qubits without a value are there, empty.',
      resolve: ({ chip, part }) => part.series.map((series) => ({ chip, part: series })),
    }),
    statistics: t.field({
      type: ParameterStatistics,
      description: 'Figures over the newest value of each qubit.',
      resolve: ({ part }) => part.statistics,
    }),
  }),
});

CouplingTimeseries.implement({
  description: 'History of one parameter over couplings of a chip, in display scale.',
  fields: (t) => ({
    parameter: t.string({ description: 'Key of the parameter.', resolve: ({ part }) => part.parameter }),
    unit: t.string({ description: 'Unit of all values here.', resolve: ({ part }) => part.displayUnit }),
    series: t.field({
      type: [CouplingSeries],
      complexity: { field: 1, multiplier: 64 },
      description:
        'One a coupling, in numeric order or in the order of `couplingIds`; couplings without a value are there, empty. Of a direction without values its twin answers.',
      resolve: ({ chip, part }) => part.series.map((series) => ({ chip, part: series })),
    }),
    statistics: t.field({
      type: ParameterStatistics,
      description: 'Figures over the newest value of each coupling.',
      resolve: ({ part }) => part.statistics,
    }),
  }),
});

builder.objectFields(Chip, (t) => {
  const window = {
    lastN: t.arg.int({
      required: false,
      defaultValue: 10,
      description: 'Newest so many results of each, 1 to 200.',
    }),
    from: t.arg({ type: 'DateTime', required: false, description: 'Measured at this moment or later.' }),
    to: t.arg({ type: 'DateTime', required: false, description: 'Measured before this moment.' }),
  };
  return {
    timeseries: t.field({
      type: ChipTimeseries,
      nullable: true,
      description:
        'History of one parameter of qubits; null with an error when the chip never had it or it is of couplings.',
      args: {
        parameter: t.arg.string({ description: 'Key of the parameter, for example `t1`.' }),
        qids: t.arg.stringList({ required: false, description: 'Only these qubits; none: all.' }),
        ...window,
      },
      resolve: (chip, { qids, ...args }, context) => history(chip, 'QUBIT', { ...args, qids }, context),
    }),
    couplingTimeseries: t.field({
      type: CouplingTimeseries,
      nullable: true,
      description:
        'History of one parameter of couplings; null with an error when the chip never had it or it is of qubits.',
      args: {
        parameter: t.arg.string({ description: 'Key of the parameter, for example `zx90_gate_fidelity`.' }),
        couplingIds: t.arg.stringList({ required: false, description: 'Only these couplings; none: all.' }),
        ...window,
      },
      resolve: (chip, { couplingIds, ...args }, context) =>
        history(chip, 'COUPLING', { ...args, qids: couplingIds }, context),
    }),
  };
});

type HistoryArgs = {
  readonly parameter: string;
  readonly qids?: readonly string[] | null | undefined;
  readonly lastN?: number | null | undefined;
  readonly from?: Date | null | undefined;
  readonly to?: Date | null | undefined;
};

async function history(
  chip: DomainChip,
  kind: MetricScope,
  { parameter, qids, lastN, from, to }: HistoryArgs,
  { loaders }: GraphQLContext,
) {
  const part = await loaders.chipTimeseries.load({
    chip,
    kind,
    parameter,
    qids: qids ?? null,
    lastN: lastN ?? 10,
    from: from ?? null,
    to: to ?? null,
  });
  return { chip, part };
}
