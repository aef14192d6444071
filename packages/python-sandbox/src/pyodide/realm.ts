/**
 * A sealed realm: Pyodide in a `node:vm` context that holds no object of the host, no way to make code of strings, and
 * replaced imports in place of programs, connections and files. Strings go in, one string comes out.
 */
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { Script, createContext } from 'node:vm';
import { sealAsmGlue, sealLoader } from './glue.ts';
import { importPolicyJson, nativeModulesOf } from '../python/modules.ts';
import { sha256Of } from './sha256.ts';
import type { RealmSource } from './snapshot-file.ts';
import type { WheelLock, Wheels } from './wheels.ts';

/** Where the files of a realm are. All are real paths, since reading through a link needs a permission of its own. */
export type RealmAssets = {
  /** Folder of the npm package `pyodide`. */
  readonly pyodideFolder: string;
  /** Folder of this file; the scripts of a realm are in it and in `python` beside it. */
  readonly ownFolder: string;
};

/** A booted realm. Once sealed, nothing of it may be inspected, logged or formatted by the host. */
export type Realm = {
  /** Gives the realm to the analysed code; booting functions must not be called any more. */
  seal(): void;
  /** The JSON text that `runner.py` made, or nothing when the interpreter broke. May take for ever. */
  run(code: string, dataJson: string, optionsJson: string): string | undefined;
  /** Linear memory of the interpreter. The realm cannot be used further. */
  takeSnapshot(): Uint8Array;
  /** V8 code caches of Pyodide's scripts, in the order of {@link RealmSource.codeCaches}. */
  codeCaches(): readonly Buffer[];
  /** The contextified object and the boot object, for tests that look for ways out of it. */
  readonly internals: { readonly context: object; readonly boot: RealmBoot };
};

/** How a realm comes up: cold, cold with a snapshot to be taken, or from a snapshot. */
export type RealmStart = {
  readonly wasmPages: number;
  readonly snapshot?: RealmSource;
  readonly makesSnapshot?: boolean;
  /** Libraries to load before the realm is sealed. */
  readonly wheels?: RealmWheels;
};

/** Files that have been checked, and what Pyodide's lock file says of them. */
export type RealmWheels = Pick<Wheels, 'folder' | 'libraries' | 'packages'>;

/** What `realm-boot.js` evaluates to. */
export type RealmBoot = {
  allocate(name: string, bytes: number): Uint8Array;
  start(lock: string, wasmPages: number, snapshot: string, makesSnapshot: boolean): void;
  loadPackages(namesJson: string): void;
  state(): string;
  python(source: string): void;
  takeSnapshot(): Uint8Array;
  seal(entry: string): void;
  run(code: string, data: string, options: string): unknown;
};

const ENTRY = '__qpilot_run__';
const SNAPSHOT = 'snapshot';
/** Where Pyodide thinks that its files are. */
const ASSETS = '/pyodide/';
const WASM = `${ASSETS}pyodide.asm.wasm`;
const STDLIB = `${ASSETS}python_stdlib.zip`;

