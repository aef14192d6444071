/** What Gemini's API is asked and answers, as far as QPilot uses it (ai.google.dev/api/generate-content). */
import { z } from 'zod';
import { ask, httpFault, jsonOf } from '../shared/http.ts';
import type { ProviderFault } from '../shared/provider-errors.ts';

/** Address of Gemini's models; no base URL means Google itself. */
export type GeminiAccess = { readonly apiKey: string; readonly baseUrl: string | null };

const ADDRESS = 'https://generativelanguage.googleapis.com';
const HEADERS_TIMEOUT_MS = 60_000;
const LIST_TIMEOUT_MS = 5_000;

export type GeminiClient = {
  /** @throws HttpFault; the signal's reason when that fires. */
  readonly stream: (model: string, body: object, signal: AbortSignal) => Promise<Response>;
  readonly list: (signal: AbortSignal) => Promise<unknown>;
};

export function createGeminiClient({ apiKey, baseUrl }: GeminiAccess): GeminiClient {
  const root = (baseUrl ?? ADDRESS).replace(/(?<!\/)\/+$/, '').replace(/\/v1(?:beta)?$/, '');
  const headers = { 'x-goog-api-key': apiKey };
  return {
    stream: (model, body, signal) =>
      ask({
        url: `${root}/v1beta/models/${encodeURIComponent(model.replace(/^models\//, ''))}:streamGenerateContent?alt=sse`,
        headers,
        body,
        signal,
        headersTimeoutMs: HEADERS_TIMEOUT_MS,
      }),
    list: async (signal) => {
      const url = `${root}/v1beta/models?pageSize=1000`;
      return jsonOf(await ask({ url, headers, signal, headersTimeoutMs: LIST_TIMEOUT_MS }));
    },
  };
}

/** The fault; a wrong key is a bad request to Google. */
export function geminiFault(error: unknown): ProviderFault | null {
  const fault = httpFault(error);
  return fault?.status === 400 && /api key (?:not valid|expired)/i.test(fault.detail)
    ? { ...fault, status: 401 }
    : fault;
}

/** A part of a message; what else it holds goes back as it came. */
const part = z.looseObject({
  text: z.string().nullish(),
  thought: z.boolean().nullish(),
  thoughtSignature: z.string().nullish(),
  functionCall: z
    .looseObject({
      name: z
        .string()
        .nullish()
        .transform((name) => name ?? ''),
      id: z.string().nullish(),
      args: z.record(z.string(), z.unknown()).nullish(),
    })
    .nullish(),
});
export type GeminiPart = z.infer<typeof part>;

/** One event of a stream. */
export const geminiEvent = z.object({
  candidates: z
    .array(
      z.object({
        content: z.object({ parts: z.array(part).nullish() }).nullish(),
        finishReason: z.string().nullish(),
        finishMessage: z.string().nullish(),
      }),
    )
    .nullish(),
  promptFeedback: z.object({ blockReason: z.string().nullish() }).nullish(),
  usageMetadata: z
    .object({
      promptTokenCount: z.number().nullish(),
      cachedContentTokenCount: z.number().nullish(),
      candidatesTokenCount: z.number().nullish(),
      thoughtsTokenCount: z.number().nullish(),
    })
    .nullish(),
  error: z.unknown().optional(),
});

/** `GET /v1beta/models`. */
export const geminiModels = z.object({
  models: z
    .array(
      z.object({
        name: z.string(),
        inputTokenLimit: z.number().nullish(),
        outputTokenLimit: z.number().nullish(),
        supportedGenerationMethods: z.array(z.string()).nullish(),
        thinking: z.boolean().nullish(),
      }),
    )
    .nullish()
    .transform((models) => models ?? []),
});
