import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { z } from 'zod';

const storesRecord = z.object({
  /** The process that runs the stores. */
  pid: z.int().positive(),
  startedAt: z.iso.datetime(),
  postgresUrl: z.string().nullable(),
  mongoUri: z.string().nullable(),
});

/** Published by the owner of the embedded stores for the processes that share them. */
export type StoresRecord = z.infer<typeof storesRecord>;

/** Addresses of the embedded servers; null where the owner was given a server. */
export type StoreAddresses = Pick<StoresRecord, 'postgresUrl' | 'mongoUri'>;

/** Writes the record atomically, readable by its user only: the addresses are all one needs to use the stores. */
export async function writeStoresFile(path: string, record: StoresRecord): Promise<void> {
  const fresh = `${path}.${process.pid}`;
  await writeFile(fresh, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
  await rename(fresh, path);
}

/** The record, or `undefined` if it is missing or of another format. Its owner may be dead. */
export async function readStoresFile(path: string): Promise<StoresRecord | undefined> {
  try {
    return storesRecord.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (isMissing || error instanceof z.ZodError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Removes the record if there is one. */
export async function removeStoresFile(path: string): Promise<void> {
  await rm(path, { force: true });
}
