import type { ChipMetric as DomainMetric, QubitValue as Value } from '../../src/domain/chip/chip-metric.ts';
import { builder } from '../builder.ts';
import { PARTS, RESULTS_READ } from '../read-costs.ts';
import { MetricSelectionEnum, RatingEnum } from '../enums.ts';
import { Chart, Chip, Freshness, ParameterStatistics, Qubit, type OfChip } from '../refs.ts';
import { heatmapKey } from './chart.ts';
import { qubitOf } from './chip-parts.ts';

export const QubitValueRef = builder.objectRef<OfChip<Value>>('QubitValue').implement({
  rule: 'viewer: project',
  description: 'The value of a metric for one qubit.',
  fields: (t) => ({
    qubit: t.field({
      type: Qubit,
      description: 'The qubit.',
      resolve: ({ chip, qid }, _args, context) => qubitOf(chip, qid, context),
    }),
    value: t.exposeFloat('displayValue', {
      nullable: true,
      description: 'In the unit of the metric; null without a usable result.',
    }),
    rating: t.expose('rating', {
      type: RatingEnum,
      nullable: true,
      description: 'Rating of the value; null without a value.',
    }),
    measuredAt: t.expose('measuredAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was measured, for AVERAGE the newest result; null without a value.',
    }),
    taskId: t.exposeString('taskId', {
      nullable: true,
      description: 'The task result that produced it; null for AVERAGE.',
    }),
  }),
});

const ChipMetric = builder.objectRef<OfChip<DomainMetric>>('ChipMetric').implement({
  description: 'A metric over all qubits of a chip.',
  fields: (t) => ({
    name: t.string({ description: 'Key of the metric.', resolve: ({ metric }) => metric.name }),
    title: t.string({ description: 'Name for people.', resolve: ({ metric }) => metric.title }),
    unit: t.string({ description: 'Unit of all values here.', resolve: ({ metric }) => metric.unit }),
    values: t.field({
      type: [QubitValueRef],
      complexity: { field: 1, multiplier: PARTS },
      description: 'One row per qubit in numeric order, including qubits without a value.',
      resolve: ({ chip, values }) => values.map((value) => ({ ...value, chip })),
    }),
    statistics: t.expose('statistics', {
      type: ParameterStatistics,
      description: 'Statistics of the values.',
    }),
    heatmap: t.field({
      type: Chart,
      description: 'The values on the grid of the chip.',
      resolve: (metric) => ({ key: heatmapKey(metric.chip, metric), callId: null, spec: metric.heatmap }),
    }),
    freshness: t.expose('freshness', { type: Freshness, description: 'Age of the values.' }),
  }),
});

builder.objectField(Chip, 'metric', (t) =>
  t.field({
    type: ChipMetric,
    nullable: true,
    description:
      'A metric over its qubits; for an unknown name null, with an error that lists the known metrics.',
    complexity: RESULTS_READ,
    args: {
      name: t.arg.string({ description: 'Key of a qubit metric, for example `t1`.' }),
      selection: t.arg({
        type: MetricSelectionEnum,
        required: false,
        defaultValue: 'LATEST',
        description: 'How several results of a qubit become one value.',
      }),
      withinHours: t.arg.int({
        required: false,
        description: 'Only results of the last so many hours; omit it for all results.',
      }),
    },
    resolve: async (chip, { name, selection, withinHours }, { loaders }) => ({
      ...(await loaders.chipMetric.load({
        chip,
        name,
        selection: selection ?? 'LATEST',
        withinHours: withinHours ?? null,
      })),
      chip,
    }),
  }),
);
