import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * What cookies are signed and second factors are encrypted with: `AUTH_SECRET`, else a secret of the data folder, which is
 * made once. Servers with one database need the same, so with several of them the variable must be set.
 */
export async function signingSecret(configured: string | null, dataDir: string): Promise<string> {
  if (configured !== null) return configured;
  const file = join(dataDir, 'auth-secret');
  await mkdir(dataDir, { recursive: true });
  // Whoever comes first makes it.
  await writeFile(file, randomBytes(48).toString('base64url'), { mode: 0o600, flag: 'wx' }).catch(
    (error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    },
  );
  return readFile(file, 'utf8');
}
