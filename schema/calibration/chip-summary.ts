import type { ChipHealth as Health, QubitProblem as Problem } from '../../src/domain/chip/chip-health.ts';
import type { ChipSummary as Summary } from '../../src/domain/chip/chip-summary.ts';
import { builder } from '../builder.ts';
import { HealthLabelEnum, RatingEnum } from '../enums.ts';
import { Chip, Freshness, ParameterStatistics, Qubit, type OfChip } from '../refs.ts';
import { qubitOf } from './chip-parts.ts';

const QubitProblem = builder.objectRef<OfChip<Problem>>('QubitProblem').implement({
  description: 'A value with a rating worse than good.',
  fields: (t) => ({
    qubit: t.field({
      type: Qubit,
      description: 'The qubit.',
      resolve: ({ chip, qid }, _args, context) => qubitOf(chip, qid, context),
    }),
    parameter: t.exposeString('parameter', { description: 'Key of the parameter.' }),
    value: t.exposeFloat('value', { description: 'The value in `unit`.' }),
    unit: t.exposeString('unit', { description: 'Unit of `value` and `threshold`.' }),
    rating: t.expose('rating', { type: RatingEnum, description: 'FAIR or BAD.' }),
    threshold: t.exposeFloat('threshold', {
      description: 'The limit it misses, in `unit`: the bad one for BAD values, the good one for FAIR ones.',
    }),
  }),
});

const ChipHealth = builder.objectRef<OfChip<Health>>('ChipHealth').implement({
  description: 'Health of a chip, from the ratings of its current values.',
  fields: (t) => ({
    score: t.exposeFloat('score', {
      nullable: true,
      description:
        'Mean of 3 (excellent), 2 (good) and 1 (poor) over all rated values; null if none is rated.',
    }),
    label: t.expose('label', { type: HealthLabelEnum, description: 'The score in one word.' }),
    excellent: t.exposeInt('excellent', { description: 'Number of values rated EXCELLENT.' }),
    good: t.exposeInt('good', { description: 'Number of values rated GOOD.' }),
    poor: t.exposeInt('poor', { description: 'Number of values rated FAIR or BAD.' }),
    problems: t.field({
      type: [QubitProblem],
      description: 'BAD before FAIR, then by qubit and parameter.',
      resolve: ({ chip, problems }) => problems.map((problem) => ({ ...problem, chip })),
    }),
  }),
});

const ChipSummary = builder.objectRef<OfChip<Summary>>('ChipSummary').implement({
  description: 'Statistics of the current values of a chip; all fields use the same values.',
  fields: (t) => ({
    qubitCount: t.exposeInt('qubitCount', { description: 'Number of qubits with data.' }),
    parameters: t.field({
      type: [ParameterStatistics],
      description: 'Statistics of each parameter, in the order of the catalogue.',
      resolve: ({ parameters }) => [...parameters],
    }),
    health: t.field({
      type: ChipHealth,
      description:
        'Health of the chip by all rated metrics, or only by those in `parameters`. For both, request the summary twice with aliases.',
      resolve: ({ chip, health }) => ({ ...health, chip }),
    }),
    freshness: t.expose('freshness', { type: Freshness, description: 'Age of the values.' }),
  }),
});

builder.objectField(Chip, 'summary', (t) =>
  t.field({
    type: ChipSummary,
    nullable: true,
    description: 'Statistics of its current values; null for a chip without qubits.',
    args: {
      parameters: t.arg.stringList({
        required: false,
        description: 'Only these parameters, in all fields; omit it for all that have values.',
      }),
    },
    resolve: async (chip, { parameters }, { loaders }) => {
      const summary = await loaders.chipSummary.load({ chip, parameters: parameters ?? null });
      return summary && { ...summary, chip };
    },
  }),
);
