import type {
  ComparedEntity,
  ComparedPeriod,
  PeriodComparison as Comparison,
} from '../../src/domain/values/period-comparison.ts';
import type { PeriodPoint as Point } from '../../src/domain/values/period-values.ts';
import { builder } from '../builder.ts';
import { EntityLevelEnum } from '../enums.ts';
import { Chip, Freshness, ParameterStatistics } from '../refs.ts';

/** A part of a comparison with the factor that takes its figures to display scale. */
type Scaled<Part> = { readonly part: Part; readonly scale: number };

const scaled = (value: number | null, scale: number): number | null => value && value * scale;

const PeriodComparisonRow = builder.objectRef<Scaled<ComparedEntity>>('PeriodComparisonRow').implement({
  description: 'One qubit or coupling, one MUX or the chip in both windows, in display scale.',
  fields: (t) => ({
    entity: t.string({
      description: '`Q07`, `Q04-Q01`, `MUX 3`, or the chip.',
      resolve: ({ part }) => part.entity,
    }),
    current: t.float({
      nullable: true,
      description:
        'Value in the window: the latest of a qubit or coupling; of several, the mean over those measured in both windows.',
      resolve: ({ part, scale }) => scaled(part.current, scale),
    }),
    previous: t.float({
      nullable: true,
      description: 'The same in the window before.',
      resolve: ({ part, scale }) => scaled(part.previous, scale),
    }),
    change: t.float({
      nullable: true,
      description: '`current` less `previous`; null unless there is a value in both windows.',
      resolve: ({ part, scale }) => scaled(part.change, scale),
    }),
    changeSigma: t.float({
      nullable: true,
      description: 'The change in standard errors; null where these are not known.',
      resolve: ({ part }) => part.changeSigma,
    }),
    better: t.boolean({
      nullable: true,
      description: 'Whether the change is for the better; null where neither way is.',
      resolve: ({ part }) => part.better,
    }),
    members: t.int({
      description: 'Qubits, or couplings, measured in both windows.',
      resolve: ({ part }) => part.members,
    }),
  }),
});

const PeriodPoint = builder.objectRef<Scaled<Point>>('PeriodPoint').implement({
  description:
    'One calendar day of the lab in a window: the mean over the qubits, or couplings, measured on it.',
  fields: (t) => ({
    elapsedHours: t.float({
      description: 'Hours from the start of the window to the newest result of the day.',
      resolve: ({ part }) => part.elapsedHours,
    }),
    value: t.float({
      description: 'In the unit of the comparison.',
      resolve: ({ part, scale }) => part.value * scale,
    }),
    members: t.int({
      description: 'Qubits, or couplings, measured on that day.',
      resolve: ({ part }) => part.members,
    }),
  }),
});

const PeriodWindow = builder.objectRef<Scaled<ComparedPeriod>>('PeriodWindow').implement({
  description: 'One of the two windows of a comparison.',
  fields: (t) => ({
    from: t.field({ type: 'DateTime', description: 'Its start.', resolve: ({ part }) => part.from }),
    to: t.field({
      type: 'DateTime',
      description: 'Its end, which is not part of it.',
      resolve: ({ part }) => part.to,
    }),
    cooldownIds: t.stringList({
      description: 'Cool-downs that it touches, newest first; values are of the first only.',
      resolve: ({ part }) => [...part.cooldownIds],
    }),
    series: t.field({
      type: [PeriodPoint],
      description: 'A point a day, oldest first.',
      resolve: ({ part, scale }) => part.series.map((point) => ({ part: point, scale })),
    }),
  }),
});

const PeriodComparison = builder.objectRef<Comparison>('PeriodComparison').implement({
  description:
    'One parameter in a window of time against the window before it, in display scale. It is of qubits or of couplings, whichever the parameter is measured on, never of both.',
  fields: (t) => ({
    parameter: t.exposeString('parameter', { description: 'Key of the parameter.' }),
    title: t.exposeString('title', { description: 'Name for people.' }),
    unit: t.exposeString('displayUnit', { description: 'Unit of all values here.' }),
    rows: t.field({
      type: [PeriodComparisonRow],
      complexity: { field: 1, multiplier: 64 },
      description: 'In numeric order; those without any value are there, empty.',
      resolve: ({ rows, scale }) => rows.map((row) => ({ part: row, scale })),
    }),
    total: t.field({
      type: PeriodComparisonRow,
      description: 'All together, whatever the level.',
      resolve: ({ total, scale }) => ({ part: total, scale }),
    }),
    current: t.field({
      type: ParameterStatistics,
      description: 'Figures over all members of the window.',
      resolve: ({ current }) => current.statistics,
    }),
    previous: t.field({
      type: ParameterStatistics,
      description: 'Figures over all members of the window before.',
      resolve: ({ previous }) => previous.statistics,
    }),
    currentWindow: t.field({
      type: PeriodWindow,
      description: 'The window.',
      resolve: ({ current, scale }) => ({ part: current, scale }),
    }),
    previousWindow: t.field({
      type: PeriodWindow,
      description: 'The window before it.',
      resolve: ({ previous, scale }) => ({ part: previous, scale }),
    }),
    freshness: t.expose('freshness', { type: Freshness, description: 'Age of the values of the window.' }),
  }),
});

builder.objectField(Chip, 'comparison', (t) =>
  t.field({
    type: PeriodComparison,
    nullable: true,
    description: 'This window of time, which ends now, against the one before it.',
    args: {
      parameter: t.arg.string({
        description: 'Key of a parameter of qubits, for example `t1`, or of couplings.',
      }),
      windowHours: t.arg.int({ description: 'Length of a window in hours.' }),
      level: t.arg({
        type: EntityLevelEnum,
        required: false,
        defaultValue: 'QUBIT',
        description: 'What a row is about.',
      }),
      qids: t.arg.stringList({
        required: false,
        description:
          'Only these qubits, or couplings; none: all. A direction without values is answered by its twin, under the name of that.',
      }),
    },
    resolve: (chip, { parameter, windowHours, level, qids }, { services }) =>
      services.periodComparisons.get(chip, {
        parameter,
        windowHours,
        level: level ?? 'QUBIT',
        qids: qids ?? null,
      }),
  }),
);
