import type { CsvCell } from '../../src/domain/text/csv.ts';
import { saveFile } from './save-file.ts';

/** Has the browser save a table as Parquet; the first row has the headings. Columns of numbers alone are DOUBLE, others STRING. */
export async function saveParquet(name: string, rows: readonly (readonly CsvCell[])[]): Promise<void> {
  const { parquetWriteBuffer } = await import('hyparquet-writer');
  const bytes = parquetWriteBuffer({ columnData: parquetColumns(rows) });
  saveFile(`${name}.parquet`, new Blob([bytes], { type: 'application/vnd.apache.parquet' }));
}

/** The columns of a table whose first row has the headings. */
export function parquetColumns([headings = [], ...rows]: readonly (readonly CsvCell[])[]) {
  return headings.map((heading, column) => {
    const cells = rows.map((row) => row[column] ?? null);
    const isNumber =
      cells.some((cell) => cell !== null) && cells.every((cell) => cell === null || typeof cell === 'number');
    const before = headings.slice(0, column).filter((other) => other === heading).length;
    return {
      // A file has each name once.
      name: before === 0 ? String(heading) : `${heading} ${before + 1}`,
      data: isNumber ? cells : cells.map((cell) => (cell === null ? null : String(cell))),
      type: isNumber ? ('DOUBLE' as const) : ('STRING' as const),
      nullable: true,
    };
  });
}
