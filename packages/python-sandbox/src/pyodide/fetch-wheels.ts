import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256Of } from './sha256.ts';
import { WHEEL_LIBRARIES, faultOf, wheelsFor } from './wheels.ts';
import type { LockEntry } from './wheels.ts';
import { writeWhole } from './whole-file.ts';

/** A wheel that cannot be fetched, or that is not the file whose checksum is known. */
export class WheelsError extends Error {}

/** What to fetch, and where to put it. */
export type WheelFetch = {
  /** Address of a folder of files, ending in `/`. */
  readonly from: string;
  /** Made when it is not there. */
  readonly folder: string;
  /** Pyodide's lock file, whose checksums the files must have. */
  readonly lockText: string;
  /** Told after each file, with whether it had to be fetched. */
  readonly onFile: (file: string, wasFetched: boolean) => void;
};

/**
 * Fetches what the libraries need and the folder does not have yet, and lets nothing into the folder that differs.
 * @throws WheelsError for a file that cannot be had or is another one.
 */
export async function fetchWheels(
  { from, folder, lockText, onFile }: WheelFetch,
  signal: AbortSignal,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const entry of Object.values(wheelsFor(WHEEL_LIBRARIES, lockText))) {
    const isThere = (await faultOf(folder, entry)) === null;
    if (!isThere) await writeWhole(join(folder, entry.file_name), await fetchOne(from, entry, signal));
    onFile(entry.file_name, !isThere);
  }
}

async function fetchOne(
  from: string,
  { file_name, sha256 }: LockEntry,
  signal: AbortSignal,
): Promise<Buffer> {
  const address = new URL(file_name, from).href;
  const response = await fetch(address, { signal }).catch((cause: unknown) => {
    signal.throwIfAborted();
    throw new WheelsError(`${address} could not be fetched`, { cause });
  });
  if (!response.ok) throw new WheelsError(`${address} answers with status ${response.status}`);
  const bytes = Buffer.from(await response.arrayBuffer());
  const found = sha256Of(bytes);
  if (found === sha256) return bytes;
  throw new WheelsError(
    `${address} is not the file that Pyodide's lock file names: its SHA-256 is ${found}, not ${sha256}`,
  );
}
