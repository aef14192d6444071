/**
 * Libraries for Pyodide from a folder. Pyodide in Node loads any file with the right name, so each is checked against
 * the checksum in Pyodide's lock file, here and again on loading.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { sha256Of } from './sha256.ts';

const entrySchema = z.looseObject({
  file_name: z.string().regex(/^[\w.+-]+$/),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  depends: z.array(z.string()),
});
const lockSchema = z.object({
  packages: z.record(z.string(), z.looseObject({ depends: z.array(z.string()) })),
});

/** A package in Pyodide's lock file; passed on to Pyodide unchanged. */
export type LockEntry = z.infer<typeof entrySchema>;

/** Packages of a lock file by their names. */
export type WheelLock = Readonly<Record<string, LockEntry>>;

/** Libraries found in a folder. */
export type Wheels = {
  readonly folder: string;
  /** Libraries that are complete with their dependencies. */
  readonly libraries: readonly string[];
  /** Packages to load for them, by name. */
  readonly packages: WheelLock;
  /** Missing or altered files, worded for the operator. */
  readonly problems: readonly string[];
};

/** Libraries available for Pyodide. Plotly is not; a chart can be a plain dict. */
export const WHEEL_LIBRARIES: readonly string[] = ['numpy', 'pandas', 'scipy'];

/** `libraries` and their dependencies. Throws if the lock file lacks one. */
export function wheelsFor(libraries: readonly string[], lockText: string): WheelLock {
  const { packages } = lockSchema.parse(JSON.parse(lockText));
  const needed: Record<string, LockEntry> = {};
  const queue = [...libraries];
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (needed[name]) continue;
    const entry = entrySchema.safeParse(packages[name]);
    if (!entry.success) throw new Error(`Pyodide's lock file has no usable entry for ${name}`);
    needed[name] = entry.data;
    queue.push(...entry.data.depends);
  }
  return needed;
}

/** Checks every file that the libraries need. */
export async function readWheels(folder: string, lockText: string): Promise<Wheels> {
  const faults = new Map<string, string>();
  for (const [name, entry] of Object.entries(wheelsFor(WHEEL_LIBRARIES, lockText))) {
    const fault = await faultOf(folder, entry);
    if (fault !== null) faults.set(name, fault);
  }
  const isWhole = (library: string) =>
    Object.keys(wheelsFor([library], lockText)).every((name) => !faults.has(name));
  const libraries = WHEEL_LIBRARIES.filter(isWhole);
  return { folder, libraries, packages: wheelsFor(libraries, lockText), problems: [...faults.values()] };
}

/** What is wrong with a package's file in `folder`, or null. */
export async function faultOf(folder: string, { file_name, sha256 }: LockEntry): Promise<string | null> {
  const bytes = await readFile(join(folder, file_name)).catch(() => null);
  if (bytes === null) return `${join(folder, file_name)} is missing; npm run sandbox-wheels fetches it`;
  const found = sha256Of(bytes);
  if (found === sha256) return null;
  return `${join(folder, file_name)} is not the file that Pyodide's lock file names: its SHA-256 is ${found}, not ${sha256}`;
}
