/** The files that importers read: unpacked if they are gzip, whatever they are called. */
import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { InvalidInputError } from '../base/errors.ts';
import { unreadable } from '../base/read-error.ts';

/** Most bytes of one unpacked file; the largest devices have some 5 MB. */
const MAX_UNPACKED = 256 * 1024 * 1024;

const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);

/**
 * The bytes of a file, those of a gzip file unpacked.
 * @throws InvalidInputError naming the file if it cannot be read or unpacked.
 */
export async function readInputBytes(path: string): Promise<Uint8Array> {
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw unreadable(path, cause);
  });
  if (!isGzip(bytes)) return bytes;
  try {
    return await promisify(gunzip)(bytes, { maxOutputLength: MAX_UNPACKED });
  } catch (cause) {
    const reason = (cause as Error).message;
    throw Object.assign(invalid(`${path} is a gzip file that cannot be unpacked: ${reason}`), { cause });
  }
}

/** Whether the first bytes of a file say so. */
export const isGzip = (bytes: Uint8Array): boolean => GZIP_MAGIC.equals(bytes.subarray(0, GZIP_MAGIC.length));

/**
 * The text of a UTF-8 file, without its byte order mark.
 * @throws InvalidInputError as {@link readInputBytes}, and for bytes that are not UTF-8.
 */
export async function readInputText(path: string): Promise<string> {
  const bytes = await readInputBytes(path);
  if (!isUtf8(bytes)) throw invalid(`${path} is not UTF-8 text: save it as UTF-8`);
  return new TextDecoder().decode(bytes);
}

const invalid = (message: string): InvalidInputError => InvalidInputError.at([], message);
