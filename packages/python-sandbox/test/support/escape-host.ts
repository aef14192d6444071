/**
 * A program without any rights taken away that runs every escape, either in stock Pyodide or in the sealed realm with
 * no process wall and no Python layer around it. Prints which escapes had the secret, then stays for a while.
 */
import { mkdirSync } from 'node:fs';
import { loadPyodide } from 'pyodide';
import { ensureChildFolder } from '../../src/pyodide/child-folder.ts';
import { openRealm } from '../../src/pyodide/realm.ts';
import { ensureSnapshot } from '../../src/pyodide/snapshot-cache.ts';
import { packSnapshot, readSnapshotSource } from '../../src/pyodide/snapshot-file.ts';
import { escapesFor } from './escapes.ts';
import type { Canaries } from './escapes.ts';
import { sandboxCacheDir } from './sandbox.ts';

const SHOUT = 'LOOT';
/** Connections are made after the last attempt has returned; whoever waits for them ends the program earlier. */
const LONGEST_MS = 30_000;
const WASM_PAGES = 4096;
// Taken first: escapes that pollute prototypes keep Node from making streams later.
const output = process.stdout;
setTimeout(() => process.exit(0), LONGEST_MS);
const canaries = JSON.parse(process.argv[3] ?? '') as Canaries;
process.on('unhandledRejection', () => {});
process.on('uncaughtException', () => {});

const isStock = process.argv[2] === 'stock';
let runPython = isStock ? await stock() : await sealed();
const looted: string[] = [];
for (const { name, code } of escapesFor(canaries)) {
  const shoutIfLooted = `if ${JSON.stringify(canaries.secret)} in str(loot): raise SystemError('${SHOUT}')`;
  if (attempt(`${code}\n${shoutIfLooted}`) === 'looted') looted.push(name);
  // A broken interpreter would make every later attempt void. Of stock Pyodide it is enough that something worked.
  if (!isStock && attempt('pass') !== 'nothing') runPython = await sealed();
}
output.write(`${JSON.stringify(looted)}\n`);

function attempt(code: string): 'looted' | 'nothing' | 'broken' {
  try {
    runPython(code);
    return 'nothing';
  } catch (error) {
    return String((error as Error).message).includes(`SystemError: ${SHOUT}`) ? 'looted' : 'broken';
  }
}

async function stock(): Promise<(code: string) => void> {
  const pyodide = await loadPyodide();
  return (code) => void pyodide.runPython(code);
}

/** Many escapes break the interpreter; from a snapshot the next one is there in a tenth of the time. */
async function sealed(): Promise<(code: string) => void> {
  mkdirSync(sandboxCacheDir, { recursive: true });
  const { assets, snapshotPath } = await ensureChildFolder(sandboxCacheDir, `escapes on ${process.version}`);
  await ensureSnapshot(snapshotPath, async () => {
    const realm = await openRealm(assets, { wasmPages: WASM_PAGES, makesSnapshot: true });
    return packSnapshot(realm.takeSnapshot(), realm.codeCaches());
  });
  const snapshot = readSnapshotSource(snapshotPath);
  const realm = await openRealm(assets, { wasmPages: WASM_PAGES, snapshot });
  realm.seal();
  return (code) => realm.internals.boot.python(code);
}
