import OpenAI, { APIConnectionError, APIError } from 'openai';
import type { ModelRequest } from '../../model.ts';
import type { ProviderFault } from '../shared/provider-errors.ts';
import { pauseInHeaders } from '../shared/asked-pause.ts';
import { errorDetails } from '../shared/error-body.ts';
import { hostOf } from '../shared/host.ts';
import { fetchFromProvider } from '../shared/provider-fetch.ts';

/** Address of the models. A base URL without a key means that the server needs none. */
export type OpenAiAccess = {
  readonly apiKey: string | null;
  readonly baseUrl: string | null;
};

/** A server that does not begin to answer within this time counts as unavailable. */
const HEADERS_TIMEOUT_MS = 60_000;

/** A client for all models of one server. It asks once: `loop/retry-policy.ts` decides what follows a failure. */
export function createOpenAiClient({ apiKey, baseUrl }: OpenAiAccess): OpenAI {
  const { address, query } = addressOf(baseUrl);
  const isAzure = (hostOf(baseUrl) ?? '').endsWith('.azure.com');
  return new OpenAI({
    apiKey: apiKey ?? 'none-needed',
    baseURL: address,
    defaultQuery: query,
    defaultHeaders: isAzure && apiKey !== null ? { 'api-key': apiKey } : {},
    maxRetries: 0,
    timeout: HEADERS_TIMEOUT_MS,
    fetch: fetchFromProvider,
    logLevel: 'off',
  });
}

/** The query of an address (`?api-version=…`) goes with every request, behind its path. */
function addressOf(baseUrl: string | null) {
  const url = baseUrl === null ? null : URL.parse(baseUrl);
  if (url === null || url.search === '') return { address: baseUrl, query: {} };
  const query = Object.fromEntries(url.searchParams);
  url.search = '';
  return { address: url.href, query };
}

/** Sends the requests of a session to the same cache. Longer keys are refused. */
export const cacheKeyOf = ({ sessionId }: Pick<ModelRequest, 'sessionId'>): string => sessionId.slice(0, 64);

/** `instanceof` alone would give the SDK's class with `any` for its type arguments. */
const isApiError = (error: unknown): error is APIError => error instanceof APIError;

/** The SDK's error in neutral terms; null for any other error. */
export function openAiFault(error: unknown): ProviderFault | null {
  if (!isApiError(error)) return null;
  const status: number | undefined = error.status;
  const headers: Headers | undefined = error.headers;
  const details = errorDetails(error.error);
  const code: unknown = error.code;
  return {
    isConnection: error instanceof APIConnectionError,
    // Gateways put the status of the server behind them into the error.
    status: status ?? details.status,
    names: [code, error.type, ...details.names].filter((name) => typeof name === 'string'),
    param: error.param ?? null,
    detail: messageOf(error.error),
    pauseMs: (headers && pauseInHeaders(headers)) ?? details.pauseMs,
    failedCall: details.failedCall,
  };
}

/** Errors are an object with a message, or bare text. */
function messageOf(body: unknown): string {
  if (typeof body === 'string') return body;
  const message = typeof body === 'object' && body !== null && 'message' in body ? body.message : null;
  return typeof message === 'string' ? message : '';
}
