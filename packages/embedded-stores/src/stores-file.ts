import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { z } from 'zod';

const storesRecord = z.object({
  /** The process that runs the stores. */
  pid: z.int().positive(),
  startedAt: z.iso.datetime(),
  postgresUrl: z.string().nullable(),
  mongoUri: z.string().nullable(),
});

/** What the owner of the embedded stores tells processes that want to use them too. */
export type StoresRecord = z.infer<typeof storesRecord>;

/** Addresses of the embedded servers; null where the owner uses a server of the user's own. */
export type StoreAddresses = Pick<StoresRecord, 'postgresUrl' | 'mongoUri'>;

/** Writes the record whole or not at all, readable by its owner only: whoever knows the addresses may use the stores. */
export async function writeStoresFile(path: string, record: StoresRecord): Promise<void> {
  const fresh = `${path}.${process.pid}`;
  await writeFile(fresh, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
  await rename(fresh, path);
}

/** The record, or `undefined` if there is none or it is of another version of QPilot. It may be of a dead owner. */
export async function readStoresFile(path: string): Promise<StoresRecord | undefined> {
  try {
    return storesRecord.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (isMissing || error instanceof z.ZodError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Takes the record away; harmless if there is none. */
export async function removeStoresFile(path: string): Promise<void> {
  await rm(path, { force: true });
}
