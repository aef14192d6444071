import { Table } from '@mantine/core';
import type { CopilotTableFragment } from '../../../gql/graphql.ts';
import { cellOf } from '../../../lib/format/cell.ts';
import type { rowsOf } from './table-rows.ts';

/** The cells of a table, each in the format of its column. */
export function CellRows({
  rows,
  columns,
}: {
  readonly rows: ReturnType<typeof rowsOf>;
  readonly columns: readonly CopilotTableFragment['columns'][number][];
}) {
  return (
    <Table.Tbody>
      {rows.map((row, index) => (
        <Table.Tr key={index}>
          {columns.map((column) => (
            <Table.Td key={column.key} data-format={column.format}>
              {cellOf(row, column)}
            </Table.Td>
          ))}
        </Table.Tr>
      ))}
    </Table.Tbody>
  );
}
