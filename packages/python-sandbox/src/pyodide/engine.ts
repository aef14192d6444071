/**
 * Python as WebAssembly in single-use Node processes without permissions. Knows how to start such a process and how to
 * talk to it; the pool decides when.
 */
import { existsSync, realpathSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startContained } from '../contained-process.ts';
import type { ContainedProcess } from '../contained-process.ts';
import type { PythonEngine } from '../engine.ts';
import { probeLauncher } from '../launcher.ts';
import type { Launcher } from '../launcher.ts';
import { limitsWith } from '../limits.ts';
import type { SandboxLimits } from '../limits.ts';
import { STANDARD_MODULES, importPolicyJson } from '../python/modules.ts';
import { toWarmProcess } from '../warm-process.ts';
import { ensureChildFolder, ensureWheels } from './child-folder.ts';
import type { ChildFolder } from './child-folder.ts';
import { removeUnusedFolders } from './folder-use.ts';
import type { JobConfig } from './job-process.ts';
import { testWalls } from './self-test.ts';
import { pyodideLock } from './pyodide-package.ts';
import { ensureSnapshot, receiveSnapshot } from './snapshot-cache.ts';
import type { SnapshotConfig } from './snapshot-process.ts';
import { readWheels } from './wheels.ts';
import type { Wheels } from './wheels.ts';

/** Options of the Pyodide engine. */
export type PyodideEngineOptions = {
  /** Folder that contained processes read from; created if missing. */
  readonly cacheDir: string;
  readonly limits: SandboxLimits;
  /** False to accept processes that could open connections. */
  readonly requireNamespaces: boolean;
  /** `off` starts processes as on a machine without namespaces. */
  readonly namespaces: 'auto' | 'off';
  /** Folder with wheels of libraries; null for none. */
  readonly wheelsDir: string | null;
  /** Lock file with the checksums of the wheels, if not Pyodide's own. */
  readonly lockPath?: string;
};

const PAGE_BYTES = 65_536;
const OLD_SPACE_MB = 128;

/** Outcome of `prepare`. */
type Prepared = {
  readonly launcher: Launcher;
  readonly folder: ChildFolder;
  readonly cwd: string;
  readonly wheels: Wheels | null;
  readonly limits: SandboxLimits;
};

/** The engine on this machine. Nothing runs until {@link PythonEngine.prepare}. */
export function createPyodideEngine(options: PyodideEngineOptions): PythonEngine {
  const { limits, cacheDir } = options;
  let prepared: Prepared | undefined;

  async function prepare(): Promise<void> {
    const launcher = await probeLauncher(options.namespaces);
    await mkdir(join(cacheDir, 'empty'), { recursive: true, mode: 0o700 });
    const cache = realpathSync(cacheDir);
    const given = await wheelsOf(options);
    const own = limitsWith(given?.libraries ?? [], limits);
    const wasmPages = pagesOf(own);
    const folder = await ensureChildFolder(cache, snapshotDependsOn(wasmPages));
    const wheels = given && (await ensureWheels(folder, given));
    const place: Prepared = { launcher, folder, cwd: join(cache, 'empty'), wheels, limits: own };
    await ensureSnapshot(folder.snapshotPath, () => {
      const config: SnapshotConfig = { assets: folder.assets, wasmPages };
      return receiveSnapshot(startProcess('snapshot-process.ts', config, place), limits.startTimeoutMs);
    });
    prepared?.folder.use.release();
    prepared = place;
    await removeUnusedFolders(cache);
  }

  function preparedOrThrow(): Prepared {
    if (!prepared) throw new Error('prepare() of the Pyodide engine has not resolved yet');
    return prepared;
  }

  const jobConfig = ({ folder, wheels, limits: own }: Prepared): JobConfig => ({
    assets: folder.assets,
    snapshotPath: folder.snapshotPath,
    wasmPages: pagesOf(own),
    replyBytes: limits.replyBytes,
    wheels,
  });

  return {
    name: 'pyodide',
    prepare,
    modules: () => [...STANDARD_MODULES, ...(preparedOrThrow().wheels?.libraries ?? [])],
    remarks: () => preparedOrThrow().wheels?.problems ?? [],
    start: () => {
      const place = preparedOrThrow();
      const contained = startProcess('job-process.ts', jobConfig(place), place);
      return toWarmProcess(contained, { engine: 'Pyodide', limits: place.limits });
    },
    selfTest: () => {
      const place = preparedOrThrow();
      return testWalls({
        namespaces: place.launcher.namespaces,
        requireNamespaces: options.requireNamespaces,
        timeoutMs: limits.startTimeoutMs,
        start: (config) => startProcess('self-test-process.ts', { ...jobConfig(place), ...config }, place),
      });
    },
  };
}

/** Starts a script in a Node process that may read the prepared folder and do nothing else; the caller kills it. */
function startProcess(script: string, config: object, place: Prepared): ContainedProcess {
  const { launcher, folder, cwd, limits } = place;
  // No permission to write, to start programs or threads, or to load native code is granted.
  const { file, args } = launcher.wrap([
    process.execPath,
    '--permission',
    `--allow-fs-read=${folder.path}/`,
    '--disallow-code-generation-from-strings',
    `--wasm-max-mem-pages=${pagesOf(limits)}`,
    `--max-old-space-size=${OLD_SPACE_MB}`,
    '--no-warnings',
    join(folder.assets.ownFolder, script),
    JSON.stringify(config),
  ]);
  return startContained({ file, args, cwd });
}

const pagesOf = ({ memoryBytes }: SandboxLimits): number => Math.floor(memoryBytes / PAGE_BYTES);

async function wheelsOf({ wheelsDir, lockPath }: PyodideEngineOptions): Promise<Wheels | null> {
  if (wheelsDir === null) return null;
  if (!existsSync(wheelsDir)) throw new Error(`PYODIDE_WHEELS_DIR: the folder ${wheelsDir} does not exist`);
  const lockText = lockPath === undefined ? await pyodideLock() : await readFile(lockPath, 'utf8');
  return await readWheels(wheelsDir, lockText);
}

/** V8's caches depend on the Node build and its flags; of these only the memory limit varies. */
function snapshotDependsOn(wasmPages: number): string {
  return [process.version, process.arch, process.platform, wasmPages, importPolicyJson([])].join();
}
