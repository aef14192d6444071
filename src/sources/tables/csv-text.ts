/** Whether a file is a CSV, by what its bytes are and not by what it is called. */
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
 * The bytes of a CSV file, as they are.
 * @throws InvalidInputError for an empty file, for other kinds of files and for text that is not UTF-8.
 */
export function checkCsv(bytes: Uint8Array): Uint8Array {
  const start = String.fromCharCode(...bytes.subarray(0, 8));
  const other = OTHER_TYPES.find(({ starts }) => start.startsWith(starts));
  if (other !== undefined) throw refuseFile(`this file ${other.advice}`);
  if (!isUtf8(bytes)) {
    throw refuseFile(`line ${lineOfBadByte(bytes)} is not UTF-8 text: save the file as CSV UTF-8`);
  }
  const nul = bytes.indexOf(0);
  if (nul >= 0) {
    throw refuseFile(`line ${lineAt(bytes, nul)} holds a NUL character: this is not a text file`);
  }
  if (!bytes.some((byte) => byte > SPACE) || isBlank(bytes)) {
    throw refuseFile('the file is empty: send a header line and at least one row');
  }
  return bytes;
}

const SPACE = 32;
const LINE_FEED = 10;
/** White space may have other bytes; a file of it alone that is longer is refused for its missing columns. */
const isBlank = (bytes: Uint8Array): boolean =>
  bytes.length < 1_000 && new TextDecoder().decode(bytes).trim() === '';

/** Decoding marks what it could not read. */
function lineOfBadByte(bytes: Uint8Array): number {
  const text = new TextDecoder().decode(bytes);
  const bad = Math.max(0, text.indexOf('\uFFFD'));
  return lineAt(bytes, Buffer.byteLength(text.slice(0, bad)));
}

const lineAt = (bytes: Uint8Array, index: number): number => {
  let line = 1;
  for (let at = bytes.indexOf(LINE_FEED); at >= 0 && at < index; at = bytes.indexOf(LINE_FEED, at + 1))
    line += 1;
  return line;
};
