import { toCsv, type CsvCell } from '../../src/domain/text/csv.ts';
import { saveFile } from './save-file.ts';

/** Has the browser save a CSV; its byte order mark makes spreadsheets read it as UTF-8. */
export const saveCsv = (name: string, rows: readonly (readonly CsvCell[])[]): void =>
  saveFile(`${name}.csv`, new Blob([`\uFEFF${toCsv(rows)}`], { type: 'text/csv;charset=utf-8' }));
