import Anthropic, { APIConnectionError, APIError } from '@anthropic-ai/sdk';
import type { ProviderFault } from '../shared/provider-errors.ts';
import { pauseInHeaders } from '../shared/asked-pause.ts';
import { fetchFromProvider } from '../shared/provider-fetch.ts';

/** Address of Anthropic's models; no base URL means Anthropic itself. */
export type AnthropicAccess = { readonly apiKey: string; readonly baseUrl: string | null };

const ADDRESS = 'https://api.anthropic.com';
/** A server that does not begin to answer within this time counts as unavailable. */
const HEADERS_TIMEOUT_MS = 60_000;

/** A client for all models of Anthropic. It asks once: `loop/retry-policy.ts` decides what follows a failure. */
export function createAnthropicClient({ apiKey, baseUrl }: AnthropicAccess): Anthropic {
  return new Anthropic({
    apiKey,
    authToken: null,
    baseURL: baseUrl ?? ADDRESS,
    maxRetries: 0,
    timeout: HEADERS_TIMEOUT_MS,
    fetch: fetchFromProvider,
    logLevel: 'off',
  });
}

/** `instanceof` alone would give the SDK's class with `any` for its type arguments. */
const isApiError = (error: unknown): error is APIError => error instanceof APIError;

/** The SDK's error in neutral terms; null for any other error. */
export function anthropicFault(error: unknown): ProviderFault | null {
  if (!isApiError(error)) return null;
  const headers: Headers | undefined = error.headers;
  return {
    isConnection: error instanceof APIConnectionError,
    status: error.status ?? null,
    names: error.type === null ? [] : [error.type],
    // The message begins with the path of the parameter that it is about, as in `tools.0.strict: …`.
    param: /^([\w.]+): /.exec(error.apiMessage ?? '')?.[1] ?? null,
    detail: error.apiMessage ?? '',
    pauseMs: (headers && pauseInHeaders(headers)) ?? null,
    failedCall: null,
  };
}
