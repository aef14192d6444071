/** A chip as of a point in time, and what changed between two. */
import type {
  ChipChange as Change,
  ChipComparison as Comparison,
  ParameterShift as Shift,
  PartValues,
} from '../../src/domain/chip/chip-comparison.ts';
import { worstChanges } from '../../src/domain/chip/worst-changes.ts';
import type { ChipSnapshot as Snapshot } from '../../src/services/calibration/chip-comparisons.ts';
import { builder } from '../builder.ts';
import { RESULTS_READ } from '../read-costs.ts';
import { ChangeRankingEnum, ChipChangeKindEnum, MetricScopeEnum } from '../enums.ts';
import { Chip, Execution, ParameterValue } from '../refs.ts';
import { chipOf } from './chip-parts.ts';

const PartSnapshot = builder.objectRef<PartValues>('PartSnapshot').implement({
  description: 'A qubit or coupling as of a point in time.',
  fields: (t) => ({
    scope: t.expose('scope', { type: MetricScopeEnum, description: 'Whether it is a qubit or a coupling.' }),
    partId: t.exposeString('qid', { description: 'Its `qid` or `couplingId`.' }),
    label: t.exposeString('label', { description: 'Name for people, for example `Q07`.' }),
    parameters: t.field({
      type: [ParameterValue],
      complexity: { field: 1, multiplier: 20 },
      description:
        'Of each parameter the value that was current then, in the order of the catalogue; rated and aged as of then.',
      resolve: ({ parameters }) => [...parameters],
    }),
  }),
});

const ChipChange = builder.objectRef<Change>('ChipChange').implement({
  description:
    'A change of a part or of one of its values between two points in time. Numbers are in display scale.',
  fields: (t) => ({
    kind: t.expose('kind', { type: ChipChangeKindEnum, description: 'What happened.' }),
    scope: t.expose('scope', { type: MetricScopeEnum, description: 'Whether it is a qubit or a coupling.' }),
    partId: t.exposeString('qid', { description: 'Its `qid` or `couplingId`, at the later time.' }),
    label: t.exposeString('label', { description: 'Name for people, for example `Q07`.' }),
    parameter: t.exposeString('parameter', {
      nullable: true,
      description: 'Key of the parameter; null where the part itself appeared or disappeared.',
    }),
    title: t.exposeString('title', { nullable: true, description: 'Name of the parameter for people.' }),
    unit: t.exposeString('unit', { nullable: true, description: 'Unit of `difference`.' }),
    before: t.expose('before', {
      type: ParameterValue,
      nullable: true,
      description: 'The value at the earlier time; null if there was none.',
    }),
    after: t.expose('after', {
      type: ParameterValue,
      nullable: true,
      description: 'The value at the later time; null for a part that appeared or disappeared.',
    }),
    difference: t.exposeFloat('difference', {
      nullable: true,
      description: 'Later minus earlier value; null unless both are numbers.',
    }),
    sigma: t.exposeFloat('sigma', {
      nullable: true,
      description: 'The difference in standard errors of both values combined; null if these are unknown.',
    }),
    better: t.exposeBoolean('better', {
      nullable: true,
      description: 'Whether the change is an improvement; null if neither direction is better.',
    }),
  }),
});

const ParameterShift = builder.objectRef<Shift>('ParameterShift').implement({
  description:
    'What happened to a parameter between two points in time, over all parts that have it. Numbers are in display scale.',
  fields: (t) => ({
    scope: t.expose('scope', { type: MetricScopeEnum, description: 'Whether it is of qubits or couplings.' }),
    parameter: t.exposeString('parameter', { description: 'Its key.' }),
    title: t.exposeString('title', { description: 'Name for people.' }),
    unit: t.exposeString('unit', { description: 'Unit of the medians.' }),
    compared: t.exposeInt('compared', { description: 'Parts with a current number at both times.' }),
    moved: t.exposeInt('moved', { description: 'Of these, parts whose number differs.' }),
    notRemeasured: t.exposeInt('notRemeasured', {
      description: 'Of these, parts with the same result at both times: nothing was measured in between.',
    }),
    better: t.exposeInt('better', { description: 'Parts whose value improved.' }),
    worse: t.exposeInt('worse', { description: 'Parts whose value got worse.' }),
    significant: t.exposeInt('significant', {
      nullable: true,
      description: 'Parts that moved by more than three standard errors; null where no errors are recorded.',
    }),
    disabled: t.exposeInt('disabled', { description: 'Parts that were disabled.' }),
    enabled: t.exposeInt('enabled', { description: 'Parts that were enabled again.' }),
    appeared: t.exposeInt('appeared', {
      description: 'Parts that have the parameter only at the later time.',
    }),
    medianBefore: t.exposeFloat('medianBefore', {
      nullable: true,
      description: 'Median over the compared parts at the earlier time; null without any.',
    }),
    medianAfter: t.exposeFloat('medianAfter', {
      nullable: true,
      description: 'The same at the later time.',
    }),
  }),
});

