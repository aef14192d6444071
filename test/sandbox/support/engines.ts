import { describe } from '@jest/globals';
import { DEFAULT_LIMITS } from '../../../src/sandbox/limits.ts';
import { createNativeEngine } from '../../../src/sandbox/native/engine.ts';
import type { EngineName } from '../../../src/sandbox/walls.ts';

const problem = await missingForNative();

/** Tests of every engine. Those of one that this machine cannot run are skipped, and their title says what is missing. */
export function describeEngines(title: string, body: (engine: EngineName) => void): void {
  describe(`${title}, on pyodide`, () => body('pyodide'));
  describeNative(title, () => body('native'));
}

/** The same for the native engine alone. */
export function describeNative(title: string, body: () => void): void {
  if (problem === null) describe(`${title}, on native`, body);
  else describe.skip(`${title}, on native (skipped, since ${problem})`, body);
}

async function missingForNative(): Promise<string | null> {
  const engine = createNativeEngine({ limits: DEFAULT_LIMITS, python: null });
  try {
    await engine.prepare();
    if (!engine.modules().includes('plotly'))
      return 'its python3 has not all of numpy, pandas, scipy, plotly';
    const { walls } = await engine.selfTest();
    return walls.find(({ ok }) => !ok)?.detail ?? null;
  } catch (error) {
    return String(error);
  }
}
