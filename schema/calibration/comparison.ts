import type {
  ComparedEntity,
  ComparedPeriod,
  PeriodComparison as Comparison,
} from '../../src/domain/values/period-comparison.ts';
import type { PeriodPoint as Point } from '../../src/domain/values/period-values.ts';
import { builder } from '../builder.ts';
import { RESULTS_READ } from '../read-costs.ts';
import { EntityLevelEnum } from '../enums.ts';
import { Chip, Freshness, ParameterStatistics } from '../refs.ts';

/** A part of a comparison, with the factor from its values to display scale. */
type Scaled<Part> = Part & { readonly scale: number };

const scaled = (value: number | null, scale: number): number | null => value && value * scale;

const PeriodComparisonRow = builder.objectRef<Scaled<ComparedEntity>>('PeriodComparisonRow').implement({
  description: 'A qubit, coupling, MUX or the whole chip in both windows, in display scale.',
  fields: (t) => ({
    entity: t.exposeString('entity', { description: '`Q07`, `Q04-Q01`, `MUX 3`, or the chip.' }),
    current: t.float({
      nullable: true,
      description:
        'Latest value in the window; for several entities the mean over those measured in both windows. Null without a value.',
      resolve: ({ current, scale }) => scaled(current, scale),
    }),
    previous: t.float({
      nullable: true,
      description: 'The same in the earlier window; null without a value.',
      resolve: ({ previous, scale }) => scaled(previous, scale),
    }),
    change: t.float({
      nullable: true,
      description: '`current` minus `previous`; null unless both have a value.',
      resolve: ({ change, scale }) => scaled(change, scale),
    }),
    changeSigma: t.exposeFloat('changeSigma', {
      nullable: true,
      description: 'The change in standard errors; null if these are unknown.',
    }),
    better: t.exposeBoolean('better', {
      nullable: true,
      description: 'Whether the change is an improvement; null if neither direction is better.',
    }),
    members: t.exposeInt('members', {
      description: 'Number of qubits or couplings measured in both windows.',
    }),
  }),
});

const PeriodPoint = builder.objectRef<Scaled<Point>>('PeriodPoint').implement({
  description:
    'A calendar day of the lab in a window: the mean over the qubits or couplings measured on that day.',
  fields: (t) => ({
    elapsedHours: t.exposeFloat('elapsedHours', {
      description: 'Hours from the start of the window to the newest result of the day.',
    }),
    value: t.float({
      description: 'In the unit of the comparison.',
      resolve: ({ value, scale }) => value * scale,
    }),
    members: t.exposeInt('members', { description: 'Number of qubits or couplings measured on that day.' }),
  }),
});

const PeriodWindow = builder.objectRef<Scaled<ComparedPeriod>>('PeriodWindow').implement({
  description: 'One of the two windows of a comparison.',
  fields: (t) => ({
    from: t.expose('from', { type: 'DateTime', description: 'Its start, inclusive.' }),
    to: t.expose('to', { type: 'DateTime', description: 'Its end, exclusive.' }),
    cooldownIds: t.stringList({
      description: 'Cool-downs in the window, newest first; values are only from the first.',
      resolve: ({ cooldownIds }) => [...cooldownIds],
    }),
    series: t.field({
      type: [PeriodPoint],
      description: 'One point per day, oldest first.',
      resolve: ({ series, scale }) => series.map((point) => ({ ...point, scale })),
    }),
  }),
});

const PeriodComparison = builder.objectRef<Comparison>('PeriodComparison').implement({
  description:
    'A parameter in a window of time compared with an earlier one, in display scale: over qubits or couplings, whichever it is measured on.',
  fields: (t) => ({
    parameter: t.exposeString('parameter', { description: 'Key of the parameter.' }),
    title: t.exposeString('title', { description: 'Name for people.' }),
    unit: t.exposeString('displayUnit', { description: 'Unit of all values here.' }),
    rows: t.field({
      type: [PeriodComparisonRow],
      complexity: { field: 1, multiplier: 64 },
      description: 'In numeric order, including entities without a value.',
      resolve: ({ rows, scale }) => rows.map((row) => ({ ...row, scale })),
    }),
    total: t.field({
      type: PeriodComparisonRow,
      description: 'All entities together, at any level.',
      resolve: ({ total, scale }) => ({ ...total, scale }),
    }),
    current: t.field({
      type: ParameterStatistics,
      description: 'Statistics of the window.',
      resolve: ({ current }) => current.statistics,
    }),
    previous: t.field({
      type: ParameterStatistics,
      description: 'Statistics of the earlier window.',
      resolve: ({ previous }) => previous.statistics,
    }),
    currentWindow: t.field({
      type: PeriodWindow,
      description: 'The window.',
      resolve: ({ current, scale }) => ({ ...current, scale }),
    }),
    previousWindow: t.field({
      type: PeriodWindow,
      description: 'The earlier window.',
      resolve: ({ previous, scale }) => ({ ...previous, scale }),
    }),
    freshness: t.expose('freshness', { type: Freshness, description: 'Age of the values of the window.' }),
  }),
});

builder.objectField(Chip, 'comparison', (t) =>
  t.field({
    type: PeriodComparison,
    nullable: true,
    description:
      'A parameter in a window of time, compared with an earlier window of the same length: by default the window that ends now and the one before it.',
    complexity: 2 * RESULTS_READ,
    args: {
      parameter: t.arg.string({
        description: 'Key of a qubit parameter, for example `t1`, or of a coupling parameter.',
      }),
      windowHours: t.arg.int({ description: 'Length of each window in hours.' }),
      to: t.arg({ type: 'DateTime', required: false, description: 'End of the window; now if omitted.' }),
      previousTo: t.arg({
        type: 'DateTime',
        required: false,
        description: 'End of the earlier window; the start of the window if omitted.',
      }),
      level: t.arg({
        type: EntityLevelEnum,
        required: false,
        defaultValue: 'QUBIT',
        description: 'What each row describes.',
      }),
      qids: t.arg.stringList({
        required: false,
        description:
          'Only these qubits or couplings; omit it for all. A direction without values is replaced by its opposite, under the name of the latter.',
      }),
    },
    resolve: (chip, { parameter, windowHours, to, previousTo, level, qids }, { services }) =>
      services.periodComparisons.get(chip, {
        parameter,
        windowHours,
        to: to ?? null,
        previous: previousTo ? { to: previousTo } : null,
        level: level ?? 'QUBIT',
        qids: qids ?? null,
      }),
  }),
);