const ChipComparison = builder.objectRef<Comparison>('ChipComparison').implement({
  description: 'A chip as of one point in time against the same chip as of a later one.',
  fields: (t) => ({
    from: t.expose('from', { type: 'DateTime', description: 'The earlier point in time.' }),
    to: t.expose('to', { type: 'DateTime', description: 'The later one.' }),
    partsBefore: t.exposeInt('partsBefore', { description: 'Qubits and couplings with values at `from`.' }),
    partsAfter: t.exposeInt('partsAfter', { description: 'Qubits and couplings with values at `to`.' }),
    parameters: t.field({
      type: [ParameterShift],
      complexity: { field: 1, multiplier: 20 },
      description: 'A summary of each parameter: those of qubits, then those of couplings.',
      resolve: ({ parameters }) => [...parameters],
    }),
    changes: t.field({
      type: [ChipChange],
      complexity: { field: 1, multiplier: 100 },
      args: {
        kinds: t.arg({ type: [ChipChangeKindEnum], required: false, description: 'Only these kinds.' }),
        worseBy: t.arg({
          type: ChangeRankingEnum,
          required: false,
          description: 'Only what got worse by a known size, over all parameters, the largest first.',
        }),
        first: t.arg.int({
          required: false,
          defaultValue: 100,
          description: 'At most so many of what is left, 1 to 1,000.',
        }),
      },
      description:
        'By kind, then parameter; differences of a parameter by size, greatest first, and everything else in numeric order. With `worseBy` in its order.',
      resolve: ({ changes }, { kinds, worseBy, first }) => {
        const ordered = worseBy ? worstChanges(changes, worseBy) : changes;
        const wanted = kinds ? ordered.filter(({ kind }) => kinds.includes(kind)) : ordered;
        return wanted.slice(0, Math.min(Math.max(first ?? 100, 1), 1000));
      },
    }),
  }),
});

const ChipSnapshot = builder.objectRef<Snapshot>('ChipSnapshot').implement({
  description: 'A chip as of a point in time: of each value the newest until then.',
  fields: (t) => ({
    at: t.expose('at', { type: 'DateTime', description: 'The point in time.' }),
    chip: t.expose('chip', { type: Chip, description: 'The chip, as it is now.' }),
    parts: t.field({
      type: [PartSnapshot],
      complexity: { field: 1, multiplier: 64 },
      description: 'Qubits, then couplings, in numeric order; only those that had a value.',
      resolve: ({ parts }) => [...parts],
    }),
  }),
});

builder.objectFields(Chip, (t) => {
  const selection = {
    parameters: t.arg.stringList({ required: false, description: 'Keys of parameters; omit it for all.' }),
    qids: t.arg.stringList({
      required: false,
      description: 'Only these qubits and couplings; omit it for all.',
    }),
  };
  return {
    asOf: t.field({
      type: ChipSnapshot,
      description: 'The chip as of a point in time.',
      complexity: RESULTS_READ,
      args: { at: t.arg({ type: 'DateTime', description: 'Not in the future.' }), ...selection },
      resolve: (chip, { at, ...which }, { services }) => services.chipComparisons.asOf(chip, at, which),
    }),
    changes: t.field({
      type: ChipComparison,
      description: 'What changed on the chip between two points in time.',
      complexity: 2 * RESULTS_READ,
      args: {
        from: t.arg({ type: 'DateTime', description: 'The earlier one.' }),
        to: t.arg({ type: 'DateTime', required: false, description: 'The later one; now if omitted.' }),
        ...selection,
      },
      resolve: (chip, args, { services }) => services.chipComparisons.compare(chip, args),
    }),
  };
});

builder.objectField(Execution, 'snapshot', (t) =>
  t.field({
    type: ChipSnapshot,
    nullable: true,
    description: 'The chip as the execution left it; null until it has ended.',
    complexity: RESULTS_READ,
    resolve: async (execution, _args, context) =>
      execution.endAt &&
      context.services.chipComparisons.asOf(await chipOf(execution, context), execution.endAt),
  }),
);
