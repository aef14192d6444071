import type { SeriesPoint as Point } from '../src/domain/chip-timeseries.ts';
import { builder } from './builder.ts';
import { qubitOf } from './chip-parts.ts';
import { TrendEnum } from './enums.ts';
import { Chip, ChipTimeseries, ParameterSeries, ParameterStatistics, Qubit } from './refs.ts';

const SeriesPoint = builder.objectRef<Point>('SeriesPoint').implement({
  description: 'One measured value.',
  fields: (t) => ({
    at: t.expose('at', { type: 'DateTime', description: 'When the run ended, else when it started.' }),
    value: t.exposeFloat('displayValue', { description: 'In the unit of the series.' }),
    error: t.exposeFloat('displayError', {
      nullable: true,
      description: 'Standard error in the unit of the series; null when none was recorded.',
    }),
    taskId: t.exposeString('taskId', { nullable: true, description: 'The task result it came from.' }),
    executionId: t.exposeString('executionId', {
      nullable: true,
      description: 'The execution it came from.',
    }),
  }),
});

const scaled = (value: number | null, scale: number): number | null => value && value * scale;

ParameterSeries.implement({
  description: 'History of one parameter of one qubit, in display scale.',
  fields: (t) => ({
    qubit: t.field({
      type: Qubit,
      description: 'The qubit.',
      resolve: ({ chip, part }, _args, context) => qubitOf(chip, part.qid, context),
    }),
    unit: t.string({ description: 'Unit of all values here.', resolve: ({ part }) => part.displayUnit }),
    points: t.field({
      type: [SeriesPoint],
      description: 'Oldest first.',
      resolve: ({ part }) => [...part.points],
    }),
    latest: t.float({
      nullable: true,
      description: 'Newest value in `unit`.',
      resolve: ({ part }) => scaled(part.latest, part.scale),
    }),
    min: t.float({
      nullable: true,
      description: 'Smallest value in `unit`.',
      resolve: ({ part }) => scaled(part.min, part.scale),
    }),
    max: t.float({
      nullable: true,
      description: 'Largest value in `unit`.',
      resolve: ({ part }) => scaled(part.max, part.scale),
    }),
    mean: t.float({
      nullable: true,
      description: 'Mean in `unit`.',
      resolve: ({ part }) => scaled(part.mean, part.scale),
    }),
    trend: t.field({
      type: TrendEnum,
      nullable: true,
      description: 'Which way it goes; null below two points.',
      resolve: ({ part }) => part.trend,
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

builder.objectField(Chip, 'timeseries', (t) =>
  t.field({
    type: ChipTimeseries,
    nullable: true,
    description: 'History of one parameter; null with an error when the chip never had it.',
    args: {
      parameter: t.arg.string({ description: 'Key of the parameter, for example `t1`.' }),
      qids: t.arg.stringList({ required: false, description: 'Only these qubits; none: all.' }),
      lastN: t.arg.int({
        required: false,
        defaultValue: 10,
        description: 'Newest so many results of each qubit, 1 to 200.',
      }),
      from: t.arg({ type: 'DateTime', required: false, description: 'Measured at this moment or later.' }),
      to: t.arg({ type: 'DateTime', required: false, description: 'Measured before this moment.' }),
    },
    resolve: async (chip, { parameter, qids, lastN, from, to }, { loaders }) => ({
      chip,
      part: await loaders.chipTimeseries.load({
        chip,
        parameter,
        qids: qids ?? null,
        lastN: lastN ?? 10,
        from: from ?? null,
        to: to ?? null,
      }),
    }),
  }),
);
