import type { Block as DomainBlock } from '../../src/domain/conversation/session.ts';
import { builder } from '../builder.ts';
import { storedChart } from '../calibration/chart.ts';
import { storedTable } from '../calibration/data-table.ts';
import { existing } from '../existing.ts';
import { Chart, DataTable, Message, type KeyedChart, type KeyedTable } from '../refs.ts';

type BlockOf<Type extends DomainBlock['type']> = Extract<DomainBlock, { type: Type }>;

const TextBlock = builder.objectRef<BlockOf<'text'>>('TextBlock').implement({
  description: 'A piece of text.',
  fields: (t) => ({ text: t.exposeString('text', { description: 'Markdown.' }) }),
});

/** `chart`: where it was read with the message, in whose place it has no rights of its own. */
type ChartOf = BlockOf<'chart'> & { readonly chart?: KeyedChart };
type TableOf = BlockOf<'table'> & { readonly table?: KeyedTable };

const ChartBlock = builder.objectRef<ChartOf>('ChartBlock').implement({
  rule: 'viewer: shared',
  description: 'A chart, placed where its tool was used, or where the model put it.',
  fields: (t) => ({
    chart: t.field({
      type: Chart,
      description: 'The chart.',
      resolve: ({ chartId, chart }, _args, context) =>
        chart ?? existing(storedChart(chartId, context), 'chart'),
    }),
  }),
});

const TableBlock = builder.objectRef<TableOf>('TableBlock').implement({
  rule: 'viewer: shared',
  description: 'A table, placed where its tool was used.',
  fields: (t) => ({
    table: t.field({
      type: DataTable,
      description: 'The table.',
      resolve: ({ tableId, table }, _args, context) =>
        table ?? existing(storedTable(tableId, context), 'table'),
    }),
  }),
});

const MessageBlock = builder.objectRef<BlockOf<'message'>>('MessageBlock').implement({
  rule: 'viewer: shared',
  description: 'A message of the user, where it joined the answer; see STEER of `WhenBusy`.',
  fields: (t) => ({
    message: t.field({
      type: Message,
      description: 'The message.',
      resolve: ({ messageId }, _args, { loaders }) => existing(loaders.message.load(messageId), 'message'),
    }),
  }),
});

const TYPE_NAMES = {
  text: 'TextBlock',
  chart: 'ChartBlock',
  table: 'TableBlock',
  message: 'MessageBlock',
} as const;

/** A piece of a message in reading order. */
export const Block = builder.unionType('Block', {
  description: 'A piece of a message. Clients should ignore unknown members.',
  types: [TextBlock, ChartBlock, TableBlock, MessageBlock],
  resolveType: ({ type }) => TYPE_NAMES[type],
});
