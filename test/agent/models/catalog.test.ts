import { describe, expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { chargeOf, priceOf } from '../../../src/agent/turn/settings-limits.ts';
import { createModelCatalog, type CatalogDeps } from '../../../src/agent/models/catalog.ts';
import { createScriptedModel } from '../../support/scripted-model.ts';
import { fakeProvider } from '../../support/fake-provider.ts';
import { parseSettings, readSettings } from '../../../src/config/settings.ts';
import { modelSettings, shippedModelTable } from '../../support/known-models.ts';

const price = { input: 2, cachedInput: 0.5, output: 8 };
const models = [
  modelSettings({
    name: 'gpt-4.1',
    provider: 'openai',
    supportsImages: true,
    contextTokens: 1_000_000,
    price,
  }),
  modelSettings({ name: 'gpt-4o-mini', provider: 'openai' }),
] as const;
const claude = modelSettings({ name: 'claude-haiku-4-5-20251001', provider: 'anthropic' });

const catalog = (more: Partial<CatalogDeps> = {}) =>
  createModelCatalog({
    models,
    preferred: null,
    fallbackModel: null,
    unknownContextTokens: 128_000,
    table: shippedModelTable,
    providers: [fakeProvider('openai')],
    offlineAnalyst: createScriptedModel([], 'offline-analyst'),
    ...more,
  });

const gateway = fakeProvider('openai', { servesAnyName: true });
const anthropic = fakeProvider('anthropic');
const ollamaListing = (...names: string[]) =>
  fakeProvider('ollama', {
    listed: () => names,
    defaultModel: () => names[0] ?? 'ollama',
    servesAnyName: true,
  });

describe('The model of a turn', () => {
  test.each<[string, Partial<CatalogDeps>, string | null, string]>([
    ['the one asked for', {}, 'gpt-4o-mini', 'gpt-4o-mini'],
    ['COPILOT_MODEL when none is', { preferred: 'gpt-4o-mini' }, null, 'gpt-4o-mini'],
    ['COPILOT_MODEL, also where the settings do not list it', { preferred: 'gpt-9' }, null, 'gpt-9'],
    ["OpenAI's default without that", {}, null, 'gpt-4.1'],
    ["Anthropic's default where only it is configured", { providers: [anthropic] }, null, claude.name],
    ['the first that Ollama lists', { providers: [ollamaListing('qwen3:8b', 'b')] }, null, 'qwen3:8b'],
    ['any that Ollama lists, by its name', { providers: [ollamaListing('a', 'b')] }, 'b', 'b'],
    ['whatever Ollama has later, while it is down', { providers: [ollamaListing()] }, null, 'ollama'],
    ["the first provider's default", { providers: [fakeProvider(), ollamaListing('a')] }, null, 'gpt-4.1'],
    ['the offline analyst only without any provider', { providers: [] }, null, 'offline-analyst'],
    ['the offline analyst by its name', {}, 'offline-analyst', 'offline-analyst'],
  ])('is %s', (_name, deps, asked, answers) => {
    expect(catalog(deps).resolve(asked).name).toBe(answers);
  });

  test.each<[string, CatalogDeps['providers'], string]>([
    ['claude-opus-5', [gateway, anthropic], 'anthropic'],
    ['claude-opus-5', [gateway], 'openai'],
    ['gpt-9', [fakeProvider(), ollamaListing('a')], 'openai'],
    ['gpt-oss:120b', [gateway, ollamaListing('a')], 'ollama'],
    ['my-finetune', [gateway, anthropic], 'openai'],
  ])(
    'that the settings do not list, %s, is asked of the provider it seems to be of',
    (name, providers, id) => {
      const [own] = catalog({ models: [], preferred: name, providers }).options();
      expect(own).toMatchObject({ name, provider: id, available: true });
    },
  );

  test('is refused when nobody offers it, naming those that are', () => {
    expect(() => catalog().resolve('gpt-9')).toThrow(
      'gpt-9 is not a model of this server; choose one of gpt-4.1, gpt-4o-mini, offline-analyst',
    );
  });

  test('is never the offline analyst, nor of another provider, in place of a model without its provider', () => {
    expect(() => catalog({ providers: [] }).resolve('gpt-4.1')).toThrow(
      'gpt-4.1 has no provider configured here (OPENAI_API_KEY or OPENAI_BASE_URL)',
    );
    expect(() => catalog({ providers: [], preferred: 'gpt-4.1' })).toThrow(
      /COPILOT_MODEL=gpt-4.1 .* OPENAI_API_KEY/,
    );
    expect(() => catalog({ providers: [ollamaListing('a')], preferred: 'claude-opus-5' })).toThrow(
      /COPILOT_MODEL=claude-opus-5 has no provider here: set ANTHROPIC_API_KEY/,
    );
  });

  test('is listed with whether it can be asked here; the offline analyst comes last', () => {
    const offline = { name: 'offline-analyst', provider: 'offline', available: true, supportsImages: false };
    const listed = (given: Partial<CatalogDeps>) =>
      catalog(given)
        .options()
        .map(({ capabilities: _known, ...rest }) => rest);
    expect(listed({ models: [models[0], claude], providers: [anthropic] })).toEqual([
      { name: 'gpt-4.1', provider: 'openai', available: false, supportsImages: true },
      { name: claude.name, provider: 'anthropic', available: true, supportsImages: true },
      offline,
    ]);
    const ollamaWithFacts = fakeProvider('ollama', {
      listed: () => ['a', 'b'],
      defaultModel: () => 'a',
      factsOf: (name) => ({ images: name === 'b' }),
    });
    expect(listed({ models: [], providers: [ollamaWithFacts] })).toEqual([
      { name: 'a', provider: 'ollama', available: true, supportsImages: false },
      { name: 'b', provider: 'ollama', available: true, supportsImages: true },
      offline,
    ]);
  });

  test('follows what Ollama lists: down, then up, without a new catalogue', () => {
    const names: string[] = [];
    const provider = fakeProvider('ollama', {
      listed: () => names,
      defaultModel: () => names[0] ?? 'ollama',
    });
    const one = catalog({ models: [], providers: [provider] });
    expect(one.options()[0]).toMatchObject({ name: 'ollama', available: false });
    names.push('qwen3:8b');
    expect(one.defaultName).toBe('qwen3:8b');
    expect(one.options()[0]).toMatchObject({ name: 'qwen3:8b', available: true });
    expect(one.resolve('qwen3:8b').name).toBe('qwen3:8b');
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
    const other = catalog({ models: [...models, claude], fallbackModel: claude.name });
    expect(other.fallbackOf('gpt-4.1')).toBeNull();
    const both = {
      models: [...models, claude],
      fallbackModel: claude.name,
      providers: [fakeProvider(), anthropic],
    };
    expect(catalog(both).fallbackOf('gpt-4.1')?.name).toBe(claude.name);
  });

  test('has the context window of the settings, else the published one, else the one taken for unknown', () => {
    expect(catalog().capabilitiesOf('gpt-4.1').contextTokens).toBe(1_000_000);
    expect(catalog().capabilitiesOf('gpt-4o').contextTokens).toBe(128_000);
    expect(catalog({ unknownContextTokens: 50_000 }).capabilitiesOf('house-model').contextTokens).toBe(
      50_000,
    );
  });

  test('costs what the price table says, cached input at its own price', () => {
    const usage = { inputTokens: 1_000_000, cachedTokens: 400_000, outputTokens: 100_000 };
    expect(priceOf(catalog().capabilitiesOf('gpt-4.1').price, usage)).toBeCloseTo(
      0.6 * 2 + 0.4 * 0.5 + 0.1 * 8,
    );
    expect(priceOf(catalog().capabilitiesOf('gpt-4o-mini').price, usage)).toBeCloseTo(0.09 + 0.03 + 0.06);
    expect(priceOf(catalog().capabilitiesOf('llama3').price, usage)).toBeNull();
  });
});

describe('What budgets are charged', () => {
  const usage = { inputTokens: 1_000, cachedTokens: 400, cacheWriteTokens: 200, outputTokens: 100 };

  test('for writing to a cache is its configured price, else the surcharge of Anthropic', () => {
    // 1,000 of input, 0.75 off what was read, 100 of output; on top what writing costs more.
    expect(chargeOf({ ...price, cacheWrite: 2 }, usage)).toBe(800);
    expect(chargeOf({ ...price, cacheWrite: 4 }, usage)).toBe(1_000);
    expect(chargeOf(price, usage)).toBe(850);
  });
});

describe('The settings file', () => {
  test('that is shipped has the default limits', async () => {
    const { limits, models } = await readSettings();
    expect(limits).toMatchObject({
      sessionTokens: 1_000_000,
      userTokensPerDay: 2_000_000,
      projectTokensPerDay: 20_000_000,
      messagesPerMinute: 20,
      turnsPerUser: 4,
      turnsAtOnce: 50,
      waitingPerUser: 20,
      jobsPerUser: 100,
      uploadMegabytes: 50,
      turn: {
        rounds: 10,
        callsPerRound: 8,
        identicalCalls: 3,
        visuals: 8,
        toolSeconds: 30,
        turnSeconds: 180,
        turnCeilingSeconds: 1800,
        tokens: 60_000,
      },
    });
    expect(limits.turn.toolCalls).toMatchObject({ get_parameter_timeseries: { calls: 3 } });
    expect(models.map(({ name }) => name)).toContain('gpt-4.1');
  });

  test('names itself and each setting that is wrong', async () => {
    const text = await readFile(new URL('../../../config/qpilot.yaml', import.meta.url), 'utf8');
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
