import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pyodideDistribution, pyodideLock } from './pyodide-package.ts';
import { sha256Of } from './sha256.ts';
import { WHEEL_LIBRARIES, faultOf, wheelsFor } from './wheels.ts';
import type { LockEntry } from './wheels.ts';
import { writeWhole } from './whole-file.ts';

/** A wheel cannot be fetched, or is not the file named by Pyodide's lock file. */
export class WheelsError extends Error {}

/** What to fetch, and where to put it. */
export type WheelFetch = {
  /** Created if missing. */
  readonly folder: string;
  /** Base address of a mirror; Pyodide's own distribution if absent. */
  readonly from?: string | undefined;
  /** Another lock file than that of the pinned Pyodide. */
  readonly lockText?: string;
  /** Called after each file. */
  readonly onFile: (file: string, wasFetched: boolean) => void;
};

/**
 * Fetches the wheels of numpy, pandas and scipy that `folder` lacks. A file whose SHA-256 differs from the lock file is
 * never written.
 * @throws WheelsError
 */
export async function fetchWheels(fetch: WheelFetch, signal: AbortSignal): Promise<void> {
  const { folder, onFile, from = await pyodideDistribution(), lockText = await pyodideLock() } = fetch;
  const base = from.endsWith('/') ? from : `${from}/`;
  await mkdir(folder, { recursive: true });
  for (const entry of Object.values(wheelsFor(WHEEL_LIBRARIES, lockText))) {
    const isPresent = (await faultOf(folder, entry)) === null;
    if (!isPresent) await writeWhole(join(folder, entry.file_name), await fetchOne(base, entry, signal));
    onFile(entry.file_name, !isPresent);
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
  if (!response.ok) throw new WheelsError(`${address} answered with HTTP status ${response.status}`);
  const bytes = Buffer.from(await response.arrayBuffer());
  const found = sha256Of(bytes);
  if (found === sha256) return bytes;
  throw new WheelsError(
    `${address} is not the file that Pyodide's lock file names: its SHA-256 is ${found}, not ${sha256}`,
  );
}
