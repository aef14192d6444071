import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { z } from 'zod';
import type { ContainedCommand } from '../contained-process.ts';
import { NATIVE_MODULES } from '../python/modules.ts';

/** An interpreter of this machine and the files it needs. */
export type PythonInstall = z.infer<typeof installSchema>;

const installSchema = z.object({
  version: z.tuple([z.int(), z.int()]),
  /** Real path. */
  executable: z.string(),
  /** Program loader in the ELF header; null for a static program. */
  loader: z.string().nullable(),
  /** Folders of modules. */
  path: z.array(z.string()),
  /** Libraries of {@link NATIVE_MODULES} that can be imported. */
  libraries: z.array(z.string()),
  /** Shared libraries in use after importing them. */
  mapped: z.array(z.string()),
  /** Folders of data outside those of modules. */
  data: z.array(z.string()),
});

const USUAL_PLACES = ['/usr/bin/python3', '/usr/local/bin/python3'];
const OLDEST_MINOR = 9;

/** Finds an interpreter, preferably with numpy. Rejects with what is missing, worded for the operator. */
export async function findPython(
  given: string | null,
  user: ContainedCommand['user'],
  timeoutMs: number,
): Promise<PythonInstall> {
  const places = given === null ? USUAL_PLACES.filter((place) => existsSync(place)) : [given];
  if (places.length === 0) {
    throw new Error(`no python3 at ${USUAL_PLACES.join(' or ')}; install it, or set SANDBOX_PYTHON`);
  }
  const found: PythonInstall[] = [];
  for (const place of places) {
    const install = await examine(place, user, timeoutMs);
    if (install.libraries.includes('numpy')) return install;
    found.push(install);
  }
  const [first] = found;
  if (!first) throw new Error(`no Python among ${places.join(', ')}`);
  return first;
}

async function examine(
  python: string,
  user: ContainedCommand['user'],
  timeoutMs: number,
): Promise<PythonInstall> {
  const script = await readFile(new URL('./find-python.py', import.meta.url), 'utf8');
  const run = promisify(execFile)(python, ['-I', '-B', '-c', script, JSON.stringify(NATIVE_MODULES)], {
    env: {},
    cwd: '/',
    timeout: timeoutMs,
    ...user,
  });
  const { stdout } = await run.catch((cause: unknown) => {
    throw new Error(`${python} failed to run: ${String(cause).slice(0, 300)}`, { cause });
  });
  const install = installSchema.parse(JSON.parse(stdout));
  const [major, minor] = install.version;
  if (major !== 3 || minor < OLDEST_MINOR) {
    throw new Error(`${python} is Python ${major}.${minor}; 3.${OLDEST_MINOR} or later is needed`);
  }
  return install;
}
