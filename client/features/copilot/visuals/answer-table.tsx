import { Button, Group, Paper, Table, Text, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconDownload } from '@tabler/icons-react';
import { memo, useMemo, useState, type ReactNode } from 'react';
import type { CopilotTableFragment } from '../../../gql/graphql.ts';
import { saveCsv } from '../../../lib/csv.ts';
import { saveParquet } from '../../../lib/parquet.ts';
import { headingText, shownColumns } from '../../../lib/format/cell.ts';
import { useWords } from '../../../lib/i18n/i18n.tsx';
import { CellRows } from './cell-rows.tsx';
import { csvRows, orderedRows, rowsOf, type SortOrder } from './table-rows.ts';
import classes from './visuals.module.css';

const FIRST_ROWS = 12;

/** A table of an answer: sortable, cut to its first rows until all are asked for, and saved as CSV as a whole. */
export const AnswerTable = memo(function AnswerTable({
  table,
  tool,
}: {
  readonly table: CopilotTableFragment;
  /** A further button. */
  readonly tool?: ReactNode;
}) {
  const words = useWords();
  const [order, setOrder] = useState<SortOrder | null>(null);
  const [isWhole, setWhole] = useState(false);
  const rows = useMemo(() => orderedRows(rowsOf(table.rows), order), [table.rows, order]);
  const shown = isWhole ? rows : rows.slice(0, FIRST_ROWS);
  const columns = shownColumns(table.columns);
  return (
    <Paper withBorder p="sm" className={classes['visual']} component="section" aria-label={table.title}>
      <Group justify="space-between" wrap="nowrap" mb={4}>
        <Text size="sm" fw={600}>
          {table.title}
        </Text>
        <Group gap={2} wrap="nowrap" flex="none">
          {tool}
          <Button
            size="compact-xs"
            variant="subtle"
            color="gray"
            leftSection={<IconDownload size={14} />}
            aria-label={words.common.csvHint(table.title)}
            onClick={() => saveCsv(table.title, csvRows(table.columns, rows))}
          >
            {words.common.csv}
          </Button>
          <Button
            size="compact-xs"
            variant="subtle"
            color="gray"
            aria-label={words.common.parquetHint(table.title)}
            onClick={() => void saveParquet(table.title, csvRows(table.columns, rows))}
          >
            Parquet
          </Button>
        </Group>
      </Group>
      <div className={classes['scroll']} tabIndex={0} role="region" aria-label={table.title}>
        <Table fz="xs" verticalSpacing={4} highlightOnHover>
          <Table.Thead>
            <Table.Tr>
              {columns.map((column) => (
                <Header key={column.key} column={column} order={order} onOrder={setOrder} />
              ))}
            </Table.Tr>
          </Table.Thead>
          <CellRows rows={shown} columns={columns} />
        </Table>
      </div>
      <Group gap="xs" mt={4}>
        <Text size="xs" c="dimmed">
          {words.copilot.rows(shown.length, table.rowCount)}
        </Text>
        {rows.length > FIRST_ROWS && (
          <Button size="compact-xs" variant="subtle" onClick={() => setWhole(!isWhole)}>
            {isWhole ? words.copilot.showLess : words.copilot.showAll}
          </Button>
        )}
      </Group>
    </Paper>
  );
});

type HeaderProps = {
  readonly column: CopilotTableFragment['columns'][number];
  readonly order: SortOrder | null;
  readonly onOrder: (order: SortOrder | null) => void;
};

const ARIA_SORT = { up: 'ascending', down: 'descending' } as const;

function Header({ column: { key, label, unit, format }, order, onOrder }: HeaderProps) {
  const direction = order?.key === key ? order.direction : null;
  const next = direction === null ? 'up' : direction === 'up' ? 'down' : null;
  return (
    <Table.Th data-format={format} aria-sort={direction === null ? 'none' : ARIA_SORT[direction]}>
      <UnstyledButton
        fz="xs"
        fw={600}
        className={classes['sort']}
        onClick={() => onOrder(next && { key, direction: next })}
      >
        {headingText({ label, unit })}
        {direction === 'up' && <IconArrowUp size={12} aria-hidden />}
        {direction === 'down' && <IconArrowDown size={12} aria-hidden />}
      </UnstyledButton>
    </Table.Th>
  );
}
