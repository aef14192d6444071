/**
 * Python as WebAssembly in single-use Node processes without rights. Knows how such a process is started and spoken
 * with; must not know when: that is the pool's.
 */
import { createHash } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ContainedProcess } from '../contained-process.ts';
import type { PythonEngine } from '../engine.ts';
import { probeLauncher } from '../launcher.ts';
import type { Launcher } from '../launcher.ts';
import { limitsWith } from '../limits.ts';
import type { SandboxLimits } from '../limits.ts';
import { STANDARD_MODULES, importPolicyJson } from '../python/modules.ts';
import { toWarmProcess } from '../warm-process.ts';
import type { JobConfig } from './job-process.ts';
import { startNode } from './node-process.ts';
import type { RealmAssets } from './realm.ts';
import { testWalls } from './self-test.ts';
import { ensureSnapshot, receiveSnapshot } from './snapshot-cache.ts';
import type { SnapshotConfig } from './snapshot-process.ts';
import { readWheels } from './wheels.ts';
import type { Wheels } from './wheels.ts';

/** What the engine is made of. */
export type PyodideEngineOptions = {
  /** Folder for the memory snapshot; made when it is not there. */
  readonly cacheDir: string;
  readonly limits: SandboxLimits;
  /** False when processes that could open connections are better than none. */
  readonly requireNamespaces: boolean;
  /** `off` starts processes as on a machine that has no namespaces. */
  readonly namespaces: 'auto' | 'off';
  /** Folder with wheels of libraries; null for none. */
  readonly wheelsDir: string | null;
  /** Path of another lock file than Pyodide's own, whose checksums the wheels must have. */
  readonly lockPath?: string;
};

const PAGE_BYTES = 65_536;
/** Own files that contained processes load; the snapshot depends on them. */
const OWN_FILES = [
  'contained-io.ts',
  'glue.ts',
  'harden.ts',
  'job-realm.ts',
  'realm.ts',
  'sha256.ts',
  'snapshot-file.ts',
  'realm-prelude.js',
  'realm-boot.js',
  '../python/modules.ts',
  '../python/runner.py',
];
const PYODIDE_FILES = [
  'pyodide.asm.mjs',
  'pyodide.asm.wasm',
  'pyodide.js',
  'pyodide-lock.json',
  'python_stdlib.zip',
];

/** What `prepare` finds out. */
type Prepared = {
  readonly launcher: Launcher;
  readonly snapshotPath: string;
  readonly cwd: string;
  readonly wheels: Wheels | null;
  readonly limits: SandboxLimits;
};

/** A place in which to start a process; there is no snapshot while it is being made. */
type Place = Omit<Prepared, 'snapshotPath'> & { readonly snapshotPath?: string };

/** The engine on this machine. Nothing runs until {@link PythonEngine.prepare}. */
export function createPyodideEngine(options: PyodideEngineOptions): PythonEngine {
  const { limits, cacheDir } = options;
  const assets: RealmAssets = {
    pyodideFolder: dirname(realpathSync(fileURLToPath(import.meta.resolve('pyodide/pyodide.asm.wasm')))),
    ownFolder: realpathSync(import.meta.dirname),
  };
  let prepared: Prepared | undefined;

  function startProcess(script: string, config: object, place: Place): ContainedProcess {
    const { launcher, cwd, snapshotPath, wheels } = place;
    return startNode({
      launcher,
      script: join(assets.ownFolder, script),
      config,
      readable: [
        ...assetPaths(assets),
        ...(snapshotPath === undefined ? [] : [snapshotPath]),
        ...wheelPaths(wheels),
      ],
      cwd,
      wasmPages: pagesOf(place.limits),
    });
  }

  async function prepare(): Promise<void> {
    const launcher = await probeLauncher(options.namespaces);
    await mkdir(join(cacheDir, 'empty'), { recursive: true, mode: 0o700 });
    const folder = realpathSync(cacheDir);
    const wheels = await wheelsOf(options, assets);
    const own = limitsWith(wheels?.libraries ?? [], limits);
    const place: Place = { launcher, cwd: join(folder, 'empty'), wheels, limits: own };
    const wasmPages = pagesOf(own);
    const build = () => {
      const config: SnapshotConfig = { assets, wasmPages };
      return receiveSnapshot(startProcess('snapshot-process.ts', config, place), limits.startTimeoutMs);
    };
    const snapshotPath = await ensureSnapshot({ folder, key: await snapshotKey(assets, wasmPages), build });
    prepared = { ...place, snapshotPath };
  }

  function preparedOrThrow(): Prepared {
    if (!prepared) throw new Error('prepare() of the Pyodide engine has not resolved yet');
    return prepared;
  }

  const jobConfig = ({ snapshotPath, wheels, limits: own }: Prepared): JobConfig => ({
    assets,
    snapshotPath,
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

function assetPaths({ pyodideFolder, ownFolder }: RealmAssets): string[] {
  return [
    ...PYODIDE_FILES.map((file) => join(pyodideFolder, file)),
    ...OWN_FILES.map((file) => join(ownFolder, file)),
  ];
}

const pagesOf = ({ memoryBytes }: SandboxLimits): number => Math.floor(memoryBytes / PAGE_BYTES);

function wheelPaths(wheels: Wheels | null): string[] {
  return wheels ? Object.values(wheels.packages).map(({ file_name: file }) => join(wheels.folder, file)) : [];
}

async function wheelsOf(
  { wheelsDir, lockPath }: PyodideEngineOptions,
  { pyodideFolder }: RealmAssets,
): Promise<Wheels | null> {
  if (wheelsDir === null) return null;
  if (!existsSync(wheelsDir)) throw new Error(`PYODIDE_WHEELS_DIR: there is no folder ${wheelsDir}`);
  const lockText = await readFile(lockPath ?? join(pyodideFolder, 'pyodide-lock.json'), 'utf8');
  return await readWheels(realpathSync(wheelsDir), lockText);
}

/** V8's caches depend on the build of Node and on its flags, of which the memory limit is the only one that varies. */
async function snapshotKey(assets: RealmAssets, wasmPages: number): Promise<string> {
  const { version } = JSON.parse(await readFile(join(assets.pyodideFolder, 'package.json'), 'utf8')) as {
    version: string;
  };
  const hash = createHash('sha256');
  hash.update(
    [version, process.version, process.arch, process.platform, wasmPages, importPolicyJson([])].join(),
  );
  for (const file of OWN_FILES) hash.update(await readFile(join(assets.ownFolder, file)));
  return `${version}-${hash.digest('hex').slice(0, 16)}`;
}
