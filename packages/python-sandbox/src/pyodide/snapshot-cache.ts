import { readFile } from 'node:fs/promises';
import type { ContainedProcess } from '../contained-process.ts';
import { isIntactSnapshot } from './snapshot-file.ts';
import { writeWhole } from './whole-file.ts';

const HEADER_LINE_BYTES = 1_024;
const MAX_SNAPSHOT_BYTES = 256 * 1024 * 1024;

/**
 * Builds the snapshot file at `path` if it is missing or damaged. Safe in several processes at once: each moves a
 * complete file into place.
 */
export async function ensureSnapshot(path: string, build: () => Promise<Buffer>): Promise<void> {
  if (!(await isIntact(path))) await writeWhole(path, await build());
}

/** Reads the output of a snapshot process and kills it. Rejects with its error output on failure or timeout. */
export async function receiveSnapshot(contained: ContainedProcess, timeoutMs: number): Promise<Buffer> {
  const timer = setTimeout(() => contained.kill(), timeoutMs);
  try {
    const { bytes } = JSON.parse(await contained.output.line(HEADER_LINE_BYTES)) as { bytes: number };
    if (!(bytes > 0 && bytes < MAX_SNAPSHOT_BYTES))
      throw new Error(`it announced a snapshot of ${bytes} bytes`);
    return await contained.output.bytes(bytes);
  } catch (cause) {
    contained.kill();
    const { how, stderr } = await contained.exited;
    throw new Error(`the Pyodide snapshot could not be made (${how}): ${stderr.trim() || String(cause)}`, {
      cause,
    });
  } finally {
    clearTimeout(timer);
    contained.kill();
  }
}

async function isIntact(path: string): Promise<boolean> {
  try {
    return isIntactSnapshot(await readFile(path));
  } catch {
    return false;
  }
}
