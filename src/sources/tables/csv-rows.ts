/** From the text of a CSV to its header and columns of cells, with the line of every row for later messages. */
import { CsvError, parse } from 'csv-parse/sync';
import { refuseFile } from './csv-text.ts';

/** The cells of a CSV, unchanged. */
export type CsvRows = {
  readonly header: readonly string[];
  /** One list of cells for each heading. */
  readonly cells: readonly (readonly string[])[];
  /** Line on which each row ends. */
  readonly lines: readonly number[];
};

/** Bounds on a table, far above what one measurement leaves behind. */
const MAX_COLUMNS = 200;
const MAX_CELLS = 20_000_000;

const DELIMITERS = [
  { character: ',', name: 'commas' },
  { character: ';', name: 'semicolons' },
  { character: '\t', name: 'tabs' },
] as const;
type Delimiter = (typeof DELIMITERS)[number];

/**
 * Splits the text. Lines without any value are passed over.
 * @throws InvalidInputError naming the line for rows of another length than the header and for broken quotes.
 */
export function readCsvRows(text: string): CsvRows {
  const delimiter = delimiterOf(text);
  let header: readonly string[] | null = null;
  const cells: string[][] = [];
  const lines: number[] = [];
  const take = (record: readonly string[], line: number): null => {
    if (header === null) {
      if (record.length > MAX_COLUMNS) {
        throw refuseFile(`the header names ${record.length} columns; at most ${MAX_COLUMNS} are taken`);
      }
      header = record;
      cells.push(...record.map(() => []));
      return null;
    }
    for (const [index, cell] of record.entries()) cells[index]?.push(cell);
    lines.push(line);
    if (lines.length * cells.length > MAX_CELLS) {
      throw refuseFile(`the table has more than ${MAX_CELLS.toLocaleString('en')} cells: split it`);
    }
    return null;
  };
  try {
    parse(text, {
      delimiter: delimiter.character,
      // A tab is white space too: trimming would eat empty cells.
      trim: delimiter.character !== '\t',
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      on_record: (record: string[], { lines: line }) => take(record, line),
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw refuseFile(wordsOf(error, delimiter));
  }
  if (header === null || lines.length === 0) {
    throw refuseFile('no rows below the header: at least one is needed');
  }
  return { header, cells, lines };
}

/** The most frequent delimiter in the first line, outside of quotes; commas for a single column. */
function delimiterOf(text: string): Delimiter {
  const firstLine = text.trimStart().split(/\r\n|\n|\r/, 1)[0] ?? '';
  const bare = firstLine.replaceAll(/"(?:[^"]|"")*"/g, '');
  const times = ({ character }: Delimiter): number => bare.split(character).length;
  return DELIMITERS.reduce((best, other) => (times(other) > times(best) ? other : best));
}

function wordsOf(error: CsvError, { character, name }: Delimiter): string {
  const line = typeof error['lines'] === 'number' ? error['lines'] : 0;
  if (error.code === 'CSV_RECORD_INCONSISTENT_FIELDS_LENGTH') {
    const [cells, wanted] = lengthsOf(error);
    const hint =
      character === ','
        ? ' A decimal comma splits a number into two cells: write decimal points, or separate cells by semicolons.'
        : '';
    return `line ${line} has ${cells} cells, but the header has ${wanted} columns (separated by ${name}).${hint}`;
  }
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') {
    return `a quotation mark is never closed; the file ends on line ${line}`;
  }
  if (error.code === 'CSV_INVALID_CLOSING_QUOTE' || error.code === 'INVALID_OPENING_QUOTE') {
    return `line ${line} has a quotation mark inside a cell: quote the whole cell and double the inner mark`;
  }
  return `line ${line} cannot be read as CSV: ${error.message}`;
}

/** Cells of the row and columns of the header, which the library gives only in its message. */
function lengthsOf({ message }: CsvError): readonly [cells: string, wanted: string] {
  const [, wanted = 'other', cells = 'other'] = /expect (\d+), got (\d+)/.exec(message) ?? [];
  return [cells, wanted];
}
