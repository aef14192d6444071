/**
 * A sealed realm: Pyodide in a `node:vm` context without host objects, without code generation from strings, and with
 * replaced imports for programs, connections and files. Strings go in, one string comes out.
 */
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { Script, constants, createContext } from 'node:vm';
import { sealAsmGlue, sealLoader } from './glue.ts';
import { importPolicyJson, nativeModulesOf } from '../python/modules.ts';
import { sha256Of } from './sha256.ts';
import type { RealmSource } from './snapshot-file.ts';
import type { WheelLock, Wheels } from './wheels.ts';

/** Folders of a realm's files; real paths, since reading through a link needs its own permission. */
export type RealmAssets = {
  /** Folder of the npm package `pyodide`. */
  readonly pyodideFolder: string;
  /** Folder of this file; the realm's scripts are in it and in its sibling `python`. */
  readonly ownFolder: string;
};

/** A booted realm. Once it is sealed, the host must not inspect, log or format any of its objects. */
export type Realm = {
  /** Hands the realm over to analysed code; boot functions must not be called afterwards. */
  seal(): void;
  /** The JSON text from `runner.py`, or nothing if the interpreter broke. May never return. */
  run(code: string, dataJson: string, optionsJson: string): string | undefined;
  /** The interpreter's linear memory; the realm is unusable afterwards. */
  takeSnapshot(): Uint8Array;
  /** V8 code caches of Pyodide's scripts, in the order of {@link RealmSource.codeCaches}. */
  codeCaches(): readonly Buffer[];
  /** The realm's global object and the boot object, for tests that search for escapes. */
  readonly internals: { readonly context: object; readonly boot: RealmBoot };
};

/** How to start a realm: cold, cold in order to take a snapshot, or from a snapshot. */
export type RealmStart = {
  readonly wasmPages: number;
  readonly snapshot?: RealmSource;
  readonly makesSnapshot?: boolean;
  /** Libraries to load before the realm is sealed. */
  readonly wheels?: RealmWheels;
};

/** Checked files and their entries in Pyodide's lock file. */
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
/** Where Pyodide believes its files are. */
const ASSETS = '/pyodide/';
const WASM = `${ASSETS}pyodide.asm.wasm`;
const STDLIB = `${ASSETS}python_stdlib.zip`;

/** Boots a realm: about 2 s cold, a few tenths of a second from a snapshot. Throws if Pyodide does not start. */
export async function openRealm(assets: RealmAssets, start: RealmStart): Promise<Realm> {
  const read = (folder: string, name: string) => readFileSync(`${folder}/${name}`, 'utf8');
  // Not contextified: an object of the host behind the realm's global one would be the `this` of accessors there.
  // Pyodide builds WebAssembly trampolines at start.
  const context = createContext(constants.DONT_CONTEXTIFY, {
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

/** A cache that V8 rejects, for example after a Node upgrade, only slows the start. */
function script(filename: string, source: string, cachedData?: Buffer): Script {
  return new Script(source, { filename, ...(cachedData && { cachedData }) });
}

/** Reads all or part of a file straight into memory of the realm, and returns that memory. */
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

/** Native modules load only before sealing, so the likely ones are imported now. */
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

/** The lock file reduced to the packages that the realm may load. */
function lockOf(lockText: string, packages: WheelLock): string {
  const lock: unknown = JSON.parse(lockText);
  return JSON.stringify({ ...(lock as object), packages });
}

/** JSON text with ASCII escapes is also a Python literal. */
function runnerSource(runner: string, libraries: readonly string[]): string {
  const policy = JSON.stringify(importPolicyJson(libraries));
  return `${runner}\n${ENTRY} = make_runner(${policy})\ndel make_runner\n`;
}
