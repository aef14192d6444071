import { describe, expect, test } from '@jest/globals';
import { runPython } from './support/sandbox.ts';
import { startedSandbox } from './support/started-sandbox.ts';

const sandbox = startedSandbox();

describe('Pyodide as npm has it', () => {
  test.each([
    ['numpy', 'the standard library (math, statistics, ...)'],
    ['pandas', 'lists of dicts and the standard library (statistics, itertools, ...)'],
  ])('has no %s, and says what to use instead', async (name, instead) => {
    expect((await runPython(sandbox, `import ${name}`)).error).toBe(
      `line 1: ImportError: '${name}' is not installed on this server; use ${instead} instead`,
    );
    await sandbox.availability();
    expect(sandbox.packages()).not.toContain(name);
  });
});
