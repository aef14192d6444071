/** From the bytes of a CSV to its title, header and columns of cells, with the line of every row for later messages. */
import { CsvError, parse } from 'csv-parse/sync';
import { refuseFile } from './csv-text.ts';

/** The cells of a CSV, unchanged. */
export type CsvRows = {
  /** The line alone above the header, such as `T1 times in s`; empty if there is none. */
  readonly title: string;
  readonly header: readonly string[];
  /** One list of cells for each heading. */
  readonly cells: readonly (readonly string[])[];
  /** Line on which each row ends. */
  readonly lines: readonly number[];
  /** Separated by semicolons, as programs do where the comma is the decimal sign. */
  readonly hasSemicolons: boolean;
};

/** Bounds on a table, far above what one measurement leaves behind. */
const MAX_COLUMNS = 200;
const MAX_CELLS = 20_000_000;
/** Bytes of a line, and of a row whose quoted cells go over several lines. */
const MAX_LINE = 1_000_000;
/** Rows in which the header is looked for. */
const HEAD_ROWS = 8;

const DELIMITERS = [
  { character: ',', name: 'commas' },
  { character: ';', name: 'semicolons' },
  { character: '\t', name: 'tabs' },
] as const;
type Delimiter = (typeof DELIMITERS)[number];

type Row = { readonly cells: readonly string[]; readonly line: number };

/** Texts that a column shares: most say the same again and again, and each text takes memory. */
const SHARED_TEXTS = 20_000;
/** Rows between two reports of how far it is. */
const REPORTED_ROWS = 20_000;

/**
 * Splits the text of `bytes`, which {@link checkCsv} took. Lines without any value are passed over; lines of one cell above the header
 * are its title.
 * @param onRows - is told every so often how many rows were read
 * @throws InvalidInputError naming the line for rows of another length than the header and for broken quotes.
 */
export function readCsvRows(bytes: Uint8Array, onRows: (rows: number) => void = () => undefined): CsvRows {
  refuseLongLines(bytes);
  const delimiter = delimiterOf(bytes);
  const head: Row[] = [];
  let table: Table | null = null;
  try {
    parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), {
      bom: true,
      delimiter: delimiter.character,
      // A tab is white space too: trimming would eat empty cells.
      trim: delimiter.character !== '\t',
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      relax_column_count: true,
      max_record_size: MAX_LINE,
      on_record(record: string[], { lines: line, records }) {
        if (records % REPORTED_ROWS === 0) onRows(records);
        const row = { cells: delimiter.character === ',' ? joinPairs(record) : record, line };
        if (table !== null) table.add(row);
        else if (head.push(row) === HEAD_ROWS) table = tableOf(head, delimiter);
        return null;
      },
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw refuseFile(wordsOf(error));
  }
  const { title, header, cells, lines } = table ?? tableOf(head, delimiter);
  if (lines.length === 0) throw refuseFile('no rows below the header: at least one is needed');
  return { title, header, cells, lines, hasSemicolons: delimiter.character === ';' };
}

type Table = Omit<CsvRows, 'hasSemicolons'> & { add(row: Row): void };

