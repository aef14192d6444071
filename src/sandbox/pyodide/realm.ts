/**
 * A sealed realm: Pyodide in a `node:vm` context that holds no object of the host, no way to make code of strings, and
 * replaced imports in place of programs, connections and files. Strings go in, one string comes out.
 */
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { Script, createContext } from 'node:vm';
import { sealAsmGlue, sealLoader } from './glue.ts';
import { importPolicyJson } from '../python/modules.ts';
import type { RealmSource } from './snapshot-file.ts';

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
};

/** What `realm-boot.js` evaluates to. */
export type RealmBoot = {
  allocate(name: string, bytes: number): Uint8Array;
  start(lock: string, wasmPages: number, snapshot: string, makesSnapshot: boolean): void;
  state(): string;
  python(source: string): void;
  takeSnapshot(): Uint8Array;
  seal(entry: string): void;
  run(code: string, data: string, options: string): unknown;
};

const ENTRY = '__qpilot_run__';
const SNAPSHOT = 'snapshot';
const WASM = '/pyodide/pyodide.asm.wasm';
const STDLIB = '/pyodide/python_stdlib.zip';

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
  const lock = lockWithoutPackages(read(assets.pyodideFolder, 'pyodide-lock.json'));
  boot.start(lock, start.wasmPages, start.snapshot ? SNAPSHOT : '', start.makesSnapshot ?? false);
  while (boot.state() === 'starting') await setImmediate();
  if (boot.state() !== 'ready') throw new Error(`Pyodide did not start: ${boot.state()}`);
  if (!start.snapshot) boot.python(runnerSource(read(assets.ownFolder, '../python/runner.py')));

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

/** Reads a file, or a part of it, straight into memory of the realm. */
function fill(boot: RealmBoot, name: string, path: string, position = 0, length?: number): void {
  const file = openSync(path, 'r');
  try {
    const target = boot.allocate(name, length ?? fstatSync(file).size);
    for (let read = 0; read < target.length;) {
      const count = readSync(file, target, read, target.length - read, position + read);
      if (count === 0) throw new Error(`${path} ended after ${read} of ${target.length} bytes`);
      read += count;
    }
  } finally {
    closeSync(file);
  }
}

/** Nothing is loaded by name in the realm, so it need not know the packages that exist. */
function lockWithoutPackages(lockText: string): string {
  const lock: unknown = JSON.parse(lockText);
  return JSON.stringify({ ...(lock as object), packages: {} });
}

/** JSON text with ASCII escapes is a Python literal too. */
function runnerSource(runner: string): string {
  return `${runner}\n${ENTRY} = make_runner(${JSON.stringify(importPolicyJson([]))})\ndel make_runner\n`;
}
