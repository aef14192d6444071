import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';

/** Writes a file atomically; of concurrent writers the last one wins. */
export async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeFile(draft, bytes, { mode: 0o600 });
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}
