/** The attacks as tests: a file for each engine, so that both run side by side. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { PythonSandboxOptions } from '../../src/python-sandbox.ts';
import type { EngineName } from '../../src/walls.ts';
import { CANARY_VARIABLE } from '../support/escapes.ts';
import { openArena } from './arena.ts';
import type { Arena } from './arena.ts';
import { attack } from './attack.ts';
import type { Outcome } from './attack.ts';
import { openCanaries } from './canaries.ts';
import type { Canaries } from './canaries.ts';
import type { Technique } from './technique.ts';

/** All attacks together, on a machine with other things to do. */
const CORPUS_MS = 600_000;

/** Declares a test for each technique, and one for what all of them left behind. */
export function attacksOn(
  engine: EngineName,
  tried: readonly Technique[],
  options: Partial<PythonSandboxOptions> = {},
): void {
  const outcomes = new Map<string, Promise<Outcome>>();
  let canaries: Canaries;
  let arena: Arena;

  beforeAll(async () => {
    canaries = await openCanaries();
    process.env[CANARY_VARIABLE] = canaries.secret;
    arena = openArena(engine, options);
    for (const technique of tried) outcomes.set(technique.name, attack(arena, technique, canaries));
  });

  afterAll(async () => {
    await arena.close();
    await canaries.close();
    delete process.env[CANARY_VARIABLE];
  });

  test.each(tried)(
    '$family: $name',
    async ({ name, endings }) => {
      const outcome = await outcomes.get(name);
      expect(outcome?.traces).toEqual([]);
      expect(endings[engine]).toContain(outcome?.ending);
    },
    CORPUS_MS,
  );

  test('leave no file, no connection and no process behind', async () => {
    await Promise.all(outcomes.values());
    await arena.close();
    expect(await canaries.files()).toEqual([]);
    expect(canaries.connections()).toBe(0);
    expect(await canaries.processes()).toEqual([]);
  });
}
