import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Binaries } from './binaries.ts';
import { type Endpoint, ROLE } from './endpoint.ts';
import { programEnvironment } from './environment.ts';
import { chooseIdentity, type Identity, launchAs } from './identity.ts';

const run = promisify(execFile);

const UNFINISHED = 'unfinished-';

/** A data folder that `initdb` has completed, and its owner. */
export type Cluster = { readonly folder: string; readonly identity: Identity };

/**
 * The cluster in `dir/cluster`, created if missing. The caller holds the folder's lock.
 *
 * `initdb` works in a temporary folder that is renamed when it is complete, so a start that is killed half-way leaves
 * something for the next one to delete, never half a cluster.
 */
export async function openCluster(
  dir: string,
  options: { binaries: Binaries; endpoint: Endpoint; fsync: boolean; signal?: AbortSignal | undefined },
): Promise<Cluster> {
  const folder = join(dir, 'cluster');
  if (existsSync(folder)) {
    return { folder, identity: await chooseIdentity(folder, options.binaries.postgres, false) };
  }
  await removeUnfinished(dir);
  const fresh = await mkdtemp(join(dir, UNFINISHED));
  // The other user must be able to pass through to the cluster, which itself stays private.
  if (process.getuid?.() === 0) await chmod(dir, 0o711);
  const identity = await chooseIdentity(fresh, options.binaries.postgres, true);
  const { file, args, options: as } = launchAs(identity, options.binaries.initdb, initdbArgs(fresh, options));
  await run(file, args, {
    ...as,
    cwd: fresh,
    env: programEnvironment(),
    ...(options.signal && { signal: options.signal }),
  });
  await rename(fresh, folder);
  return { folder, identity };
}

async function removeUnfinished(dir: string): Promise<void> {
  await mkdir(dir, { recursive: true });
  // The initdb of a killed start may still be writing; it fails once its files are gone.
  const leftovers = (await readdir(dir)).filter((name) => name.startsWith(UNFINISHED));
  await Promise.all(
    leftovers.map((name) => rm(join(dir, name), { recursive: true, force: true, maxRetries: 10 })),
  );
}

function initdbArgs(folder: string, { endpoint, fsync }: { endpoint: Endpoint; fsync: boolean }): string[] {
  return [
    `--pgdata=${folder}`,
    `--username=${ROLE}`,
    '--encoding=UTF8',
    // The same collation on every machine, whatever locales it has; lower() covers all of Unicode.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    ...endpoint.initdbArgs,
    ...(fsync ? [] : ['--no-sync']),
  ];
}
