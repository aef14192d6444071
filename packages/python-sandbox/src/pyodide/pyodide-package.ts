/** The npm package `pyodide` that this package pins: where its files are, and where its release is published. */
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

/** Folder of the npm package. */
export const PYODIDE_FOLDER: string = dirname(fileURLToPath(import.meta.resolve('pyodide/pyodide.asm.wasm')));

/** Version of the npm package. */
export async function pyodideVersion(): Promise<string> {
  const text = await readFile(join(PYODIDE_FOLDER, 'package.json'), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}

/** The release's lock file: names, checksums and dependencies of its wheels. */
export const pyodideLock = (): Promise<string> => readFile(join(PYODIDE_FOLDER, 'pyodide-lock.json'), 'utf8');

/** Where the files of the release are published. */
export async function pyodideDistribution(): Promise<string> {
  return `https://cdn.jsdelivr.net/pyodide/v${await pyodideVersion()}/full/`;
}
