import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { computeOverride, configSources, mergeConfig } from '../../src/domain/artifacts/config-merge.ts';
import type { JsonObject } from '../../src/domain/visuals.ts';

/** Objects as settings files hold them: nested, with lists, without nulls. */
const config = fc.letrec<{ value: JsonObject[string]; object: JsonObject }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.integer(),
    fc.string(),
    fc.array(fc.string(), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value')),
})).object;

describe('merging settings', () => {
  test('merges objects, replaces everything else, and takes away what is null', () => {
    const base = { llm: { model: 'm', temperature: 0 }, tools: { git: ['a', 'b'], sql: ['c'] }, x: 1 };
    const override = { llm: { temperature: 1 }, tools: { git: ['z'], sql: null }, x: { deep: true } };
    expect(mergeConfig(base, override)).toEqual({
      llm: { model: 'm', temperature: 1 },
      tools: { git: ['z'] },
      x: { deep: true },
    });
  });

  test('an empty object leaves what is there, an empty list replaces it', () => {
    expect(mergeConfig({ a: { b: 1 }, c: [1] }, { a: {}, c: [] })).toEqual({ a: { b: 1 }, c: [] });
  });

  test.each(['__proto__', 'constructor', 'prototype'])('refuses the key %s, with its path', (key) => {
    const override = JSON.parse(`{"llm":{"${key}":{"polluted":true}}}`) as JsonObject;
    expect(() => mergeConfig({}, override)).toThrow(`llm.${key} is not a setting`);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  test('changes neither of its arguments', () => {
    fc.assert(
      fc.property(config, config, (base, override) => {
        const [before, over] = [structuredClone(base), structuredClone(override)];
        mergeConfig(base, override);
        computeOverride(base, override);
        expect([base, override]).toEqual([before, over]);
      }),
    );
  });

  test('the override of an edit, merged again, is the edit', () => {
    fc.assert(
      fc.property(config, config, (base, edited) => {
        expect(mergeConfig(base, computeOverride(base, edited))).toEqual(edited);
      }),
    );
  });

  test('an edit that changes nothing needs no override', () => {
    fc.assert(
      fc.property(config, (base) => expect(computeOverride(base, structuredClone(base))).toEqual({})),
    );
  });

  test('tells which layer each value is from', () => {
    const layers = [
      { name: 'defaults', config: { llm: { model: 'm', temperature: 0 }, tools: { git: ['a'] } } },
      { name: 'expert', config: { llm: { temperature: 1 }, tools: { git: [] } } },
    ];
    expect(configSources(layers)).toEqual([
      { path: 'llm.model', layer: 'defaults' },
      { path: 'llm.temperature', layer: 'expert' },
      { path: 'tools.git', layer: 'expert' },
    ]);
  });
});
