import { z } from 'zod';
import { cellOf, headingText, shownColumns } from '../lib/format/cell.ts';

/** A table as the server sends it. */
export type DrawableTable = {
  readonly title: string;
  readonly rowCount: number;
  readonly rows: unknown;
  readonly columns: readonly {
    readonly key: string;
    readonly label: string;
    readonly unit?: string | null;
    readonly unitKey?: string | null;
    readonly format: string;
  }[];
};

const MAX_ROWS = 20;
const cells = z.array(z.record(z.string(), z.unknown()));

/**
 * The table with aligned columns, numbers to the right, and how many of its rows are shown; nothing is a dash and
 * never 0.
 */
export function drawTable({ title, rowCount, rows, columns: all }: DrawableTable): string {
  const columns = shownColumns(all);
  const parsed = cells.safeParse(rows);
  const shown = parsed.success ? parsed.data.slice(0, MAX_ROWS) : [];
  const heads = columns.map(headingText);
  const texts = shown.map((row) => columns.map((column) => cellOf(row, column)));
  const widths = heads.map((head, column) =>
    Math.max(head.length, ...texts.map((row) => row[column]?.length ?? 0)),
  );
  const draw = (row: readonly string[]): string =>
    row
      .map((text, column) => {
        const isNumber = ['number', 'percent'].includes(columns[column]?.format ?? '');
        return isNumber ? text.padStart(widths[column] ?? 0) : text.padEnd(widths[column] ?? 0);
      })
      .join('  ')
      .trimEnd();
  const rule = widths.map((width) => '─'.repeat(width)).join('──');
  const count = `${shown.length} of ${rowCount} ${rowCount === 1 ? 'row' : 'rows'}`;
  return [`▦ ${title}`, ...[draw(heads), rule, ...texts.map(draw), count].map((line) => `  ${line}`)].join(
    '\n',
  );
}
