/** Histories of parameters: of one qubit or coupling, and over a chip. */
import type { SeriesPoint as Point } from '../../src/domain/chip/chip-timeseries.ts';
import type { Chip as DomainChip } from '../../src/domain/chip/chip.ts';
import type { MetricScope } from '../../src/domain/values/metric.ts';
import { builder } from '../builder.ts';
import { historyCost, PARTS } from '../read-costs.ts';
import type { GraphQLContext } from '../context.ts';
import { TrendEnum } from '../enums.ts';
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

const SeriesPoint = builder.objectRef<Point>('SeriesPoint').implement({
  description: 'A measured value.',
  fields: (t) => ({
    at: t.expose('at', { type: 'DateTime', description: 'When the run ended, else when it started.' }),
    value: t.exposeFloat('displayValue', { description: 'In the unit of the series.' }),
    error: t.exposeFloat('displayError', {
      nullable: true,
      description: 'Standard error in the unit of the series; null if none was recorded.',
    }),
    taskId: t.exposeString('taskId', {
      nullable: true,
      description: 'The task result that produced it; null if unknown.',
    }),
    executionId: t.exposeString('executionId', {
      nullable: true,
      description: 'The execution that produced it; null if unknown.',
    }),
  }),
});

const scaled = (value: number | null, scale: number): number | null => value && value * scale;

Series.implement({
  description: 'History of a parameter of one qubit or coupling, in display scale.',
  fields: (t) => ({
    unit: t.exposeString('displayUnit', { description: 'Unit of all values here.' }),
    points: t.field({
      type: [SeriesPoint],
      description: 'Oldest first.',
      resolve: ({ points }) => [...points],
    }),
    latest: t.float({
      nullable: true,
      description: 'Newest value in `unit`; null without points.',
      resolve: ({ latest, scale }) => scaled(latest, scale),
    }),
    min: t.float({
      nullable: true,
      description: 'Smallest value in `unit`; null without points.',
      resolve: ({ min, scale }) => scaled(min, scale),
    }),
    max: t.float({
      nullable: true,
      description: 'Largest value in `unit`; null without points.',
      resolve: ({ max, scale }) => scaled(max, scale),
    }),
    mean: t.float({
      nullable: true,
      description: 'Mean in `unit`; null without points.',
      resolve: ({ mean, scale }) => scaled(mean, scale),
    }),
    trend: t.expose('trend', {
      type: TrendEnum,
      nullable: true,
      description: 'Direction of change; null where none is significant, as for fewer than five points.',
    }),
  }),
});

ParameterSeries.implement({
  rule: 'viewer: project',
  description: 'History of a parameter of one qubit, in display scale.',
  interfaces: [Series],
  fields: (t) => ({
    qubit: t.field({
      type: Qubit,
      description: 'The qubit.',
      resolve: ({ chip, qid }, _args, context) => qubitOf(chip, qid, context),
    }),
  }),
});

CouplingSeries.implement({
  rule: 'viewer: project',
  description: 'History of a parameter of one directed coupling, in display scale.',
  interfaces: [Series],
  fields: (t) => ({
    coupling: t.field({
      type: Coupling,
      description: 'The coupling.',
      resolve: ({ chip, qid }, _args, context) => couplingOf(chip, qid, context),
    }),
  }),
});

ChipTimeseries.implement({
  description: 'History of a parameter over qubits of a chip, in display scale.',
  fields: (t) => ({
    parameter: t.exposeString('parameter', { description: 'Key of the parameter.' }),
    unit: t.exposeString('displayUnit', { description: 'Unit of all values here.' }),
    series: t.field({
      type: [ParameterSeries],
      complexity: { field: 1, multiplier: PARTS },
      description:
        'One per qubit, in numeric order or in the order of `qids`; empty for a qubit without values.',
      resolve: ({ chip, series }) => series.map((one) => ({ ...one, chip })),
    }),
    statistics: t.expose('statistics', {
      type: ParameterStatistics,
      description: 'Statistics of the newest value of each qubit.',
    }),
  }),
});

CouplingTimeseries.implement({
  description: 'History of a parameter over couplings of a chip, in display scale.',
  fields: (t) => ({
    parameter: t.exposeString('parameter', { description: 'Key of the parameter.' }),
    unit: t.exposeString('displayUnit', { description: 'Unit of all values here.' }),
    series: t.field({
      type: [CouplingSeries],
      complexity: { field: 1, multiplier: PARTS },
      description:
        'One per coupling, in numeric order or in the order of `couplingIds`; empty for a coupling without values. A direction without values is replaced by its opposite.',
      resolve: ({ chip, series }) => series.map((one) => ({ ...one, chip })),
    }),
    statistics: t.expose('statistics', {
      type: ParameterStatistics,
      description: 'Statistics of the newest value of each coupling.',
    }),
  }),
});

builder.objectFields(Chip, (t) => {
  const window = {
    lastN: t.arg.int({
      required: false,
      defaultValue: 10,
      description: 'Newest results of each, 1 to 200.',
    }),
    from: t.arg({ type: 'DateTime', required: false, description: 'Measured at or after this time.' }),
    to: t.arg({ type: 'DateTime', required: false, description: 'Measured before this time.' }),
  };
  return {
    timeseries: t.field({
      type: ChipTimeseries,
      nullable: true,
      description:
        'History of a qubit parameter; null with an error for an unknown parameter or one of couplings.',
      complexity: ({ qids, lastN }) => historyCost({ parts: qids ?? null, lastN }),
      args: {
        parameter: t.arg.string({ description: 'Key of the parameter, for example `t1`.' }),
        qids: t.arg.stringList({ required: false, description: 'Only these qubits; omit it for all.' }),
        ...window,
      },
      resolve: (chip, { qids, ...args }, context) => history(chip, 'QUBIT', { ...args, qids }, context),
    }),
    couplingTimeseries: t.field({
      type: CouplingTimeseries,
      nullable: true,
      description:
        'History of a coupling parameter; null with an error for an unknown parameter or one of qubits.',
      complexity: ({ couplingIds, lastN }) => historyCost({ parts: couplingIds ?? null, lastN }),
      args: {
        parameter: t.arg.string({ description: 'Key of the parameter, for example `zx90_gate_fidelity`.' }),
        couplingIds: t.arg.stringList({
          required: false,
          description: 'Only these couplings; omit it for all.',
        }),
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
  { parameter, qids = null, lastN, from = null, to = null }: HistoryArgs,
  { loaders }: GraphQLContext,
) {
  const request = { chip, kind, parameter, qids, lastN: lastN ?? 10, from, to };
  return { ...(await loaders.chipTimeseries.load(request)), chip };
}
