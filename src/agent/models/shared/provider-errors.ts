/**
 * Translates failures of all providers for the loop, with messages that tell the user what to do. They name settings,
 * never an address or a key.
 */
import { LEAST_SECRET_LENGTH, redactSecrets } from '../../../base/redaction/redact.ts';
import { ModelError, type ModelErrorCode } from '../../model.ts';
import { pauseInWords, pauseWords } from './asked-pause.ts';
import { errorDetails } from './error-body.ts';

/** A provider in error messages. */
export type ProviderSite = {
  /** Variable that holds its key; null where it has none. */
  readonly keyVariable: string | null;
  readonly addressVariable: string;
  /** The expected form of an address, where users often get it wrong. */
  readonly addressHint?: string;
  /** Never repeated in a message, whatever the provider returns. */
  readonly secrets: readonly string[];
};

/** A failure that an SDK reported, in neutral terms. */
export type ProviderFault = {
  /** The connection failed, rather than the provider answering that something did. */
  readonly isConnection: boolean;
  /** HTTP status, also from inside an event; null where there is none. */
  readonly status: number | null;
  /** What the provider calls it, for example `insufficient_quota` or `overloaded_error`. */
  readonly names: readonly string[];
  /** The parameter of the request that it is about. */
  readonly param: string | null;
  /** The provider's message. */
  readonly detail: string;
  readonly pauseMs: number | null;
  /** Text of a call that the provider could not read; null where it is not about one. */
  readonly failedCall: string | null;
};

/** A failure inside the stream, in a form that the SDK does not know. */
export class StreamFault extends Error {
  readonly fault: ProviderFault;
  /** `error` is the provider's error object, where it sent one. */
  constructor(detail: string, name: string | null, error: unknown = null) {
    super(detail);
    const { names, ...details } = errorDetails(error);
    this.fault = {
      isConnection: false,
      param: null,
      detail,
      ...details,
      names: name === null ? names : [name, ...names],
    };
  }
}

/** Where a call to a model failed. */
export type CallSite = {
  readonly model: string;
  readonly streaming: boolean;
  readonly provider: ProviderSite;
};

type Verdict = { readonly code: ModelErrorCode; readonly retryable: boolean; readonly words: string };
/** `detail` is never empty and free of secrets. */
type Case = ProviderFault & CallSite;

const MAX_PROVIDER_WORDS = 300;
/** Longest excerpt of an unreadable call in the note to the model. */
const MAX_CALL_WORDS = 2_000;
const BROKEN_WORDS = 'broke off in the middle of its answer';

/** `fault` is null unless the provider failed: while a stream is read, the cause is then a truncated frame. */
export function toModelError(error: unknown, fault: ProviderFault | null, site: CallSite): Error {
  if (error instanceof ModelError) return error;
  if (fault === null && !site.streaming) return error instanceof Error ? error : new Error(String(error));
  const pauseMs = fault && (fault.pauseMs ?? pauseInWords(fault.detail));
  const verdict: Verdict =
    fault === null
      ? { code: 'BROKEN_STREAM', retryable: true, words: BROKEN_WORDS }
      : judge({ ...fault, ...site, pauseMs, detail: withoutSecrets(fault, site.provider) });
  return new ModelError(verdict.code, `${site.model} ${verdict.words}`, {
    retryable: verdict.retryable,
    pauseMs,
    hint: verdict.code === 'BAD_CALL' ? callHint(fault?.failedCall ?? null) : null,
    cause: error,
  });
}

/** Statuses under which the same request may be answered a moment later. */
const PASSING = new Set([408, 409, 424, 425]);
const OVERLOADED = /overloaded|capacity|slow.?down|too busy|high demand/i;
const RATE_LIMITED = /^(?:rate_?limit|too_many_requests|resource_exhausted|throttl|.*capacity_exceeded)/i;
const BAD_CALL = /^(?:tool_use_failed|malformed_function_call|unexpected_tool_call)$/i;

function judge(it: Case): Verdict {
  const { status, streaming, provider, detail } = it;
  if (it.isConnection) {
    if (streaming) return { code: 'BROKEN_STREAM', retryable: true, words: BROKEN_WORDS };
    const words = `could not be reached; check that it runs, ${provider.addressVariable} and the network`;
    return { code: 'UNAVAILABLE', retryable: true, words };
  }
  if (isNamed(it, BAD_CALL)) {
    return { code: 'BAD_CALL', retryable: true, words: `wrote a tool call that cannot be read: ${detail}` };
  }
  const lasting = judgeLasting(it);
  if (lasting !== null) return { ...lasting, retryable: false };
  if (status === 429 || isNamed(it, RATE_LIMITED)) {
    const words = `is answering too many requests just now; try again ${whenWords(it)}`;
    return { code: 'RATE_LIMITED', retryable: true, words };
  }
  if (status === 529 || isNamed(it, /^overloaded/) || (status === 503 && OVERLOADED.test(detail))) {
    return { code: 'OVERLOADED', retryable: true, words: `is overloaded; try again ${whenWords(it)}` };
  }
  const isRefused = status !== null && status >= 400 && status < 500 && !PASSING.has(status);
  if (isRefused || (status === null && isNamed(it, /^invalid_(?:request|prompt)/))) {
    return { code: 'BAD_REQUEST', retryable: false, words: `refused the request: ${detail}` };
  }
  if (streaming && (status !== null || isNamed(it, /^(server|api|timeout|internal_server)_error$/))) {
    return { code: 'BROKEN_STREAM', retryable: true, words: `${BROKEN_WORDS}: ${detail}` };
  }
  return { code: 'UNAVAILABLE', retryable: true, words: `failed: ${detail}; try again later` };
}

