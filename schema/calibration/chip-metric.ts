import type { ChipMetric as DomainMetric, QubitValue as Value } from '../../src/domain/chip/chip-metric.ts';
import { builder } from '../builder.ts';
import { MetricSelectionEnum, RatingEnum } from '../enums.ts';
import { Chart, Chip, Freshness, ParameterStatistics, Qubit, type OfChip } from '../refs.ts';
import { heatmapKey } from './chart.ts';
import { qubitOf } from './chip-parts.ts';

const QubitValue = builder.objectRef<OfChip<Value>>('QubitValue').implement({
  description: 'The reduced value of one qubit.',
  fields: (t) => ({
    qubit: t.field({
      type: Qubit,
      description: 'The qubit.',
      resolve: ({ chip, part }, _args, context) => qubitOf(chip, part.qid, context),
    }),
    value: t.float({
      nullable: true,
      description: 'In the unit of the metric; null when there is no usable result.',
      resolve: ({ part }) => part.displayValue,
    }),
    rating: t.field({
      type: RatingEnum,
      nullable: true,
      description: 'How good it is.',
      resolve: ({ part }) => part.rating,
    }),
    measuredAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it was measured; for AVERAGE the newest result.',
      resolve: ({ part }) => part.measuredAt,
    }),
    taskId: t.string({
      nullable: true,
      description: 'The task result it came from; null for AVERAGE.',
      resolve: ({ part }) => part.taskId,
    }),
  }),
});

const ChipMetric = builder.objectRef<OfChip<DomainMetric>>('ChipMetric').implement({
  description: 'One metric over all qubits of a chip.',
  fields: (t) => ({
    name: t.string({ description: 'Key of the metric.', resolve: ({ part }) => part.metric.name }),
    title: t.string({ description: 'Name for people.', resolve: ({ part }) => part.metric.title }),
    unit: t.string({ description: 'Unit of all values here.', resolve: ({ part }) => part.metric.unit }),
    values: t.field({
      type: [QubitValue],
      complexity: { field: 1, multiplier: 64 },
      description: 'One row a qubit in numeric order, qubits without a value included.',
      resolve: ({ chip, part }) => part.values.map((value) => ({ chip, part: value })),
    }),
    statistics: t.field({
      type: ParameterStatistics,
      description: 'Figures over the values.',
      resolve: ({ part }) => part.statistics,
    }),
    heatmap: t.field({
      type: Chart,
      description: 'The values on the grid of the chip.',
      resolve: ({ chip, part }) => ({ key: heatmapKey(chip, part), callId: null, spec: part.heatmap }),
    }),
    freshness: t.field({
      type: Freshness,
      description: 'Age of the values.',
      resolve: ({ part }) => part.freshness,
    }),
  }),
});

builder.objectField(Chip, 'metric', (t) =>
  t.field({
    type: ChipMetric,
    nullable: true,
    description:
      'One metric over its qubits; null with an error that names the known metrics when there is none of that name.',
    args: {
      name: t.arg.string({ description: 'Key of a metric of qubits, for example `t1`.' }),
      selection: t.arg({
        type: MetricSelectionEnum,
        required: false,
        defaultValue: 'LATEST',
        description: 'How several results of a qubit become one value.',
      }),
      withinHours: t.arg.int({
        required: false,
        description: 'Only results of the last so many hours; none: of all time.',
      }),
    },
    resolve: async (chip, { name, selection, withinHours }, { loaders }) => ({
      chip,
      part: await loaders.chipMetric.load({
        chip,
        name,
        selection: selection ?? 'LATEST',
        withinHours: withinHours ?? null,
      }),
    }),
  }),
);
