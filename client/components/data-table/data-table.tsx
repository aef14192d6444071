import { Button, Group, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef, useState, type ReactNode } from 'react';
import { saveCsv, type CsvCell } from '../../lib/csv.ts';
import { useWords } from '../../lib/i18n/i18n.tsx';
import { sortRows, type Sorting } from '../../lib/sort-rows.ts';
import classes from './data-table.module.css';
import { HeaderCell } from './header-cell.tsx';

/** A column of a {@link DataTable}. */
export type Column<Row> = {
  readonly key: string;
  /** With its unit, if its values have one. */
  readonly heading: string;
  /** What is sorted by and saved; null for a missing value. */
  readonly value: (row: Row) => CsvCell;
  /** What stands in the cell; none: the value. */
  readonly cell?: (row: Row) => ReactNode;
  readonly isNumber?: boolean;
};

type DataTableProps<Row> = {
  /** What the table lists, for people who do not see its surroundings, and the name of the saved file. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly maxHeightPx?: number;
};

const ROW_PX = 33;
/** Rows beyond the visible ones, so that quick scrolling shows no gaps. */
const OVERSCAN = 12;

/** A table that sorts by each of its columns, can be saved, and draws only the rows that are in sight. */
export function DataTable<Row>({ label, columns, rows, rowKey, maxHeightPx = 480 }: DataTableProps<Row>) {
  const { common } = useWords();
  const scroller = useRef<HTMLDivElement>(null);
  const [sorting, setSorting] = useState<Sorting | null>(null);
  const sorted = useMemo(() => {
    const column = columns.find(({ key }) => key === sorting?.column);
    return column === undefined ? rows : sortRows(rows, column.value, sorting?.descending ?? false);
  }, [rows, columns, sorting]);
  const virtualizer = useVirtualizer({
    count: sorted.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
  });
  const visible = virtualizer.getVirtualItems();
  const before = visible[0]?.start ?? 0;
  const after = virtualizer.getTotalSize() - (visible.at(-1)?.end ?? 0);
  const save = (): void =>
    saveCsv(label, [
      columns.map(({ heading }) => heading),
      ...sorted.map((row) => columns.map(({ value }) => value(row))),
    ]);
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
                    {columns.map(({ key, cell, value, isNumber = false }) => (
                      <td key={key} data-number={isNumber}>
                        {cell?.(row) ?? value(row)}
                      </td>
                    ))}
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
        <Button
          size="compact-xs"
          variant="subtle"
          leftSection={<IconDownload size={14} />}
          aria-label={common.csvHint(label)}
          onClick={save}
        >
          {common.csv}
        </Button>
      </Group>
    </>
  );
}

/** Room of the rows that are not in sight. */
function Gap({ heightPx, columns }: { readonly heightPx: number; readonly columns: number }) {
  if (heightPx <= 0) return null;
  return (
    <tr aria-hidden="true">
      <td colSpan={columns} style={{ height: heightPx, padding: 0, border: 0 }} />
    </tr>
  );
}
