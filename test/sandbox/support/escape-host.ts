/**
 * A program without any rights taken away that runs every escape, either in stock Pyodide or in the sealed realm with no
 * process wall and no Python layer around it. Prints which escapes had the secret, then stays for a while.
 */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadPyodide } from 'pyodide';
import { openRealm } from '../../../src/sandbox/pyodide/realm.ts';
import { escapesFor } from './escapes.ts';
import type { Canaries } from './escapes.ts';

const SHOUT = 'LOOT';
/** Connections are made after the last attempt has returned; whoever waits for them ends the program earlier. */
const LONGEST_MS = 30_000;
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

async function sealed(): Promise<(code: string) => void> {
  const pyodideFolder = dirname(fileURLToPath(import.meta.resolve('pyodide/pyodide.asm.wasm')));
  const ownFolder = join(import.meta.dirname, '../../../src/sandbox/pyodide');
  const realm = await openRealm({ pyodideFolder, ownFolder }, { wasmPages: 4096 });
  realm.seal();
  return (code) => realm.internals.boot.python(code);
}
