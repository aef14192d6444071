/** A cell of a table that is saved. */
export type CsvCell = string | number | null;

/** A table as CSV (RFC 4180): cells with commas, quotes or line breaks are quoted, missing values are empty. */
export const toCsv = (rows: readonly (readonly CsvCell[])[]): string =>
  rows.map((row) => row.map(cellText).join(',')).join('\r\n');

function cellText(cell: CsvCell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  // Spreadsheets run text that begins like a formula.
  const text = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