/** Boots a realm: about two seconds cold, a few tenths of a second from a snapshot. Throws when Pyodide does not come up. */
export async function openRealm(assets: RealmAssets, start: RealmStart): Promise<Realm> {
  const read = (folder: string, name: string) => readFileSync(`${folder}/${name}`, 'utf8');
  // A null prototype: that of a plain object would be the host's. Pyodide builds WebAssembly trampolines at start.
  const context = createContext(Object.create(null) as object, {
    codeGeneration: { strings: false, wasm: true },
  });
  const [asmCache, loaderCache] = start.snapshot?.codeCaches ?? [];
  const asm = script('pyodide.asm.js', sealAsmGlue(read(assets.pyodideFolder, 'pyodide.asm.mjs')), asmCache);
  const loader = script('pyodide.js', sealLoader(read(assets.pyodideFolder, 'pyodide.js')), loaderCache);

  script('realm-prelude.js', read(assets.ownFolder, 'realm-prelude.js')).runInContext(context);
  const bootScript = script('realm-boot.js', read(assets.ownFolder, 'realm-boot.js'));
  const boot = bootScript.runInContext(context) as RealmBoot;
  asm.runInContext(context);
  loader.runInContext(context);

  fill(boot, WASM, `${assets.pyodideFolder}/pyodide.asm.wasm`);
  fill(boot, STDLIB, `${assets.pyodideFolder}/python_stdlib.zip`);
  if (start.snapshot)
    fill(boot, SNAPSHOT, start.snapshot.path, start.snapshot.snapshotAt, start.snapshot.snapshotBytes);
  const { wheels } = start;
  const lock = lockOf(read(assets.pyodideFolder, 'pyodide-lock.json'), wheels?.packages ?? {});
  boot.start(lock, start.wasmPages, start.snapshot ? SNAPSHOT : '', start.makesSnapshot ?? false);
  await booted(boot, 'Pyodide did not start');
  if (wheels) await loadWheels(boot, wheels);
  if (!start.snapshot || wheels)
    boot.python(runnerSource(read(assets.ownFolder, '../python/runner.py'), wheels?.libraries ?? []));

  return {
    seal: () => boot.seal(ENTRY),
    run: (code, dataJson, optionsJson) => {
      const answer = boot.run(code, dataJson, optionsJson);
      return typeof answer === 'string' ? answer : undefined;
    },
    takeSnapshot: () => boot.takeSnapshot(),
    codeCaches: () => [asm.createCachedData(), loader.createCachedData()],
    internals: { context, boot },
  };
}

/** A cache that V8 refuses, for example after an upgrade of Node, only makes the start slower. */
function script(filename: string, source: string, cachedData?: Buffer): Script {
  return new Script(source, { filename, ...(cachedData && { cachedData }) });
}

/** Reads a file, or a part of it, straight into memory of the realm, which it returns. */
function fill(boot: RealmBoot, name: string, path: string, position = 0, length?: number): Uint8Array {
  const file = openSync(path, 'r');
  try {
    const target = boot.allocate(name, length ?? fstatSync(file).size);
    for (let read = 0; read < target.length;) {
      const count = readSync(file, target, read, target.length - read, position + read);
      if (count === 0) throw new Error(`${path} ended after ${read} of ${target.length} bytes`);
      read += count;
    }
    return target;
  } finally {
    closeSync(file);
  }
}

async function booted(boot: RealmBoot, failure: string): Promise<void> {
  while (boot.state() === 'starting') await setImmediate();
  if (boot.state() !== 'ready') throw new Error(`${failure}: ${boot.state()}`);
}

/** Native modules can be loaded only until the realm is sealed, so all that are likely to be wanted are imported now. */
async function loadWheels(boot: RealmBoot, { folder, libraries, packages }: RealmWheels): Promise<void> {
  // Pyodide in a bare JavaScript shell asks for packages by their bare names.
  for (const { file_name: file, sha256 } of Object.values(packages)) {
    const bytes = fill(boot, file, `${folder}/${file}`);
    if (sha256Of(bytes) !== sha256) throw new Error(`${folder}/${file} has changed since it was checked`);
  }
  boot.loadPackages(JSON.stringify(Object.keys(packages)));
  await booted(boot, 'libraries were not loaded');
  for (const name of nativeModulesOf(libraries)) boot.python(importIfThere(name));
}

/** A library of another version may lack a module. */
function importIfThere(name: string): string {
  return `try:\n  import ${name}\nexcept ModuleNotFoundError: pass`;
}

/** In the realm nothing is loaded by name but these packages, so it need not know of others. */
function lockOf(lockText: string, packages: WheelLock): string {
  const lock: unknown = JSON.parse(lockText);
  return JSON.stringify({ ...(lock as object), packages });
}

/** JSON text with ASCII escapes is a Python literal too. */
function runnerSource(runner: string, libraries: readonly string[]): string {
  const policy = JSON.stringify(importPolicyJson(libraries));
  return `${runner}\n${ENTRY} = make_runner(${policy})\ndel make_runner\n`;
}
