/**
 * A provider that refuses what the real ones refuse. It stands behind every fake server and every scripted model of the
 * tests: a request that one of these APIs would refuse is answered as that API answers it, and fails the test.
 */
import { anthropicRules, geminiRules } from './others.ts';
import { chatRules, mistralRules, ollamaRules, responsesRules } from './openai.ts';
import { Refused, said, storable, type Json } from './refused.ts';

/** The APIs whose documents the rules follow. */
export const STRICT_APIS = ['responses', 'chat', 'mistral', 'anthropic', 'gemini', 'ollama'] as const;
export type StrictApi = (typeof STRICT_APIS)[number];

/** How the API answers a request that it refuses. */
export type Refusal = {
  readonly status: number;
  readonly message: string;
  readonly body: Json;
  /** A rule of one provider that an adapter learns by its first refusal; no test fails by that. */
  readonly isLesson: boolean;
};

export type Received = {
  readonly body: Json;
  /** Where the address names it. */
  readonly model?: string;
  /** What the server has answered so far: APIs take back what they issued. */
  readonly issued?: string;
};

/** Why the API refuses the request; null for one that it takes. */
export function refusalOf(api: StrictApi, { body, model = '', issued = '' }: Received): Refusal | null {
  try {
    storable(body);
    RULES[api](body, issued, model);
    return null;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const { status, message, code } = error;
    return {
      status,
      message,
      body: errorBody(api, error),
      isLesson: LESSONS.includes(code ?? '') || (api === 'chat' && error.param === 'max_tokens'),
    };
  }
}

/** Mistral's codes for its order of messages and its ids of nine characters. OpenAI's are told apart by the parameter: its
 * models that think take `max_completion_tokens`, which most other servers do not know. */
const LESSONS: readonly string[] = ['3230', '3280'];

const RULES: Readonly<Record<StrictApi, (body: Json, issued: string, model: string) => void>> = {
  responses: responsesRules,
  chat: chatRules,
  mistral(body, issued) {
    chatRules(body, issued);
    mistralRules(body);
  },
  anthropic: anthropicRules,
  gemini: geminiRules,
  ollama: ollamaRules,
};

function errorBody(api: StrictApi, { message, param, code, status }: Refused): Json {
  const type = 'invalid_request_error';
  switch (api) {
    case 'responses':
    case 'chat':
      return { error: { message, type, param, code } };
    case 'mistral':
      return { object: 'error', message, type, param, code };
    case 'anthropic':
      return { type: 'error', error: { type, message } };
    case 'gemini':
      return { error: { code: status, message, status: 'INVALID_ARGUMENT' } };
    case 'ollama':
      return { error: message };
    default:
      return api satisfies never;
  }
}

const MISTRAL = /^(?:mistral|ministral|codestral|devstral|magistral|pixtral)/;

/** The API that an address belongs to; null for any other address. */
export function apiAt(url: string, body: Json): { readonly api: StrictApi; readonly model?: string } | null {
  const path = url.replace(/\?.*$/, '');
  if (path.endsWith('/responses')) return { api: 'responses' };
  if (path.endsWith('/chat/completions'))
    return { api: MISTRAL.test(said(body['model'])) ? 'mistral' : 'chat' };
  if (path.endsWith('/v1/messages')) return { api: 'anthropic' };
  if (path.endsWith('/api/chat')) return { api: 'ollama' };
  const gemini = /\/v1beta\/models\/([^/:]+):streamGenerateContent$/.exec(path);
  return gemini && { api: 'gemini', model: decodeURIComponent(gemini[1]!) };
}

/** Shared by all modules of a worker; `strict-check.ts` reads it behind each test. */
const KEPT = Symbol.for('qpilot.test.refusals');
const kept =
  (globalThis as { [KEPT]?: string[] })[KEPT] ?? ((globalThis as { [KEPT]?: string[] })[KEPT] = []);

/** Fails the test that is running. */
export function reportRefusal(api: StrictApi, { message, isLesson }: Refusal, body: Json): void {
  if (isLesson) return;
  kept.push(`${api} refuses this request: ${message}\n${JSON.stringify(body).slice(0, 4_000)}`);
}

/** What was refused since it was last asked. */
export const takeRefusals = (): readonly string[] => kept.splice(0);
