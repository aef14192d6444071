import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { PythonResult } from '../../src/sandbox/python-result.ts';
import { describeEngines } from './support/engines.ts';
import { HOSTILE_SCRIPTS } from './support/hostile-table.ts';
import { openTraps } from './support/hostile.ts';
import type { Traps } from './support/hostile.ts';
import { openSandbox, runPython } from './support/sandbox.ts';

let traps: Traps;
beforeAll(async () => (traps = await openTraps()));
afterAll(() => traps.close());

describeEngines('a hostile analysis', (engine) => {
  const sandbox = openSandbox({ engine });
  afterAll(() => sandbox.close());

  test.each(HOSTILE_SCRIPTS)('gets nowhere by $family: $name', async (script) => {
    const result = await runPython(sandbox, traps.arm(script));
    expect(await traps.reached([result])).toEqual([]);
  });
});

describe('the traps', () => {
  const PYTHON = '/usr/bin/python3';
  const hasPython = spawnSync(PYTHON, ['-c', '']).status === 0 ? test : test.skip;
  const inTheOpen = HOSTILE_SCRIPTS.filter(({ name }) => !/of the parent|of a process|symbolic/.test(name));

  hasPython.each(inTheOpen)('notice $family: $name where nothing contains it', async (script) => {
    const child = spawnSync(PYTHON, ['-c', traps.arm(script)], { encoding: 'utf8', env: process.env });
    const output: PythonResult = {
      output: child.stdout,
      charts: [],
      refusedCharts: [],
      tables: {},
      error: null,
      durationMs: 0,
    };
    expect(await traps.reached([output])).toContain(script.marker);
  });
});
