import { z } from 'zod';
import {
  ModelError,
  type Model,
  type ModelCall,
  type ModelEvent,
  type ModelRequest,
} from '../../src/agent/model.ts';
import { createAnthropicClient } from '../../src/agent/models/anthropic/client.ts';
import { createAnthropicModel } from '../../src/agent/models/anthropic/messages.ts';
import { createChatCompletionsModel } from '../../src/agent/models/chat/completions.ts';
import { createOpenAiClient } from '../../src/agent/models/chat/openai-client.ts';
import { createOpenAiResponsesModel } from '../../src/agent/models/openai/responses.ts';
import { defineTool } from '../../src/agent/tool.ts';
import { NO_SETTINGS, resultOf } from './agent-run.ts';
import type { ModelServer } from './model-server.ts';
import type { Facts } from '../../src/agent/models/capabilities.ts';
import { createGeminiClient } from '../../src/agent/models/gemini/client.ts';
import { createGeminiModel } from '../../src/agent/models/gemini/generate.ts';
import { createOllamaModel } from '../../src/agent/models/ollama/chat.ts';
import { createOllamaClient } from '../../src/agent/models/ollama/client.ts';
import { knownModel } from './known-models.ts';

/** The adapters. */
export type AdapterKind = 'responses' | 'chat' | 'ollama' | 'gemini' | 'anthropic';

const VARIABLES = {
  responses: { keyVariable: 'OPENAI_API_KEY', addressVariable: 'OPENAI_BASE_URL' },
  chat: { keyVariable: 'OPENAI_API_KEY', addressVariable: 'OPENAI_BASE_URL' },
  anthropic: { keyVariable: 'ANTHROPIC_API_KEY', addressVariable: 'OPENAI_BASE_URL' },
  gemini: { keyVariable: 'GEMINI_API_KEY', addressVariable: 'GEMINI_BASE_URL' },
  ollama: { keyVariable: null, addressVariable: 'OLLAMA_BASE_URL' },
} as const;

/** The key that servers of tests are sent; no message may show it. */
export const TEST_KEY = 'qp-test-key-0123456789';

/** A model behind a server of a test. */
export function adapterModel(
  kind: AdapterKind,
  server: Pick<ModelServer, 'baseUrl'>,
  {
    name = `${kind}-model`,
    maxOutputTokens = 1000,
    ...facts
  }: Facts & { readonly name?: string; readonly maxOutputTokens?: number } = {},
): Model {
  const site = { ...VARIABLES[kind], secrets: [TEST_KEY] };
  const model = { ...knownModel(name, facts), site, maxOutputTokens };
  const baseUrl = server.baseUrl.replace(/\/v1$/, '');
  if (kind === 'anthropic') {
    return createAnthropicModel({ ...model, client: createAnthropicClient({ apiKey: TEST_KEY, baseUrl }) });
  }
  if (kind === 'ollama') {
    return createOllamaModel({ ...model, client: createOllamaClient({ apiKey: null, baseUrl }) });
  }
  if (kind === 'gemini') {
    return createGeminiModel({ ...model, client: createGeminiClient({ apiKey: TEST_KEY, baseUrl }) });
  }
  const client = createOpenAiClient({ apiKey: TEST_KEY, baseUrl: server.baseUrl });
  if (kind === 'responses') return createOpenAiResponsesModel({ ...model, client });
  return createChatCompletionsModel({ ...model, client, server: 'openai' });
}

/** A question without tools. */
export const plainRequest: ModelRequest = {
  instructions: 'Answer from the data.',
  input: [{ type: 'user', text: 'How is the chip?' }],
  tools: [],
  toolChoice: 'auto',
  sessionId: 'session-1',
};

/** All that came out of one response; `error` is null when it finished. */
export type Collected = {
  readonly text: string;
  readonly thinking: readonly Extract<ModelEvent, { type: 'thinking' }>[];
  readonly calls: readonly ModelCall[];
  readonly finished: Extract<ModelEvent, { type: 'finished' }> | null;
  readonly error: ModelError | null;
};

/** Reads one response to its end. @throws what is no ModelError, and a `finished` that is not the last event. */
export async function collect(
  model: Model,
  request: ModelRequest = plainRequest,
  signal: AbortSignal = new AbortController().signal,
): Promise<Collected> {
  let text = '';
  const calls: ModelCall[] = [];
  const thinking: Extract<ModelEvent, { type: 'thinking' }>[] = [];
  let finished: Collected['finished'] = null;
  try {
    for await (const event of model.stream(request, signal)) {
      if (finished !== null) throw new Error(`${event.type} came after finished`);
      if (event.type === 'text' || event.type === 'refusal') text += event.text;
      if (event.type === 'thinking') thinking.push(event);
      if (event.type === 'call') calls.push(event.call);
      if (event.type === 'finished') finished = event;
    }
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    if (finished !== null) throw new Error('an error came after finished', { cause: error });
    return { text, thinking, calls, finished, error };
  }
  if (finished === null) throw new Error('the response ended with nothing');
  return { text, thinking, calls, finished, error: null };
}

const arithmetic = (name: string, result: (a: number, b: number) => number) =>
  defineTool({
    name,
    ...NO_SETTINGS,
    label: `Running ${name}`,
    description: `${name} of two numbers.`,
    args: z.object({ a: z.int(), b: z.int() }),
    describe: ({ a, b }) => `${name} of ${a} and ${b}`,
    run: async ({ a, b }) => resultOf(String(result(a, b))),
  });

/** Tools that the recorded streams call. */
export const add = arithmetic('add', (a, b) => a + b);
/** Another one. */
export const multiply = arithmetic('multiply', (a, b) => a * b);
/** The tool that Ollama's recorded stream calls; numbers come as text there. */
export const weather = defineTool({
  name: 'weather',
  ...NO_SETTINGS,
  label: 'Looking at the weather',
  description: 'Weather of a place.',
  args: z.object({ latitude: z.string(), longitude: z.string() }),
  describe: ({ latitude, longitude }) => `weather at ${latitude}, ${longitude}`,
  run: async () => resultOf('15 °C, wind 10 km/h'),
});
