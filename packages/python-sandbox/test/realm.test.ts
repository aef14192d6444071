import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { sealAsmGlue, sealLoader } from '../src/pyodide/glue.ts';

const pyodide = (file: string) => readFile(createRequire(import.meta.url).resolve(`pyodide/${file}`), 'utf8');

type Walk = {
  readonly visited: number;
  readonly leaks: readonly string[];
  /** Parts of `WebAssembly` with which code could make memory of its own. */
  readonly opens: readonly string[];
  readonly errors: number;
};

async function walk(...args: string[]): Promise<Walk> {
  const script = join(import.meta.dirname, 'support/leak-walk.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...args]);
  return JSON.parse(stdout) as Walk;
}

describe('from inside the sealed realm', () => {
  test('no object of the host can be reached, not even an error when the stack is full', async () => {
    const { visited, leaks, opens, errors } = await walk();
    expect([leaks, opens]).toEqual([[], []]);
    expect(visited).toBeGreaterThan(20_000);
    expect(errors).toBe(0);
  });

  test('an object of the host that is put there is found by the same walk, and its errors where stacks are kept', async () => {
    const { leaks, errors } = await walk('plant');
    expect(leaks).toContain('realm.planted.deep.down');
    expect(errors).toBeGreaterThan(0);
  });
});

describe("the changes to Pyodide's scripts", () => {
  test('apply as often as the pinned version needs and leave no import() behind', async () => {
    const sealed = sealAsmGlue(await pyodide('pyodide.asm.mjs')) + sealLoader(await pyodide('pyodide.js'));
    expect(sealed.match(/(?<![\w$.])import\s*\(|import\.meta|export default/g)).toBeNull();
  });

  test('refuse another version, in which they would miss something', async () => {
    const source = await pyodide('pyodide.asm.mjs');
    expect(() => sealAsmGlue(source.replace('import.meta.url', 'import.meta'))).toThrow(
      'pyodide.asm.mjs: expected 3 × import.meta.url but found 2; this is not the pinned Pyodide',
    );
    expect(() => sealLoader('import("node:fs")')).toThrow('pyodide.js: expected 13 × import() but found 1');
  });
});
