import { freshnessFromJson } from '../../src/domain/values/freshness.ts';
import { storedChart } from '../calibration/chart.ts';
import { storedTable } from '../calibration/data-table.ts';
import { DataSourceEnum, FallbackReasonEnum, ToolCallStatusEnum } from '../enums.ts';
import { existing } from '../existing.ts';
import { encodeNodeId } from '../node-ids.ts';
import { Chart, DataTable, Freshness, TurnError } from '../refs.ts';
import { ToolApproval } from './tool-approval.ts';
import { eventRef, payload, SequencedEvent } from './sequenced-event.ts';

const interfaces = [SequencedEvent];
const CALL_ID = 'Joins the start, end, charts and tables of a call.';

export const ToolCallStartedEvent = eventRef('ToolCallStartedEvent').implement({
  rule: 'viewer: shared',
  description: 'A tool was started. A ToolCallFinishedEvent with the same `callId` always follows.',
  interfaces,
  fields: (t) => ({
    callId: t.string({ description: CALL_ID, resolve: payload('callId') }),
    tool: t.string({ description: 'Name of the tool.', resolve: payload('tool') }),
    label: t.string({ description: 'What the tool does, for people.', resolve: payload('label') }),
    description: t.string({
      description: 'What this call does, for people.',
      resolve: payload('description'),
    }),
    arguments: t.field({
      type: 'JSON',
      description: 'Arguments, cut to 4 KB; ToolCall has all of them.',
      resolve: payload('arguments'),
    }),
    round: t.int({
      description:
        'Number of the model call that requested it, from 1; 0 for calls that the server made before asking the model.',
      resolve: payload('round'),
    }),
  }),
});

export const ToolCallFinishedEvent = eventRef('ToolCallFinishedEvent').implement({
  rule: 'viewer: shared',
  description: 'A tool call ended.',
  interfaces,
  fields: (t) => ({
    callId: t.string({ description: CALL_ID, resolve: payload('callId') }),
    tool: t.string({ description: 'Name of the tool.', resolve: payload('tool') }),
    toolStatus: t.field({
      type: ToolCallStatusEnum,
      description: 'How the call ended.',
      resolve: payload('status'),
    }),
    status: t.field({
      type: ToolCallStatusEnum,
      description: 'How the call ended.',
      deprecationReason: 'Use `toolStatus`; removed in 0.4',
      resolve: payload('status'),
    }),
    durationMs: t.int({
      description: 'Duration in milliseconds.',
      resolve: ({ payload: { durationMs } }) => Math.round(durationMs),
    }),
    dataSource: t.field({
      type: DataSourceEnum,
      nullable: true,
      description: 'Where its rows came from; null for a call without rows.',
      resolve: payload('dataSource'),
    }),
    preview: t.string({ description: 'One line about the result.', resolve: payload('preview') }),
    freshness: t.field({
      type: Freshness,
      nullable: true,
      description: 'Age of its rows; null for a call without rows.',
      resolve: ({ payload: { freshness } }) => freshness && freshnessFromJson(freshness),
    }),
    resultId: t.id({
      nullable: true,
      description: 'Id of the ToolCall with all arguments and the whole result, even after a failure.',
      resolve: ({ payload: { resultId } }) => resultId && encodeNodeId('ToolCall', resultId),
    }),
    error: t.field({
      type: TurnError,
      nullable: true,
      description: 'Why it failed; null if it did not.',
      resolve: payload('error'),
    }),
  }),
});

export const ToolApprovalEvent = eventRef('ToolApprovalEvent').implement({
  rule: 'viewer: shared',
  description:
    'A call waits for a decision by `decideToolCall`, or does no more. A turn that ends meanwhile makes no call.',
  interfaces,
  fields: (t) => ({
    callId: t.string({ description: CALL_ID, resolve: payload('callId') }),
    toolCallId: t.id({
      description: 'Id of the ToolCall, for the decision.',
      resolve: ({ payload: { toolCallId } }) => encodeNodeId('ToolCall', toolCallId),
    }),
    arguments: t.field({
      type: 'JSON',
      description: 'All arguments, as they would be sent.',
      resolve: payload('arguments'),
    }),
    approval: t.field({
      type: ToolApproval,
      description: 'What is to be decided, or was.',
      resolve: (event) => event.payload,
    }),
  }),
});

export const SourceFallbackEvent = eventRef('SourceFallbackEvent').implement({
  rule: 'viewer: shared',
  description:
    'Another source was used: live values beside stored ones, or stored values instead of live ones.',
  interfaces,
  fields: (t) => ({
    from: t.field({
      type: DataSourceEnum,
      description: 'The source that was insufficient.',
      resolve: payload('from'),
    }),
    to: t.field({ type: DataSourceEnum, description: 'The source used instead.', resolve: payload('to') }),
    reason: t.field({ type: FallbackReasonEnum, description: 'For programs.', resolve: payload('reason') }),
    text: t.string({ description: 'For people.', resolve: payload('text') }),
  }),
});

export const ChartEvent = eventRef('ChartEvent').implement({
  rule: 'viewer: shared',
  description: 'A chart was created. The final message shows it after the text so far.',
  interfaces,
  fields: (t) => ({
    chart: t.field({
      type: Chart,
      description: 'The chart.',
      resolve: ({ payload: { chartId } }, _args, context) => existing(storedChart(chartId, context), 'chart'),
    }),
  }),
});

export const TableEvent = eventRef('TableEvent').implement({
  rule: 'viewer: shared',
  description: 'A table was created. The final message shows it after the text so far.',
  interfaces,
  fields: (t) => ({
    table: t.field({
      type: DataTable,
      description: 'The table.',
      resolve: ({ payload: { tableId } }, _args, context) => existing(storedTable(tableId, context), 'table'),
    }),
  }),
});