/** Takes the first rows apart into title, header and rows. A table of one column has no title. */
function tableOf(head: readonly Row[], delimiter: Delimiter): Table {
  const widths = head.map(({ cells }) => cells.filter((cell) => cell.trim() !== '').length);
  const first = Math.max(
    0,
    widths.findIndex((width) => width > 1),
  );
  const header = head[first]?.cells ?? [];
  if (header.length > MAX_COLUMNS) {
    throw refuseFile(`the header names ${header.length} columns; at most ${MAX_COLUMNS} are taken`);
  }
  const above = head.slice(0, first).flatMap(({ cells }) => cells.filter((cell) => cell.trim() !== ''));
  const cells: string[][] = header.map(() => []);
  const shared = header.map(() => new Map<string, string>());
  const lines: number[] = [];
  const add = (row: Row): void => {
    if (row.cells.length !== header.length) {
      const isFirst = lines.length === 0 && row.cells.length > header.length;
      const hint = isFirst ? ' If a title is above the header, put it in quotes.' : '';
      throw refuseFile(unevenRow(row, header.length, delimiter) + hint);
    }
    row.cells.forEach((cell, index) => cells[index]?.push(sharedText(shared[index], cell)));
    lines.push(row.line);
    if (lines.length * cells.length > MAX_CELLS) {
      throw refuseFile(`the table has more than ${MAX_CELLS.toLocaleString('en')} cells: split it`);
    }
  };
  head.slice(first + 1).forEach(add);
  const title = above.map((text) => text.replace(/^#\s*/u, '').trim()).join(' ');
  return { title, header, cells, lines, add };
}

/** The same text as one that the column has, or the cell, which later ones share while there are few. */
function sharedText(texts: Map<string, string> | undefined, cell: string): string {
  const same = texts?.get(cell);
  if (same !== undefined || texts === undefined) return same ?? cell;
  if (texts.size < SHARED_TEXTS) texts.set(cell, cell);
  return cell;
}

/** `(0` and `1)` are one cell, `(0,1)`: a pair that was not quoted. */
function joinPairs(record: readonly string[]): readonly string[] {
  if (!record.some((cell) => cell.startsWith('('))) return record;
  const joined: string[] = [];
  for (const cell of record) {
    const before = joined.at(-1);
    if (before !== undefined && /^\([^()]*$/u.test(before) && /^[^()]*\)$/u.test(cell)) {
      joined[joined.length - 1] = `${before},${cell}`;
    } else {
      joined.push(cell);
    }
  }
  return joined;
}

const [LINE_FEED, CARRIAGE_RETURN] = [10, 13];

/** A file of one endless line is refused before anything splits it. */
function refuseLongLines(bytes: Uint8Array): void {
  let line = 1;
  for (let start = 0; start < bytes.length; line += 1) {
    const end = bytes.indexOf(LINE_FEED, start);
    const next = end < 0 ? bytes.length : end;
    if (next - start > MAX_LINE && !bytes.subarray(start, start + MAX_LINE).includes(CARRIAGE_RETURN)) {
      throw refuseFile(`line ${line} has more than ${MAX_LINE.toLocaleString('en')} bytes: this is no table`);
    }
    start = next + 1;
  }
}

/**
 * The delimiter that divides most of the first lines into the same number of cells, outside of quotes and parentheses;
 * commas for a single column.
 */
function delimiterOf(bytes: Uint8Array): Delimiter {
  const lines = new TextDecoder()
    .decode(bytes.subarray(0, MAX_LINE))
    .trimStart()
    .split(/\r\n|\n|\r/u, HEAD_ROWS)
    .map((line) => line.replaceAll(/"[^"]*"|\([^()]*\)/gu, ''));
  const alike = ({ character }: Delimiter): number => {
    const counts = lines.map((line) => line.split(character).length);
    return Math.max(
      ...counts.map((count) => (count < 2 ? 0 : counts.filter((other) => other === count).length)),
    );
  };
  return DELIMITERS.reduce((best, other) => (alike(other) > alike(best) ? other : best));
}

function unevenRow({ cells, line }: Row, columns: number, { character, name }: Delimiter): string {
  const hint =
    character === ','
      ? ' A decimal comma splits a number into two cells: write decimal points, or separate cells by semicolons.'
      : '';
  return `line ${line} has ${cells.length} cells, but the header has ${columns} columns (separated by ${name}).${hint}`;
}

function wordsOf(error: CsvError): string {
  const line = typeof error['lines'] === 'number' ? error['lines'] : 0;
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') {
    return `a quotation mark is never closed; the file ends on line ${line}`;
  }
  if (error.code === 'CSV_INVALID_CLOSING_QUOTE' || error.code === 'INVALID_OPENING_QUOTE') {
    return `line ${line} has a quotation mark inside a cell: quote the whole cell and double the inner mark`;
  }
  if (error.code === 'CSV_MAX_RECORD_SIZE') {
    return `a quotation mark opened before line ${line} holds more than ${MAX_LINE.toLocaleString('en')} bytes: close it`;
  }
  return `line ${line} cannot be read as CSV: ${error.message}`;
}
