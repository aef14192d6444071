import type { TableColumn as Column } from '../../src/domain/visuals.ts';
import { boardTable, isContentKey } from '../boards/content-key.ts';
import { builder } from '../builder.ts';
import type { GraphQLContext } from '../context.ts';
import { DataTable, type KeyedTable } from '../refs.ts';

const TableColumn = builder.objectRef<Column>('TableColumn').implement({
  description: 'A column of a table.',
  fields: (t) => ({
    key: t.exposeString('key', { description: 'Its key in each row.' }),
    label: t.exposeString('label', { description: 'Its heading.' }),
    unit: t.exposeString('unit', {
      nullable: true,
      description: 'Unit of its values; null without one, and where rows differ.',
    }),
    unitKey: t.string({
      nullable: true,
      description: 'Key of the column that has the unit of each row; null where rows do not differ.',
      resolve: ({ unitKey }) => unitKey ?? null,
    }),
    format: t.exposeString('format', { description: '`text`, `number`, `percent` or `datetime`.' }),
  }),
});

builder.node(DataTable, {
  rule: 'viewer: shared',
  description: 'A table as data.',
  id: { resolve: ({ key }) => key },
  loadWithoutCache: (id, context) => (isContentKey(id) ? boardTable(id, context) : storedTable(id, context)),
  fields: (t) => ({
    title: t.string({ description: 'Title.', resolve: ({ spec }) => spec.title }),
    columns: t.field({
      type: [TableColumn],
      description: 'Columns from left to right.',
      resolve: ({ spec }) => [...spec.columns],
    }),
    rows: t.field({
      type: 'JSON',
      description: 'List of objects by column key, in the unit of the column; null for a missing value.',
      resolve: ({ spec }) => spec.rows,
    }),
    rowCount: t.int({ description: 'Number of rows.', resolve: ({ spec }) => spec.rows.length }),
    callId: t.exposeString('callId', {
      nullable: true,
      description: 'The tool call that it shows; null for none.',
    }),
  }),
});

/** A stored table of a turn; null for an unknown id. */
export async function storedTable(id: string, { loaders }: GraphQLContext): Promise<KeyedTable | null> {
  const table = await loaders.table.load(id);
  return table && { key: table.id, callId: table.callId, spec: table };
}
