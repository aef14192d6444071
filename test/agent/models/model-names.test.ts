/** Names of models, today's and future ones, and what is known of each where nothing but the table is asked. */
import { describe, expect, test } from '@jest/globals';
import { createModelCatalog } from '../../../src/agent/models/catalog.ts';
import { effortFor, inTable } from '../../../src/agent/models/capabilities.ts';
import type { ProviderId } from '../../../src/config/providers.ts';
import type { ModelSettings } from '../../../src/config/settings.ts';
import { fakeProvider } from '../../support/fake-provider.ts';
import { modelSettings, shippedModelTable as table } from '../../support/known-models.ts';
import { createScriptedModel } from '../../support/scripted-model.ts';

const providers = [
  fakeProvider('openai', { servesAnyName: true }),
  fakeProvider('anthropic'),
  fakeProvider('gemini'),
];

const catalogOf = (preferred: string, models: readonly ModelSettings[] = []) =>
  createModelCatalog({
    models,
    preferred,
    fallbackModel: null,
    unknownContextTokens: 128_000,
    table,
    providers,
    offlineAnalyst: createScriptedModel([], 'offline-analyst'),
  });

/** Name, the provider that is asked, context window, whether it sees pictures, thinks, and has a price. */
type Row = readonly [string, ProviderId, number, boolean | null, boolean | null, boolean];

const NAMES: readonly Row[] = [
  ['gpt-4.1', 'openai', 1_047_576, true, false, true],
  ['gpt-4o-mini-2024-07-18', 'openai', 128_000, true, false, true],
  ['gpt-5', 'openai', 400_000, true, true, true],
  ['gpt-5.1-2026-03-01', 'openai', 400_000, true, true, true],
  ['gpt-5-chat-latest', 'openai', 128_000, true, false, true],
  ['openai/gpt-5', 'openai', 400_000, true, true, true],
  ['gpt-5.3-codex', 'openai', 400_000, true, true, true],
  ['gpt-6.1-sol', 'openai', 272_000, true, true, true],
  ['gpt-6', 'openai', 272_000, true, true, false],
  ['gpt-9-mini', 'openai', 272_000, true, true, false],
  ['o3', 'openai', 200_000, true, true, true],
  ['o4-mini-2025-04-16', 'openai', 200_000, true, true, true],
  ['o7', 'openai', 272_000, true, true, false],
  ['claude-opus-5', 'anthropic', 1_000_000, true, true, true],
  ['claude-sonnet-4-5-20250929', 'anthropic', 200_000, true, true, true],
  ['claude-haiku-4-5', 'anthropic', 200_000, true, true, true],
  ['anthropic/claude-sonnet-4.5', 'openai', 200_000, true, true, true],
  ['us.anthropic.claude-opus-4-6-v1', 'openai', 1_000_000, true, true, true],
  ['claude-opus-7', 'anthropic', 1_000_000, true, true, false],
  ['claude-3-5-haiku-20241022', 'anthropic', 200_000, true, false, true],
  ['gemini-2.5-flash', 'gemini', 1_048_576, true, true, true],
  ['gemini-3.8-flash', 'gemini', 1_048_576, true, true, true],
  ['google/gemini-3.1-pro-preview', 'openai', 1_048_576, true, true, true],
  ['models/gemini-2.5-pro', 'gemini', 1_048_576, true, true, true],
  ['gemini-6-pro', 'gemini', 1_048_576, true, true, false],
  ['deepseek-v4-pro', 'openai', 1_000_000, false, true, false],
  ['mistral-large-2512', 'openai', 262_144, true, false, false],
  ['grok-4.7', 'openai', 500_000, true, true, false],
  ['openai/gpt-oss-120b', 'openai', 131_072, false, true, false],
  ['llama-3.3-70b-versatile', 'openai', 131_072, false, false, false],
];

test.each(NAMES)('%s is known', (name, provider, contextTokens, images, reasons, isPriced) => {
  const catalog = catalogOf(name);
  const known = catalog.capabilitiesOf(name);
  const option = catalog.options().find((each) => each.name === name);
  expect({ provider: option?.provider, ...known, price: known.price !== null }).toMatchObject({
    provider,
    contextTokens,
    images,
    reasons,
    price: isPriced,
  });
});

describe('A name that nobody knows', () => {
  test('has the assumed window, and everything else is tried', () => {
    const known = catalogOf('house-model').capabilitiesOf('house-model');
    expect(known).toMatchObject({ contextTokens: 128_000, source: 'assumed', images: null, strict: null });
    expect(catalogOf('house-model').supportsImages('house-model')).toBe(true);
  });

  test('has what the settings say, and those of the model it is like', () => {
    const deployment = modelSettings({ name: 'prod-eu-2', provider: 'openai', like: 'gpt-5-mini' });
    const known = catalogOf('prod-eu-2', [deployment]).capabilitiesOf('prod-eu-2');
    expect(known).toMatchObject({ contextTokens: 400_000, reasons: true, source: 'table' });
    const smaller = { ...deployment, contextTokens: 50_000, supportsImages: false };
    expect(catalogOf('prod-eu-2', [smaller]).capabilitiesOf('prod-eu-2')).toMatchObject({
      contextTokens: 50_000,
      images: false,
      reasons: true,
      source: 'settings',
    });
  });
});

test('another version has no price of the entry that its name begins with, nor its other facts', () => {
  expect(inTable(table, 'gpt-5.9')).toMatchObject({ source: 'newer', facts: { contextTokens: 272_000 } });
  expect(inTable(table, 'gpt-5-turbo')?.facts.price).toBeUndefined();
  expect(inTable(table, 'gpt-5-2026-03-01')?.facts.price).toEqual({
    input: 1.25,
    cachedInput: 0.125,
    output: 10,
  });
});

test("a maker's prices hold at its own host only, where others serve its models, too", () => {
  expect(inTable(table, 'deepseek-v4-pro', 'api.deepseek.com')?.facts.price?.input).toBe(1.32);
  expect(inTable(table, 'deepseek-v4-pro', 'llm.example.org')?.facts.price).toBeUndefined();
});

test.each([
  ['medium', ['low', 'high', 'max'], 'high'],
  ['low', ['none', 'high'], 'high'],
  ['high', ['none', 'low', 'medium', 'high'], 'high'],
  ['low', [], null],
  ['low', null, 'low'],
] as const)('effort %s of a model that accepts %j is asked for as %s', (asked, accepted, sent) => {
  expect(effortFor(asked, accepted)).toBe(sent);
});
