/**
 * Translates failures of all providers for the loop, with messages that tell the user what to do. They name settings,
 * never an address or a key.
 */
import { redactSecrets } from '../../../base/redaction/redact.ts';
import { ModelError } from '../../model.ts';

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
};

/** A failure inside the stream, in a form that the SDK does not know. */
export class StreamFault extends Error {
  readonly fault: ProviderFault;
  constructor(detail: string, name: string | null) {
    super(detail);
    this.fault = {
      isConnection: false,
      status: null,
      names: name === null ? [] : [name],
      param: null,
      detail,
      pauseMs: null,
    };
  }
}

/** Where a call to a model failed. */
export type CallSite = {
  readonly model: string;
  readonly streaming: boolean;
  readonly provider: ProviderSite;
};

type Verdict = { readonly code: ModelError['code']; readonly retryable: boolean; readonly words: string };
/** `detail` is never empty and free of secrets. */
type Case = ProviderFault & CallSite;

const MAX_PROVIDER_WORDS = 300;
const BROKEN_WORDS = 'broke off in the middle of its answer';

/** `fault` is null unless the provider failed: while a stream is read, the cause is then a truncated frame. */
export function toModelError(error: unknown, fault: ProviderFault | null, site: CallSite): Error {
  if (error instanceof ModelError) return error;
  if (fault === null && !site.streaming) return error instanceof Error ? error : new Error(String(error));
  const verdict: Verdict =
    fault === null
      ? { code: 'BROKEN_STREAM', retryable: true, words: BROKEN_WORDS }
      : judge({ ...fault, ...site, detail: withoutSecrets(fault, site.provider) });
  return new ModelError(verdict.code, `${site.model} ${verdict.words}`, {
    retryable: verdict.retryable,
    cause: error,
  });
}

function judge(it: Case): Verdict {
  const { status, streaming, provider, detail } = it;
  if (it.isConnection) {
    if (streaming) return { code: 'BROKEN_STREAM', retryable: true, words: BROKEN_WORDS };
    const words = `could not be reached; check that it runs, ${provider.addressVariable} and the network`;
    return { code: 'UNAVAILABLE', retryable: true, words };
  }
  const lasting = judgeLasting(it);
  if (lasting !== null) return { ...lasting, retryable: false };
  if (status === 429 || isNamed(it, /^rate_limit/)) {
    return { code: 'RATE_LIMITED', retryable: true, words: rateWords(it) };
  }
  if (status !== null && status >= 400 && status < 500 && status !== 408) {
    return { code: 'BAD_REQUEST', retryable: false, words: `refused the request: ${detail}` };
  }
  if (
    streaming &&
    (status !== null || isNamed(it, /^(server|api|overloaded|timeout|internal_server)_error$/))
  ) {
    return { code: 'BROKEN_STREAM', retryable: true, words: `${BROKEN_WORDS}: ${detail}` };
  }
  return { code: 'UNAVAILABLE', retryable: true, words: `failed: ${detail}; try again later` };
}

/** Messages of Ollama, vLLM and llama.cpp for a model without tools, or started without them. */
const NO_TOOLS =
  /does not support (?:tools|tool calling|function calling)|requires --enable-auto-tool-choice|tools? param(?:eter)? requires --jinja/i;

/** What a request beyond the context window is called: OpenAI, llama.cpp, DashScope. */
const CONTEXT_NAMES = /^(context_length_exceeded|exceed_context_size_error|request_too_large)$/;
/**
 * The same in words: OpenAI, Anthropic (`prompt is too long`), vLLM and Mistral (`maximum context length`), llama.cpp
 * (`available context size`), Ollama, Gemini (`input token count … exceeds the maximum`), gateways.
 */
const CONTEXT_WORDS =
  /context (?:length|window|size)|prompt is too long|input is too long|(?:input token count|too many (?:input )?tokens).*exceeds?|maximum number of (?:input )?tokens/i;

/** Failures that a retry cannot fix. */
function judgeLasting(it: Case): Pick<Verdict, 'code' | 'words'> | null {
  const { status, provider, detail } = it;
  if (
    status === 402 ||
    isNamed(it, /^(insufficient_quota|billing_error)$/) ||
    /credit balance/i.test(detail)
  ) {
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
  if (NO_TOOLS.test(detail)) return { code: 'NO_TOOLS', words: 'cannot call tools; choose a model that can' };
  const isClient = status === null || (status >= 400 && status < 500) || status === 500;
  if (isNamed(it, CONTEXT_NAMES) || (isClient && status !== 429 && CONTEXT_WORDS.test(detail))) {
    const words = `was sent more than it can read; begin a new session or choose a model with a larger context window: ${detail}`;
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

function rateWords({ pauseMs }: ProviderFault): string {
  const when = pauseMs === null || pauseMs < 1000 ? 'shortly' : `in ${Math.ceil(pauseMs / 1000)} s`;
  return `is answering too many requests just now; try again ${when}`;
}

/** The provider's own words, shortened, without keys. */
function withoutSecrets({ detail, status }: ProviderFault, { secrets }: ProviderSite): string {
  const words = detail.trim() === '' ? `status ${status ?? 'unknown'}` : detail;
  const plain = secrets.reduce((text, secret) => text.replaceAll(secret, '[redacted]'), words);
  return redactSecrets(plain).slice(0, MAX_PROVIDER_WORDS);
}
