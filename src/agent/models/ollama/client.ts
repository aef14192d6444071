/** What Ollama's own API is asked and answers, as far as QPilot uses it (docs.ollama.com/api). */
import { z } from 'zod';
import { ask, httpFault, jsonOf } from '../shared/http.ts';
import type { ProviderFault } from '../shared/provider-errors.ts';

/** Address of an Ollama. The key is for Ollama's cloud; a local server has none. */
export type OllamaAccess = { readonly baseUrl: string; readonly apiKey: string | null };

/** Ollama answers nothing while it loads a model, which takes minutes for a large one. */
const LOADING_TIMEOUT_MS = 600_000;
const LIST_TIMEOUT_MS = 5_000;

export type OllamaClient = {
  /** @throws HttpFault; the signal's reason when that fires. */
  readonly chat: (body: object, signal: AbortSignal) => Promise<Response>;
  readonly get: (path: string, signal: AbortSignal) => Promise<unknown>;
  readonly post: (path: string, body: object, signal: AbortSignal) => Promise<unknown>;
};

export function createOllamaClient({ baseUrl, apiKey }: OllamaAccess): OllamaClient {
  const root = baseUrl.replace(/(?<!\/)\/+$/, '').replace(/\/(?:v1|api)$/, '');
  const headers = apiKey === null ? {} : { authorization: `Bearer ${apiKey}` };
  const asked = (path: string, signal: AbortSignal, headersTimeoutMs: number, body?: object) =>
    ask({ url: `${root}/api/${path}`, headers, signal, headersTimeoutMs, ...(body && { body }) });
  return {
    chat: (body, signal) => asked('chat', signal, LOADING_TIMEOUT_MS, body),
    get: async (path, signal) => jsonOf(await asked(path, signal, LIST_TIMEOUT_MS)),
    post: async (path, body, signal) => jsonOf(await asked(path, signal, LIST_TIMEOUT_MS, body)),
  };
}

/** The fault, naming how to get a model that is not there, and the parameter that a model without thoughts refuses. */
export function ollamaFault(error: unknown, model: string): ProviderFault | null {
  const fault = httpFault(error);
  if (/does not support thinking/i.test(fault?.detail ?? '')) return fault && { ...fault, param: 'think' };
  if (fault?.status !== 404) return fault;
  return { ...fault, detail: `get it with: ollama pull ${model}` };
}

/** One line of a streamed chat. */
export const chatLine = z.object({
  message: z
    .object({
      content: z.string().nullish(),
      thinking: z.string().nullish(),
      tool_calls: z
        .array(
          z.looseObject({
            id: z.string().nullish(),
            function: z.looseObject({
              name: z
                .string()
                .nullish()
                .transform((name) => name ?? ''),
              arguments: z.record(z.string(), z.unknown()).nullish(),
            }),
          }),
        )
        .nullish(),
    })
    .nullish(),
  done: z.boolean().nullish(),
  done_reason: z.string().nullish(),
  prompt_eval_count: z.number().nullish(),
  eval_count: z.number().nullish(),
  error: z.string().nullish(),
});

/** `GET /api/tags`. */
export const tags = z.object({
  models: z
    .array(z.looseObject({ name: z.string(), digest: z.string().nullish() }))
    .nullish()
    .transform((models) => models ?? []),
});

/** `POST /api/show`. */
export const shown = z.object({
  capabilities: z.array(z.string()).nullish(),
  model_info: z.record(z.string(), z.unknown()).nullish(),
  parameters: z.string().nullish(),
});
export type Shown = z.infer<typeof shown>;
