/** From the bytes of a file to the text of a CSV, by what the bytes are and not by what the file is called. */
import { isUtf8 } from 'node:buffer';
import { InvalidInputError } from '../../base/errors.ts';

/** The file is rejected; `message` says what is accepted. */
export const refuseFile = (message: string): InvalidInputError =>
  InvalidInputError.at(['input', 'file'], message);

/** First bytes of files that people take for tables, and what to do with each. */
const OTHER_TYPES: readonly { readonly starts: string; readonly advice: string }[] = [
  {
    starts: 'PK\u0003\u0004',
    advice: 'is an Excel workbook or a zip archive: export the sheet as CSV UTF-8',
  },
  { starts: '\u00D0\u00CF\u0011\u00E0', advice: 'is an old Excel workbook: export the sheet as CSV UTF-8' },
  { starts: 'PAR1', advice: 'is a Parquet file: export it as CSV' },
  { starts: '\u0089HDF', advice: 'is an HDF5 file: export the table as CSV' },
  { starts: '\u001F\u008B', advice: 'is compressed by gzip: send it uncompressed' },
  { starts: '%PDF', advice: 'is a PDF: send the table as CSV' },
  { starts: '\u0089PNG', advice: 'is a picture: send a table as CSV' },
  { starts: '\u00FF\u00D8\u00FF', advice: 'is a picture: send a table as CSV' },
  { starts: '\u00FF\u00FE', advice: 'is text in UTF-16: save it as CSV UTF-8' },
  { starts: '\u00FE\u00FF', advice: 'is text in UTF-16: save it as CSV UTF-8' },
];

/**
 * Decodes a CSV file; a byte order mark is dropped.
 * @throws InvalidInputError for an empty file, for other kinds of files and for text that is not UTF-8.
 */
export function decodeCsv(bytes: Uint8Array): string {
  const start = String.fromCharCode(...bytes.subarray(0, 8));
  const other = OTHER_TYPES.find(({ starts }) => start.startsWith(starts));
  if (other !== undefined) throw refuseFile(`this file ${other.advice}`);
  if (!isUtf8(bytes)) {
    throw refuseFile(`line ${lineOfBadByte(bytes)} is not UTF-8 text: save the file as CSV UTF-8`);
  }
  const text = new TextDecoder().decode(bytes);
  const nul = text.indexOf('\0');
  if (nul >= 0) throw refuseFile(`line ${lineAt(text, nul)} holds a NUL character: this is not a text file`);
  if (text.trim() === '') throw refuseFile('the file is empty: send a header line and at least one row');
  return text;
}

/** Decoding marks what it could not read. */
function lineOfBadByte(bytes: Uint8Array): number {
  const text = new TextDecoder().decode(bytes);
  return lineAt(text, Math.max(0, text.indexOf('\uFFFD')));
}

const lineAt = (text: string, index: number): number => text.slice(0, index).split('\n').length;
