import { freshnessFromJson } from '../../src/domain/values/freshness.ts';
import { storedChart } from '../calibration/chart.ts';
import { storedTable } from '../calibration/data-table.ts';
import { DataSourceEnum, FallbackReasonEnum, ToolCallStatusEnum } from '../enums.ts';
import { existing } from '../existing.ts';
import { encodeNodeId } from '../node-ids.ts';
import { Chart, DataTable, Freshness, TurnError } from '../refs.ts';
import { eventRef, SequencedEvent } from './sequenced-event.ts';

export const ToolCallStartedEvent = eventRef('ToolCallStartedEvent').implement({
  description: 'A tool was started. It is always followed by a ToolCallFinishedEvent of the same `callId`.',
  interfaces: [SequencedEvent],
  fields: (t) => ({
    callId: t.string({
      description: 'Joins start, end, charts and tables.',
      resolve: ({ payload }) => payload.callId,
    }),
    tool: t.string({ description: 'Name of the tool.', resolve: ({ payload }) => payload.tool }),
    label: t.string({ description: 'What it does, for people.', resolve: ({ payload }) => payload.label }),
    description: t.string({
      description: 'What this call is about, for people.',
      resolve: ({ payload }) => payload.description,
    }),
    arguments: t.field({
      type: 'JSON',
      description: 'Arguments, cut to 4 KB; the whole stands in ToolCall.',
      resolve: ({ payload }) => payload.arguments,
    }),
    round: t.int({
      description:
        'Model call that asked for it, from 1; 0 for calls that the server made before the model was asked.',
      resolve: ({ payload }) => payload.round,
    }),
  }),
});

export const ToolCallFinishedEvent = eventRef('ToolCallFinishedEvent').implement({
  description: 'A tool ended.',
  interfaces: [SequencedEvent],
  fields: (t) => ({
    callId: t.string({
      description: 'Joins start, end, charts and tables.',
      resolve: ({ payload }) => payload.callId,
    }),
    tool: t.string({ description: 'Name of the tool.', resolve: ({ payload }) => payload.tool }),
    status: t.field({
      type: ToolCallStatusEnum,
      description: 'How it ended.',
      resolve: ({ payload }) => payload.status,
    }),
    durationMs: t.int({
      description: 'How long it took, in milliseconds.',
      resolve: ({ payload }) => Math.round(payload.durationMs),
    }),
    dataSource: t.field({
      type: DataSourceEnum,
      nullable: true,
      description: 'Where its rows came from.',
      resolve: ({ payload }) => payload.dataSource,
    }),
    preview: t.string({
      description: 'One line about the result.',
      resolve: ({ payload }) => payload.preview,
    }),
    freshness: t.field({
      type: Freshness,
      nullable: true,
      description: 'Age of its rows.',
      resolve: ({ payload }) => payload.freshness && freshnessFromJson(payload.freshness),
    }),
    resultId: t.id({
      nullable: true,
      description:
        'Id of the ToolCall, which holds the whole of its arguments and of its result, also where it failed.',
      resolve: ({ payload }) => payload.resultId && encodeNodeId('ToolCall', payload.resultId),
    }),
    error: t.field({
      type: TurnError,
      nullable: true,
      description: 'Why it failed.',
      resolve: ({ payload }) => payload.error,
    }),
  }),
});

export const SourceFallbackEvent = eventRef('SourceFallbackEvent').implement({
  description:
    'Another source was asked: live values stand beside stored ones, or stored ones in the place of live ones.',
  interfaces: [SequencedEvent],
  fields: (t) => ({
    from: t.field({
      type: DataSourceEnum,
      description: 'Source that was not enough.',
      resolve: ({ payload }) => payload.from,
    }),
    to: t.field({
      type: DataSourceEnum,
      description: 'Source that stands in for it.',
      resolve: ({ payload }) => payload.to,
    }),
    reason: t.field({
      type: FallbackReasonEnum,
      description: 'For programs.',
      resolve: ({ payload }) => payload.reason,
    }),
    text: t.string({ description: 'For people.', resolve: ({ payload }) => payload.text }),
  }),
});

export const ChartEvent = eventRef('ChartEvent').implement({
  description: 'A chart was made; in the final message it stands after the text so far.',
  interfaces: [SequencedEvent],
  fields: (t) => ({
    chart: t.field({
      type: Chart,
      description: 'The chart.',
      resolve: ({ payload }, _args, context) => existing(storedChart(payload.chartId, context), 'chart'),
    }),
  }),
});

export const TableEvent = eventRef('TableEvent').implement({
  description: 'A table was made; in the final message it stands after the text so far.',
  interfaces: [SequencedEvent],
  fields: (t) => ({
    table: t.field({
      type: DataTable,
      description: 'The table.',
      resolve: ({ payload }, _args, context) => existing(storedTable(payload.tableId, context), 'table'),
    }),
  }),
});
