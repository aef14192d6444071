import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ContainedProcess } from '../contained-process.ts';
import { isIntactSnapshot } from './snapshot-file.ts';

const HEADER_LINE_BYTES = 1_024;
const MAX_SNAPSHOT_BYTES = 256 * 1024 * 1024;

/** Where snapshots are kept and how one is made. */
export type SnapshotCache = {
  readonly folder: string;
  /** Changes with everything that the bytes depend on. */
  readonly key: string;
  /** The bytes of a new snapshot file. */
  readonly build: () => Promise<Buffer>;
};

/**
 * Path of an intact snapshot file, built where there is none or where it is damaged. Several processes may do this at
 * once: each writes a file of its own and moves it into place whole, the last one stays.
 */
export async function ensureSnapshot({ folder, key, build }: SnapshotCache): Promise<string> {
  const path = join(folder, `pyodide-${key}.snapshot`);
  if (await isIntact(path)) return path;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeFile(draft, await build(), { mode: 0o600 });
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
  return path;
}

/** Reads what a snapshot process writes, and kills it. Rejects with what it said when it fails or takes too long. */
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
