import { expect, test } from '@jest/globals';
import { createModelCatalog } from '../../src/agent/models/catalog.ts';
import { createScriptedModel } from '../support/scripted-model.ts';
import { openProviders } from '../../src/agent/models/providers.ts';
import { readConfig } from '../../src/config/config.ts';
import { modelFindings } from '../../src/operations/doctor/models.ts';
import { withResources, type ResourceStack } from '../../src/base/resource-stack.ts';
import { ownModelServers } from '../support/own-model-servers.ts';
import { shippedModelTable } from '../support/known-models.ts';

const startServer = ownModelServers();

async function serverListing(...names: readonly string[]): Promise<string> {
  return (await startServer([], { models: () => names })).baseUrl;
}

const examine = (env: Readonly<Record<string, string>>) =>
  withResources((resources) => tellings(env, resources));

async function tellings(env: Readonly<Record<string, string>>, resources: ResourceStack) {
  const config = readConfig(env);
  const providers = await openProviders(config.providers, { maxOutputTokens: 100 }, resources);
  const catalog = createModelCatalog({
    models: [],
    preferred: config.copilotModel,
    fallbackModel: null,
    unknownContextTokens: 16_000,
    table: shippedModelTable,
    providers,
    offlineAnalyst: createScriptedModel([], 'offline-analyst'),
  });
  const findings = await modelFindings({ catalog, providers }, new AbortController().signal);
  return findings.map(
    ({ status, message, advice }) => `${status} ${message}${advice === null ? '' : ` → ${advice}`}`,
  );
}

test('every provider is checked, and listed with its models or with what to do', async () => {
  const gateway = await serverListing('mistral', 'gpt-4.1');
  const ollama = await serverListing();
  const gone = await startServer([]);
  await gone.close();
  const told = await examine({
    OPENAI_BASE_URL: gateway,
    ANTHROPIC_API_KEY: 'sk-ant-very-secret',
    ANTHROPIC_BASE_URL: gone.baseUrl.replace('/v1', ''),
    OLLAMA_BASE_URL: ollama,
  });
  expect(told).toEqual([
    'OK offered: gpt-4.1 (1048 k tokens; pictures), offline-analyst; default: gpt-4.1',
    'OK the server at OPENAI_BASE_URL answers and has mistral, gpt-4.1',
    expect.stringMatching(
      /^PROBLEM the server at ANTHROPIC_BASE_URL could not be reached; .* → check ANTHROPIC_API_KEY and the network/,
    ),
    'PROBLEM Ollama answers, but has no models → install one there',
  ]);
  expect(told.join()).not.toMatch(/secret|127\.0\.0\.1/);
});

test('a default that its server does not have is reported with what the server has', async () => {
  const names = Array.from({ length: 11 }, (_, index) => `model-${index}`);
  const told = await examine({ OPENAI_BASE_URL: await serverListing(...names) });
  expect(told[1]).toMatch(
    /^WARNING .*does not list gpt-4\.1; it has model-0, .*model-7 and 3 more → set COPILOT_MODEL/,
  );
});

test('without any provider, the variables that configure one are named', async () => {
  expect((await examine({})).at(-1)).toMatch(
    /WARNING no provider .* → set OPENAI_API_KEY or OPENAI_BASE_URL, or ANTHROPIC_API_KEY, or GEMINI_API_KEY, or OLLAMA_BASE_URL/,
  );
});
