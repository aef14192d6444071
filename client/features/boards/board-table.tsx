import { Table } from '@mantine/core';
import { useMemo } from 'react';
import type { CopilotTableFragment } from '../../gql/graphql.ts';
import { headingText, shownColumns } from '../../lib/format/cell.ts';
import { CellRows } from '../copilot/visuals/cell-rows.tsx';
import { rowsOf } from '../copilot/visuals/table-rows.ts';
import classes from './boards.module.css';

/** A table on a board, whole: it scrolls on a screen, and is printed to its end. */
export function BoardTable({
  table,
}: {
  readonly table: Pick<CopilotTableFragment, 'title' | 'rows' | 'columns'>;
}) {
  const rows = useMemo(() => rowsOf(table.rows), [table.rows]);
  const columns = shownColumns(table.columns);
  return (
    <div className={classes['scroll']} tabIndex={0} role="region" aria-label={table.title}>
      <Table fz="xs" verticalSpacing={3} stickyHeader>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Table.Th key={column.key} data-format={column.format}>
                {headingText(column)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <CellRows rows={rows} columns={columns} />
      </Table>
    </div>
  );
}
