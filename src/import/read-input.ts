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
  return unpacked(path, bytes, MAX_UNPACKED);
}

/**
 * Bytes, those of a gzip file unpacked.
 * @param most - bytes that may come of it
 * @throws InvalidInputError naming the file if it cannot be unpacked, or is larger
 */
export async function unpacked(name: string, bytes: Uint8Array, most: number): Promise<Uint8Array> {
  if (!GZIP_MAGIC.equals(bytes.subarray(0, GZIP_MAGIC.length))) return bytes;
  try {
    return await promisify(gunzip)(bytes, { maxOutputLength: most });
  } catch (cause) {
    const reason = (cause as Error).message;
    throw Object.assign(invalid(`${name} is a gzip file that cannot be unpacked: ${reason}`), { cause });
  }
}

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
