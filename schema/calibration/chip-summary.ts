import type { ChipHealth as Health, QubitProblem as Problem } from '../../src/domain/chip/chip-health.ts';
import type { ChipSummary as Summary } from '../../src/domain/chip/chip-summary.ts';
import { builder } from '../builder.ts';
import { HealthLabelEnum, RatingEnum } from '../enums.ts';
import { Chip, Freshness, ParameterStatistics, Qubit, type OfChip } from '../refs.ts';
import { qubitOf } from './chip-parts.ts';

const QubitProblem = builder.objectRef<OfChip<Problem>>('QubitProblem').implement({
  description: 'A rated value that is worse than good.',
  fields: (t) => ({
    qubit: t.field({
      type: Qubit,
      description: 'The qubit it is about.',
      resolve: ({ chip, part }, _args, context) => qubitOf(chip, part.qid, context),
    }),
    parameter: t.string({ description: 'Key of the parameter.', resolve: ({ part }) => part.parameter }),
    value: t.float({ description: 'The value in `unit`.', resolve: ({ part }) => part.value }),
    unit: t.string({ description: 'Unit of `value` and `threshold`.', resolve: ({ part }) => part.unit }),
    rating: t.field({ type: RatingEnum, description: 'FAIR or BAD.', resolve: ({ part }) => part.rating }),
    threshold: t.float({
      description: 'The limit it misses, in `unit`: the bad one for BAD values, the good one for FAIR ones.',
      resolve: ({ part }) => part.threshold,
    }),
  }),
});

const ChipHealth = builder.objectRef<OfChip<Health>>('ChipHealth').implement({
  description: 'How well a chip is, from the ratings of current values.',
  fields: (t) => ({
    score: t.float({
      nullable: true,
      description:
        'Mean of 3 (excellent), 2 (good) and 1 (poor) over all rated values; null when none is rated.',
      resolve: ({ part }) => part.score,
    }),
    label: t.field({
      type: HealthLabelEnum,
      description: 'The score in a word.',
      resolve: ({ part }) => part.label,
    }),
    excellent: t.int({
      description: 'Rated values that are EXCELLENT.',
      resolve: ({ part }) => part.excellent,
    }),
    good: t.int({ description: 'Rated values that are GOOD.', resolve: ({ part }) => part.good }),
    poor: t.int({ description: 'Rated values that are FAIR or BAD.', resolve: ({ part }) => part.poor }),
    problems: t.field({
      type: [QubitProblem],
      description: 'BAD before FAIR, then by qubit and parameter.',
      resolve: ({ chip, part }) => part.problems.map((problem) => ({ chip, part: problem })),
    }),
  }),
});

const ChipSummary = builder.objectRef<OfChip<Summary>>('ChipSummary').implement({
  description: 'Current values of a chip as figures; all of it is made from the same values.',
  fields: (t) => ({
    qubitCount: t.int({ description: 'Qubits of the chip.', resolve: ({ part }) => part.qubitCount }),
    parameters: t.field({
      type: [ParameterStatistics],
      description: 'Figures for each parameter, in the order of the catalogue.',
      resolve: ({ part }) => [...part.parameters],
    }),
    health: t.field({
      type: ChipHealth,
      description:
        'How well the chip is by the values of this summary: of all rated metrics, or with `parameters` of these alone. For both, ask twice under two names.',
      resolve: ({ chip, part }) => ({ chip, part: part.health }),
    }),
    freshness: t.field({
      type: Freshness,
      description: 'Age of the values.',
      resolve: ({ part }) => part.freshness,
    }),
  }),
});

builder.objectField(Chip, 'summary', (t) =>
  t.field({
    type: ChipSummary,
    nullable: true,
    description: 'Its current values as figures; null for a chip without qubits.',
    args: {
      parameters: t.arg.stringList({
        required: false,
        description: 'Only these, in figures, health and age alike; none: all that have values.',
      }),
    },
    resolve: async (chip, { parameters }, { loaders }) => {
      const summary = await loaders.chipSummary.load({ chip, parameters: parameters ?? null });
      return summary && { chip, part: summary };
    },
  }),
);
