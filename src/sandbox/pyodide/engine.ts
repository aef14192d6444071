/**
 * Python as WebAssembly in single-use Node processes without rights. Knows how such a process is started and spoken
 * with; must not know when: that is the pool's.
 */
import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ContainedProcess } from '../contained-process.ts';
import type { PythonEngine } from '../engine.ts';
import { probeLauncher } from '../launcher.ts';
import type { Launcher } from '../launcher.ts';
import type { SandboxLimits } from '../limits.ts';
import { STANDARD_MODULES, importPolicyJson } from '../python/modules.ts';
import { toWarmProcess } from '../warm-process.ts';
import type { JobConfig } from './job-process.ts';
import { startNode } from './node-process.ts';
import type { RealmAssets } from './realm.ts';
import { testWalls } from './self-test.ts';
import { ensureSnapshot, receiveSnapshot } from './snapshot-cache.ts';
import type { SnapshotConfig } from './snapshot-process.ts';

/** What the engine is made of. */
export type PyodideEngineOptions = {
  /** Folder for the memory snapshot; made when it is not there. */
  readonly cacheDir: string;
  readonly limits: SandboxLimits;
  /** False when processes that could open connections are better than none. */
  readonly requireNamespaces: boolean;
  /** `off` starts processes as on a machine that has no namespaces. */
  readonly namespaces: 'auto' | 'off';
};

const PAGE_BYTES = 65_536;
/** Own files that contained processes load; the snapshot depends on them. */
const OWN_FILES = [
  'contained-io.ts',
  'glue.ts',
  'harden.ts',
  'job-realm.ts',
  'realm.ts',
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
type Prepared = { readonly launcher: Launcher; readonly snapshotPath: string; readonly cwd: string };

/** The engine on this machine. Nothing runs until {@link PythonEngine.prepare}. */
export function createPyodideEngine(options: PyodideEngineOptions): PythonEngine {
  const { limits, cacheDir } = options;
  const assets: RealmAssets = {
    pyodideFolder: dirname(realpathSync(fileURLToPath(import.meta.resolve('pyodide/pyodide.asm.wasm')))),
    ownFolder: realpathSync(import.meta.dirname),
  };
  const wasmPages = Math.floor(limits.memoryBytes / PAGE_BYTES);
  let prepared: Prepared | undefined;

  function startProcess(script: string, config: object, place: Prepared): ContainedProcess {
    const { launcher, cwd, snapshotPath } = place;
    const files = [...assetPaths(assets), snapshotPath].filter((path) => path !== '');
    return startNode({
      launcher,
      script: join(assets.ownFolder, script),
      config,
      readable: files,
      cwd,
      wasmPages,
    });
  }

  async function prepare(): Promise<void> {
    const launcher = await probeLauncher(options.namespaces);
    await mkdir(join(cacheDir, 'empty'), { recursive: true, mode: 0o700 });
    const folder = realpathSync(cacheDir);
    const cwd = join(folder, 'empty');
    const build = () => {
      const config: SnapshotConfig = { assets, wasmPages };
      const place = { launcher, cwd, snapshotPath: '' };
      return receiveSnapshot(startProcess('snapshot-process.ts', config, place), limits.startTimeoutMs);
    };
    const snapshotPath = await ensureSnapshot({ folder, key: await snapshotKey(assets, wasmPages), build });
    prepared = { launcher, cwd, snapshotPath };
  }

  function preparedOrThrow(): Prepared {
    if (!prepared) throw new Error('prepare() of the Pyodide engine has not resolved yet');
    return prepared;
  }

  const jobConfig = ({ snapshotPath }: Prepared): JobConfig => ({
    assets,
    snapshotPath,
    wasmPages,
    replyBytes: limits.replyBytes,
  });

  return {
    name: 'pyodide',
    prepare,
    modules: () => STANDARD_MODULES,
    start: () => {
      const place = preparedOrThrow();
      return toWarmProcess(startProcess('job-process.ts', jobConfig(place), place), {
        engine: 'Pyodide',
        limits,
      });
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