/** Messages of Ollama, vLLM and llama.cpp for a model without tools, or started without them. */
/** Of a model that answers in words only, behind its name. */
export const NO_TOOLS_WORDS = 'cannot call tools; choose a model that can';
const NO_TOOLS =
  /does not support (?:tools|tool calling|function calling)|requires --enable-auto-tool-choice|tools? param(?:eter)? requires --jinja/i;

/** What a request beyond the context window is called: OpenAI, llama.cpp, DashScope. */
const CONTEXT_NAMES = /^(context_length_exceeded|exceed_context_size_error|request_too_large)$/;
/**
 * The same in words: OpenAI, Anthropic (`prompt is too long`), vLLM and Mistral (`maximum context length`), llama.cpp
 * (`available context size`), Ollama, Gemini (`input token count … exceeds the maximum`), gateways.
 */
const CONTEXT_WORDS =
  /context (?:length|window|size)|(?:prompt|input) is too long|(?:input token count|too many (?:input )?tokens).*exceeds?|maximum number of (?:input )?tokens/i;

/** Google names the limit that was met; those of a day come back tomorrow. */
const QUOTA = /^(?:insufficient_quota|billing_error|insufficient_balance|quota_exceeded)$|PerDay/i;
const FILTERED = /^(?:content_filter|content_policy_violation|responsibleaipolicyviolation|moderation)$/i;
const FILTERED_WORDS = /flagged by moderation|content management policy|content filter/i;

/** Failures that a retry cannot fix. */
function judgeLasting(it: Case): Pick<Verdict, 'code' | 'words'> | null {
  const { status, provider, detail } = it;
  if (isNamed(it, FILTERED) || FILTERED_WORDS.test(detail)) {
    const words = `did not answer: its provider's content filter refused the question; put it in other words (${detail})`;
    return { code: 'FILTERED', words };
  }
  if (status === 402 || isNamed(it, QUOTA) || /credit balance|insufficient balance/i.test(detail)) {
    return { code: 'QUOTA', words: `has no quota left: ${detail}` };
  }
  if (status === 401 || isNamed(it, /^(authentication_error|invalid_api_key)$/)) {
    const key = provider.keyVariable;
    return {
      code: 'AUTH',
      words: `refused the key of this server (${key ?? 'it should need none'}); set a valid one`,
    };
  }
  if (status === 403 || isNamed(it, /^permission_error$/)) {
    return { code: 'AUTH', words: `may not be used with the key of this server: ${detail}` };
  }
  if (NO_TOOLS.test(detail)) return { code: 'NO_TOOLS', words: NO_TOOLS_WORDS };
  const isClient = status === null || (status >= 400 && status < 500) || status === 500;
  if (isNamed(it, CONTEXT_NAMES) || (isClient && status !== 429 && CONTEXT_WORDS.test(detail))) {
    const words = `was sent more than it can read; begin a new session or choose a model with a larger context window: ${detail}`;
    return { code: 'CONTEXT_TOO_LARGE', words };
  }
  if (status === 429 && /request too large/i.test(detail)) {
    const words = `was sent more at once than its account may send in a minute; ask for less at once: ${detail}`;
    return { code: 'CONTEXT_TOO_LARGE', words };
  }
  if (status === 404 || isNamed(it, /^(not_found_error|model_not_found)$/)) {
    const { addressVariable, addressHint } = provider;
    const address = addressHint === undefined ? addressVariable : `${addressVariable} (${addressHint})`;
    const words = `was not found by its provider; check its name and ${address}: ${detail}`;
    return { code: 'BAD_REQUEST', words };
  }
  return null;
}

const isNamed = ({ names }: ProviderFault, pattern: RegExp): boolean =>
  names.some((name) => pattern.test(name));

const whenWords = ({ pauseMs }: ProviderFault): string =>
  pauseMs === null || pauseMs < 1000 ? 'shortly' : `in ${pauseWords(pauseMs)}`;

function callHint(failedCall: string | null): string {
  const what = failedCall === null ? '' : `: ${failedCall.slice(0, MAX_CALL_WORDS)}`;
  return `Your last tool call could not be read${what}\nCall the tool again with valid JSON that fits its schema, or answer without it.`;
}

/** The provider's own words, shortened, without keys. */
function withoutSecrets({ detail, status }: ProviderFault, { secrets }: ProviderSite): string {
  const words = detail.trim() === '' ? `status ${status ?? 'unknown'}` : detail;
  const plain = secrets
    .filter(({ length }) => length >= LEAST_SECRET_LENGTH)
    .reduce((text, secret) => text.replaceAll(secret, '[redacted]'), words);
  return redactSecrets(plain).slice(0, MAX_PROVIDER_WORDS);
}
