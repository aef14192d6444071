import type {
  ChipHealth as Health,
  HealthComponent as Component,
} from '../../src/domain/chip/chip-health.ts';
import type { ChipSummary as Summary, OldValues as Old } from '../../src/domain/chip/chip-summary.ts';
import type { PartProblem as DomainProblem } from '../../src/domain/chip/part-problems.ts';
import { builder } from '../builder.ts';
import { VALUES_READ } from '../read-costs.ts';
import { HealthComponentEnum, HealthLabelEnum, MetricScopeEnum, RatingEnum } from '../enums.ts';
import { Chip, Freshness, ParameterStatistics, Qubit, type OfChip } from '../refs.ts';
import { ChipPart } from './chip-part.ts';
import { qubitOf } from './chip-parts.ts';

const Problem = builder.interfaceRef<OfChip<DomainProblem>>('Problem').implement({
  description: 'A value with a rating worse than good.',
  fields: (t) => ({
    parameter: t.exposeString('parameter', { description: 'Key of the parameter.' }),
    title: t.exposeString('title', { description: 'Name of the parameter for people.' }),
    value: t.exposeFloat('value', { description: 'The value in `unit`.' }),
    unit: t.exposeString('unit', { description: 'Unit of `value` and `threshold`.' }),
    rating: t.expose('rating', { type: RatingEnum, description: 'FAIR or BAD.' }),
    threshold: t.exposeFloat('threshold', {
      description: 'The limit it misses, in `unit`: the bad one for BAD values, the good one for FAIR ones.',
    }),
    severity: t.exposeFloat('severity', {
      description:
        'How far past the limits: 0 at the good one, 1 at the bad one; the same scale for all metrics.',
    }),
  }),
});

const QubitProblem = builder.objectRef<OfChip<DomainProblem>>('QubitProblem').implement({
  rule: 'viewer: project',
  description: 'A value of a qubit with a rating worse than good.',
  interfaces: [Problem],
  fields: (t) => ({
    qubit: t.field({
      type: Qubit,
      description: 'The qubit.',
      resolve: ({ chip, qid }, _args, context) => qubitOf(chip, qid, context),
    }),
  }),
});

const PartProblem = builder.objectRef<OfChip<DomainProblem>>('PartProblem').implement({
  rule: 'viewer: project',
  description: 'A value of a qubit or coupling with a rating worse than good.',
  interfaces: [ChipPart, Problem],
});

const HealthComponent = builder.objectRef<Component>('HealthComponent').implement({
  description: 'A part of the health score; the contributions of all add up to it.',
  fields: (t) => ({
    name: t.expose('name', { type: HealthComponentEnum, description: 'What it is.' }),
    count: t.exposeInt('count', { description: 'Values or gates that it is about.' }),
    weight: t.exposeFloat('weight', { description: 'Share of the score that it decides, 0 to 1.' }),
    contribution: t.exposeFloat('contribution', { description: 'What it adds; below 0 what it takes away.' }),
    title: t.exposeString('title', { description: 'In words, for example `532 values of qubits`.' }),
    reason: t.exposeString('reason', { description: 'Why it has this weight.' }),
  }),
});

const ChipHealth = builder.objectRef<OfChip<Health>>('ChipHealth').implement({
  description:
    'Health of a chip: ratings of the current values of its qubits and two-qubit gates, less what is disabled, missing or old.',
  fields: (t) => ({
    score: t.exposeFloat('score', {
      nullable: true,
      description:
        'From 0 to 3: 3 (excellent), 2 (good), 1 (fair) or 0 (bad, disabled, missing) for each rated parameter, half of it for qubits and half for two-qubit gates; old values count less. Null if nothing is rated.',
    }),
    label: t.expose('label', { type: HealthLabelEnum, description: 'The score in one word.' }),
    components: t.field({
      type: [HealthComponent],
      description: 'What the score is made of.',
      resolve: ({ components }) => [...components],
    }),
    excellent: t.exposeInt('excellent', { description: 'Number of values rated EXCELLENT.' }),
    good: t.exposeInt('good', { description: 'Number of values rated GOOD.' }),
    poor: t.exposeInt('poor', { description: 'Number of values rated FAIR or BAD.' }),
    fair: t.exposeInt('fair', { description: 'Number of values rated FAIR.' }),
    bad: t.exposeInt('bad', { description: 'Number of values rated BAD.' }),
    problems: t.field({
      type: [QubitProblem],
      description: 'Values of qubits worse than good, the furthest past their limits first.',
      resolve: ({ chip, problems }) =>
        problems.flatMap((problem) => (problem.kind === 'QUBIT' ? [{ ...problem, chip }] : [])),
    }),
    partProblems: t.field({
      type: [PartProblem],
      description: 'The same of qubits and couplings together.',
      resolve: ({ chip, problems }) => problems.map((problem) => ({ ...problem, chip })),
    }),
  }),
});

const OldValues = builder.objectRef<Old>('OldValues').implement({
  description: 'Current values of one rated parameter that are older than its metric allows.',
  fields: (t) => ({
    kind: t.expose('kind', {
      type: MetricScopeEnum,
      description: 'Whether they are of qubits or couplings.',
    }),
    parameter: t.exposeString('parameter', { description: 'Key of the parameter.' }),
    title: t.exposeString('title', { description: 'Name of the parameter for people.' }),
    count: t.exposeInt('count', { description: 'Number of values.' }),
    oldestAt: t.expose('oldestAt', {
      type: 'DateTime',
      description: 'When the oldest of them was measured.',
    }),
  }),
});

const ChipSummary = builder.objectRef<OfChip<Summary>>('ChipSummary').implement({
  description: 'Statistics of the current values of a chip; all fields use the same values.',
  fields: (t) => ({
    qubitCount: t.exposeInt('qubitCount', { description: 'Number of qubits with data.' }),
    parameters: t.field({
      type: [ParameterStatistics],
      description: 'Statistics of each parameter over qubits, in the order of the catalogue.',
      resolve: ({ parameters }) => [...parameters],
    }),
    couplingCount: t.exposeInt('couplingCount', {
      description: 'Number of directed couplings, without past ones.',
    }),
    couplingParameters: t.field({
      type: [ParameterStatistics],
      description: 'The same over couplings.',
      resolve: ({ couplingParameters }) => [...couplingParameters],
    }),
    health: t.field({
      type: ChipHealth,
      description:
        'Health of the chip by all rated metrics, or only by those in `parameters`. For both, request the summary twice with aliases.',
      resolve: ({ chip, health }) => ({ ...health, chip }),
    }),
    freshness: t.expose('freshness', { type: Freshness, description: 'Age of the values.' }),
    old: t.field({
      type: [OldValues],
      description: 'Rated values older than their metric allows, by parameter; empty if none is.',
      resolve: ({ old }) => [...old],
    }),
  }),
});

builder.objectField(Chip, 'summary', (t) =>
  t.field({
    type: ChipSummary,
    nullable: true,
    description: 'Statistics of its current values; null for a chip without qubits.',
    complexity: VALUES_READ,
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
