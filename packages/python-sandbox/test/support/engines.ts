import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe } from '@jest/globals';
import { DEFAULT_LIMITS } from '../../src/limits.ts';
import { createNativeEngine } from '../../src/native/engine.ts';
import type { EngineName } from '../../src/walls.ts';
import { BARE_PYTHON } from './bare-python.ts';

/** Asked for by their files: importing them takes seconds. */
const FIND_LIBRARIES = `
from importlib.util import find_spec
print(' '.join(name for name in ('numpy', 'pandas', 'scipy', 'plotly') if find_spec(name) is None))`;

const wallProblem = await missingForWalls();

/**
 * Tests of every engine. Those of one that this machine cannot run are skipped, and their title says what is missing.
 */
export function describeEngines(title: string, body: (engine: EngineName) => void): void {
  describe(`${title}, on pyodide`, () => body('pyodide'));
  describeOrSkip(title, wallProblem, () => body('native'));
}

/** Tests of the native engine alone, with all its libraries. */
export async function describeNative(title: string, body: () => void): Promise<void> {
  describeOrSkip(title, wallProblem ?? (await missingLibraries()), body);
}

function describeOrSkip(title: string, problem: string | null, body: () => void): void {
  if (problem === null) describe(`${title}, on native`, body);
  else describe.skip(`${title}, on native (skipped, since ${problem})`, body);
}

async function missingForWalls(): Promise<string | null> {
  const engine = createNativeEngine({ limits: DEFAULT_LIMITS, python: BARE_PYTHON });
  try {
    await engine.prepare();
    const { walls } = await engine.selfTest();
    return walls.find(({ ok }) => !ok)?.detail ?? null;
  } catch (error) {
    return String(error);
  }
}

async function missingLibraries(): Promise<string | null> {
  const { stdout } = await promisify(execFile)('/usr/bin/python3', ['-I', '-c', FIND_LIBRARIES]);
  const missing = stdout.trim();
  return missing === '' ? null : `its python3 has no ${missing}`;
}
