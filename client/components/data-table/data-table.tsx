import { Button, Group, Text, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconDownload, IconSelector } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useMemo, useRef, useState, type ReactNode } from 'react';
import type { CsvCell } from '../../../src/domain/text/csv.ts';
import { saveCsv } from '../../lib/csv.ts';
import { saveParquet } from '../../lib/parquet.ts';
import { useWords } from '../../lib/i18n/i18n.tsx';
import { sortRows, type Sorting } from '../../lib/sort-rows.ts';
import classes from './data-table.module.css';

/** A column of a {@link DataTable}. */
export type Column<Row> = {
  readonly key: string;
  /** With its unit, if its values have one. */
  readonly heading: string;
  /** What is sorted by and saved; null for a missing value. */
  readonly value: (row: Row) => CsvCell;
  /** What the cell shows; the value by default. */
  readonly cell?: (row: Row) => ReactNode;
  readonly isNumber?: boolean;
};

type DataTableProps<Row> = {
  /** What the table lists, for screen readers, and the name of the saved file. */
  readonly label: string;
  /**
   * The first one, where its cells change by more than their row, as boxes to tick do: it is redrawn each
   * time.
   */
  readonly lead?: Column<Row>;
  /** Rows are drawn once for the same columns, so these should stay the same. */
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly maxHeightPx?: number;
};

const ROW_PX = 33;
/** Rows rendered outside the viewport, so that quick scrolling shows no gaps. */
const OVERSCAN = 8;

/** A table that sorts by each of its columns, can be saved, and draws only the rows that are in sight. */
export function DataTable<Row>({
  label,
  lead,
  columns: others,
  rows,
  rowKey,
  maxHeightPx = 480,
}: DataTableProps<Row>) {
  const { common } = useWords();
  const scroller = useRef<HTMLDivElement>(null);
  const [sorting, setSorting] = useState<Sorting | null>(null);
  const columns = lead === undefined ? others : [lead, ...others];
  const sortColumn = columns.find(({ key }) => key === sorting?.column);
  const isDescending = sorting?.descending ?? false;
  const sorted = useMemo(
    () => (sortColumn === undefined ? rows : sortRows(rows, sortColumn.value, isDescending)),
    [rows, sortColumn, isDescending],
  );
  const virtualizer = useVirtualizer({
    count: sorted.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
  });
  const visible = virtualizer.getVirtualItems();
  const before = visible[0]?.start ?? 0;
  const after = virtualizer.getTotalSize() - (visible.at(-1)?.end ?? 0);
  const cells = (): CsvCell[][] => [
    columns.map(({ heading }) => heading),
    ...sorted.map((row) => columns.map(({ value }) => value(row))),
  ];
  return (
    <>
      <div
        ref={scroller}
        className={classes['scroller']}
        style={{ maxHeight: maxHeightPx }}
        // The region scrolls, so it must be reachable by keyboard.
        tabIndex={0}
        role="region"
        aria-label={label}
      >
        <table className={classes['table']} aria-label={label} aria-rowcount={sorted.length + 1}>
          <thead>
            <tr>
              {columns.map((column) => (
                <HeaderCell key={column.key} column={column} sorting={sorting} onSort={setSorting} />
              ))}
            </tr>
          </thead>
          <tbody>
            <Gap heightPx={before} columns={columns.length} />
            {visible.map(({ index }) => {
              const row = sorted[index];
              return (
                row !== undefined && (
                  <tr key={rowKey(row)} aria-rowindex={index + 2} style={{ height: ROW_PX }}>
                    {lead && <Cell row={row} column={lead} />}
                    <Cells row={row} columns={others} />
                  </tr>
                )
              );
            })}
            <Gap heightPx={after} columns={columns.length} />
          </tbody>
        </table>
      </div>
      <Group justify="space-between" mt={6}>
        <Text size="xs" c="dimmed">
          {common.rowCount(rows.length)}
        </Text>
        <Group gap={2}>
          <Button
            size="compact-xs"
            variant="subtle"
            leftSection={<IconDownload size={14} />}
            aria-label={common.csvHint(label)}
            onClick={() => saveCsv(label, cells())}
          >
            {common.csv}
          </Button>
          <Button
            size="compact-xs"
            variant="subtle"
            aria-label={common.parquetHint(label)}
            onClick={() => void saveParquet(label, cells())}
          >
            Parquet
          </Button>
        </Group>
      </Group>
    </>
  );
}

type CellProps<Row> = { readonly row: Row; readonly column: Column<Row> };

function Cell<Row>({ row, column: { cell, value, isNumber = false } }: CellProps<Row>) {
  return <td data-number={isNumber}>{cell?.(row) ?? value(row)}</td>;
}

/** Cells that stay as they are while their table is scrolled or its boxes are ticked. */
const Cells = memo(function Cells<Row>({
  row,
  columns,
}: {
  readonly row: Row;
  readonly columns: readonly Column<Row>[];
}) {
  return columns.map((column) => <Cell key={column.key} row={row} column={column} />);
}) as <Row>(props: { readonly row: Row; readonly columns: readonly Column<Row>[] }) => ReactNode;

/** Room of the rows that are not in sight. */
function Gap({ heightPx, columns }: { readonly heightPx: number; readonly columns: number }) {
  if (heightPx <= 0) return null;
  return (
    <tr aria-hidden="true">
      <td colSpan={columns} style={{ height: heightPx, padding: 0, border: 0 }} />
    </tr>
  );
}

type HeaderCellProps = {
  readonly column: { readonly key: string; readonly heading: string; readonly isNumber?: boolean };
  readonly sorting: Sorting | null;
  readonly onSort: (sorting: Sorting) => void;
};

/** A heading that sorts by its column; pressed again, the other way. */
function HeaderCell({ column: { key, heading, isNumber = false }, sorting, onSort }: HeaderCellProps) {
  const way = sorting?.column !== key ? 'none' : sorting.descending ? 'descending' : 'ascending';
  const Arrow = { none: IconSelector, ascending: IconArrowUp, descending: IconArrowDown }[way];
  return (
    <th scope="col" aria-sort={way} data-number={isNumber}>
      <UnstyledButton
        className={classes['heading'] ?? ''}
        onClick={() => onSort({ column: key, descending: way === 'ascending' })}
      >
        {heading}
        <Arrow size={12} aria-hidden="true" opacity={way === 'none' ? 0.4 : 1} />
      </UnstyledButton>
    </th>
  );
}
