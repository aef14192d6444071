import { describe, expect, test } from '@jest/globals';
import {
  chooseBuilderModel,
  createBuilderModels,
  type BuilderModelRules,
} from '../../../src/agent/builder/builder-models.ts';
import { OFFLINE_BUILDER, createOfflineBuilder } from '../../../src/offline/builder/offline-builder.ts';
import { readConfig } from '../../../src/config/config.ts';
import { fakeProvider } from '../../support/fake-provider.ts';
import { modelSettings, shippedModelTable } from '../../support/known-models.ts';

const [openai, anthropic] = [fakeProvider('openai'), fakeProvider('anthropic')];
const ollama = fakeProvider('ollama', { defaultModel: () => 'llama3', servesAnyName: true });
const gateway = fakeProvider('openai', { servesAnyName: true });

const rules = (more: Partial<BuilderModelRules>): BuilderModelRules => ({
  provider: null,
  model: null,
  copilotModel: null,
  models: [{ name: 'house-model', provider: 'anthropic' }],
  table: shippedModelTable,
  providers: [openai],
  offline: OFFLINE_BUILDER,
  ...more,
});

describe('the model of a builder', () => {
  const HAIKU = 'claude-haiku-4-5-20251001';
  test.each<[string, Partial<BuilderModelRules>, string | null, string]>([
    ['is the offline builder without any provider', { providers: [] }, null, 'offline'],
    ['is small where OpenAI is set up', {}, null, 'openai gpt-4o-mini'],
    ['is small where Anthropic is set up', { providers: [anthropic] }, null, `anthropic ${HAIKU}`],
    ['is the first that Ollama has', { providers: [ollama] }, null, 'ollama llama3'],
    [
      'is that of the first provider of several',
      { providers: [openai, anthropic] },
      null,
      'openai gpt-4o-mini',
    ],
    ['is BUILDER_MODEL', { model: 'gpt-4.1' }, null, 'openai gpt-4.1'],
    ['is the one asked for before BUILDER_MODEL', { model: 'gpt-4.1' }, 'gpt-5', 'openai gpt-5'],
    [
      'is found at the server that lists it, whatever its name',
      { providers: [openai, { ...ollama, listed: () => ['gpt-oss-house'] }], model: 'gpt-oss-house' },
      null,
      'ollama gpt-oss-house',
    ],
    [
      'is found at Anthropic by its name',
      { providers: [openai, anthropic], model: 'claude-x' },
      null,
      'anthropic claude-x',
    ],
    ['is missing where its provider is', { model: 'claude-x' }, null, 'anthropic claude-x, not set up'],
    [
      'is at a gateway where nothing else is set up',
      { providers: [gateway], model: 'claude-x' },
      null,
      'openai claude-x',
    ],
    [
      'is where BUILDER_LLM_PROVIDER says, whatever its name',
      { provider: 'openai', model: 'claude-x' },
      null,
      'openai claude-x',
    ],
    [
      "is that provider's default",
      { provider: 'anthropic', providers: [openai, anthropic] },
      null,
      `anthropic ${HAIKU}`,
    ],
    ['is missing where that provider is', { provider: 'anthropic' }, null, `anthropic ${HAIKU}, not set up`],
    ['is small where only COPILOT_MODEL is set', { copilotModel: 'gpt-4.1' }, null, 'openai gpt-4o-mini'],
    [
      'is small at the provider of COPILOT_MODEL',
      { providers: [openai, anthropic], copilotModel: 'claude-sonnet-4-5-20250929' },
      null,
      `anthropic ${HAIKU}`,
    ],
    [
      'is COPILOT_MODEL at a gateway, which may have no other',
      { providers: [gateway], copilotModel: 'any-model' },
      null,
      'openai any-model',
    ],
    ['is COPILOT_MODEL at Ollama', { providers: [ollama], copilotModel: 'qwen3' }, null, 'ollama qwen3'],
    [
      "is not COPILOT_MODEL at another provider's",
      { provider: 'anthropic', providers: [gateway, anthropic], copilotModel: 'any-model' },
      null,
      `anthropic ${HAIKU}`,
    ],
    [
      'is no COPILOT_MODEL that nobody serves',
      { copilotModel: 'offline-analyst', providers: [anthropic] },
      null,
      `anthropic ${HAIKU}`,
    ],
    ['is whose the settings say', { providers: [openai, anthropic] }, 'house-model', 'anthropic house-model'],
    ['is the offline builder where it is asked for', {}, OFFLINE_BUILDER, 'offline'],
  ])('%s', (_what, more, asked, expected) => {
    const chosen = chooseBuilderModel(rules(more), asked);
    const said =
      chosen.type === 'offline'
        ? 'offline'
        : `${chosen.provider} ${chosen.name}${chosen.isSetUp ? '' : ', not set up'}`;
    expect(said).toBe(expected);
  });

  test('that has no key here is refused with what to set', () => {
    const models = createBuilderModels({
      ...rules({}),
      models: [modelSettings({ name: 'house-model', provider: 'anthropic' })],
      providers: [openai],
      unknownContextTokens: 1_000,
      offlineBuilder: createOfflineBuilder(),
    });
    expect(() => models.resolve('claude-x')).toThrow(
      /claude-x has no provider here.*ANTHROPIC_API_KEY.*offline-builder/,
    );
    expect(models.resolve('gpt-4.1')).toBe(models.resolve('gpt-4.1'));
    expect(models.resolve(OFFLINE_BUILDER).name).toBe(OFFLINE_BUILDER);
  });

  test('takes BUILDER_LLM_PROVIDER in any case and refuses one that there is not', () => {
    expect(readConfig({ BUILDER_LLM_PROVIDER: 'Anthropic' }).builder.provider).toBe('anthropic');
    expect(() => readConfig({ BUILDER_LLM_PROVIDER: 'acme' })).toThrow(
      /BUILDER_LLM_PROVIDER.*openai.*anthropic/s,
    );
  });
});
