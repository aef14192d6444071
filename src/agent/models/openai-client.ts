import OpenAI from 'openai';

/** Where OpenAI's models are asked. A base URL without a key stands for a server that needs none. */
export type OpenAiAccess = { readonly apiKey: string | null; readonly baseUrl: string | null };

/** A provider that does not begin to answer within this time is asked again. */
const HEADERS_TIMEOUT_MS = 60_000;

/** A client for all models of one provider; 429 and 5xx are retried by it, honouring `retry-after`. */
export function createOpenAiClient({ apiKey, baseUrl }: OpenAiAccess): OpenAI {
  return new OpenAI({
    apiKey: apiKey ?? 'none-needed',
    baseURL: baseUrl,
    maxRetries: 2,
    timeout: HEADERS_TIMEOUT_MS,
    logLevel: 'off',
  });
}
