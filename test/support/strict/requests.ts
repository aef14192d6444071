/** A request of the loop as each API would be sent it, for models that are scripts and have no server. */
import type OpenAI from 'openai';
import type Anthropic from '@anthropic-ai/sdk';
import type { Model, ModelRequest } from '../../../src/agent/model.ts';
import { createAnthropicModel } from '../../../src/agent/models/anthropic/messages.ts';
import { createChatCompletionsModel, USER_BEHIND_TOOLS } from '../../../src/agent/models/chat/completions.ts';
import { createGeminiModel } from '../../../src/agent/models/gemini/generate.ts';
import { createOllamaModel } from '../../../src/agent/models/ollama/chat.ts';
import { createOpenAiResponsesModel } from '../../../src/agent/models/openai/responses.ts';
import { SHORT_IDS } from '../../../src/agent/models/shared/sent-input.ts';
import { knownModel } from '../known-models.ts';
import type { Json } from './refused.ts';
import { refusalOf, reportRefusal, STRICT_APIS, type StrictApi } from './provider.ts';

/** Thrown in place of sending. */
class Sent extends Error {}

const NAMES: Readonly<Record<StrictApi, string>> = {
  responses: 'gpt-5.5',
  chat: 'gpt-4.1',
  mistral: 'mistral-large-latest',
  anthropic: 'claude-sonnet-4-5',
  gemini: 'gemini-3-flash',
  ollama: 'qwen3:8b',
};

function modelOf(api: StrictApi, taken: (body: Json) => void): Model {
  const take = (body: object): never => {
    taken(JSON.parse(JSON.stringify(body)) as Json);
    throw new Sent();
  };
  const site = { keyVariable: null, addressVariable: 'ADDRESS', secrets: [] };
  const known = { ...knownModel(NAMES[api]), site, maxOutputTokens: 1_000 };
  switch (api) {
    case 'responses':
      return createOpenAiResponsesModel({
        ...known,
        client: { responses: { create: take } } as unknown as OpenAI,
      });
    case 'chat':
    case 'mistral': {
      const client = { chat: { completions: { create: take } } } as unknown as OpenAI;
      // What Mistral has taught by its first refusals.
      if (api === 'mistral') known.lessons.learn({ refused: [SHORT_IDS, USER_BEHIND_TOOLS] });
      return createChatCompletionsModel({ ...known, client, server: 'openai' });
    }
    case 'anthropic':
      return createAnthropicModel({
        ...known,
        client: { messages: { create: take } } as unknown as Anthropic,
      });
    case 'gemini':
      return createGeminiModel({
        ...known,
        client: { stream: (_model, body) => take(body), list: () => Promise.resolve({}) },
      });
    case 'ollama':
      return createOllamaModel({
        ...known,
        client: {
          chat: (body) => take(body),
          get: () => Promise.resolve({}),
          post: () => Promise.resolve({}),
        },
      });
    default:
      return api satisfies never;
  }
}

/** Fails the running test where any of the APIs would refuse this request. */
export async function checkRequest(request: ModelRequest): Promise<void> {
  // A response is continued by the very API that paused it, which is Anthropic's.
  const apis = request.input.at(-1)?.type === 'round' ? (['anthropic'] as const) : STRICT_APIS;
  for (const api of apis) {
    let body: Json | null = null;
    const model = modelOf(api, (sent) => (body = sent));
    try {
      for await (const _event of model.stream(request, new AbortController().signal));
    } catch (error) {
      if (!(error instanceof Sent)) throw error;
    }
    const refusal = body && refusalOf(api, { body, model: NAMES[api] });
    if (body !== null && refusal !== null) reportRefusal(api, refusal, body);
  }
}
