import { describe, expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { priceOf } from '../../src/agent/answer-turn.ts';
import { createModelCatalog, type CatalogDeps } from '../../src/agent/models/catalog.ts';
import { createScriptedModel } from '../../src/agent/models/scripted.ts';
import { parseSettings, readSettings } from '../../src/settings.ts';

const price = { input: 2, cachedInput: 0.5, output: 8 };
const models = [
  { name: 'gpt-4.1', provider: 'openai', supportsImages: true, price },
  { name: 'gpt-4o-mini', provider: 'openai', supportsImages: true, price: null },
] as const;

const catalog = (more: Partial<CatalogDeps> = {}) =>
  createModelCatalog({
    models,
    preferred: null,
    fallbackModel: null,
    openai: (name) => createScriptedModel([], name),
    offlineAnalyst: createScriptedModel([], 'offline-analyst'),
    ...more,
  });

describe('The model of a turn', () => {
  test.each([
    ['the one asked for', {}, 'gpt-4o-mini', 'gpt-4o-mini'],
    ['COPILOT_MODEL when none is', { preferred: 'gpt-4o-mini' }, null, 'gpt-4o-mini'],
    ['COPILOT_MODEL, also where the settings do not list it', { preferred: 'llama3' }, null, 'llama3'],
    ['the default of the provider without that', {}, null, 'gpt-4.1'],
    ['the offline analyst only without any provider', { openai: null }, null, 'offline-analyst'],
    ['the offline analyst by its name', {}, 'offline-analyst', 'offline-analyst'],
  ])('is %s', (_name, deps, asked, answers) => {
    expect(catalog(deps).resolve(asked).name).toBe(answers);
  });

  test('is refused when nobody offers it, naming those that are', () => {
    expect(() => catalog().resolve('gpt-9')).toThrow(
      'gpt-9 is not a model of this server; choose one of gpt-4.1, gpt-4o-mini, offline-analyst',
    );
  });

  test('is never the offline analyst in place of a model without its provider', () => {
    expect(() => catalog({ openai: null }).resolve('gpt-4.1')).toThrow(
      'gpt-4.1 has no provider configured here',
    );
    expect(() => catalog({ openai: null, preferred: 'gpt-4.1' })).toThrow(
      /COPILOT_MODEL=gpt-4.1 .* OPENAI_API_KEY/,
    );
  });

  test('is listed with whether it can be asked here; the offline analyst comes last', () => {
    expect(catalog({ openai: null }).options()).toEqual([
      { name: 'gpt-4.1', provider: 'openai', available: false, supportsImages: true },
      { name: 'gpt-4o-mini', provider: 'openai', available: false, supportsImages: true },
      { name: 'offline-analyst', provider: 'offline', available: true, supportsImages: false },
    ]);
  });

  test('is one object however often it is asked for', () => {
    const one = catalog();
    expect(one.resolve('gpt-4.1')).toBe(one.resolve(null));
  });

  test('has the configured fallback, but not itself, and the offline analyst has and is none', () => {
    const one = catalog({ fallbackModel: 'gpt-4o-mini' });
    expect(one.fallbackOf('gpt-4.1')?.name).toBe('gpt-4o-mini');
    expect(one.fallbackOf('gpt-4o-mini')).toBeNull();
    expect(one.fallbackOf('offline-analyst')).toBeNull();
    expect(() => catalog({ fallbackModel: 'offline-analyst' })).toThrow(/fallbackModel/);
  });

  test('costs what the price table says, cached input at its own price', () => {
    const usage = { inputTokens: 1_000_000, cachedTokens: 400_000, outputTokens: 100_000 };
    expect(priceOf(models, 'gpt-4.1', usage)).toBeCloseTo(0.6 * 2 + 0.4 * 0.5 + 0.1 * 8);
    expect(priceOf(models, 'gpt-4o-mini', usage)).toBeNull();
    expect(priceOf(models, 'llama3', usage)).toBeNull();
  });
});

describe('The settings file', () => {
  test('that is shipped has the limits of the design', async () => {
    const { limits, models } = await readSettings();
    expect(limits).toMatchObject({
      sessionTokens: 1_000_000,
      userTokensPerDay: 2_000_000,
      messagesPerMinute: 20,
      turnsPerUser: 4,
      uploadMegabytes: 50,
      turn: {
        rounds: 10,
        callsPerRound: 8,
        identicalCalls: 3,
        visuals: 8,
        toolSeconds: 30,
        turnSeconds: 180,
        tokens: 60_000,
      },
    });
    expect(limits.turn.toolCalls).toMatchObject({ get_parameter_timeseries: { calls: 3 } });
    expect(models.map(({ name }) => name)).toContain('gpt-4.1');
  });

  test('names itself and each setting that is wrong', async () => {
    const text = await readFile(new URL('../../config/qpilot.yaml', import.meta.url), 'utf8');
    const broken = text
      .replace('rounds: 10', 'rounds: 0')
      .replace('supportsImages: true', 'suportsImages: true');
    expect(() => parseSettings(broken, 'qpilot.yaml')).toThrow(
      /qpilot\.yaml cannot be used:\n.*models\.0: Unrecognized key: "suportsImages"\n.*limits\.turn\.rounds/s,
    );
    expect(() => parseSettings('a: [', 'qpilot.yaml')).toThrow(/qpilot\.yaml is not YAML/);
    await expect(readSettings('nowhere.yaml')).rejects.toThrow('nowhere.yaml cannot be read');
  });
});
