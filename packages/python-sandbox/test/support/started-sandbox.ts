import { afterAll, beforeAll } from '@jest/globals';
import type { PythonSandbox, PythonSandboxOptions } from '../../src/python-sandbox.ts';
import { openSandbox } from './sandbox.ts';

/** A sandbox for the tests of a block: started before the first of them, closed after the last. */
export function startedSandbox(options: Partial<PythonSandboxOptions> = {}): PythonSandbox {
  const sandbox = openSandbox(options);
  beforeAll(async () => void (await sandbox.availability()));
  afterAll(() => sandbox.close());
  return sandbox;
}
