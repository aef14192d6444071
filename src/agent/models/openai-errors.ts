import { APIConnectionError, APIError } from 'openai';
import { redactSecrets } from '../../log.ts';
import { ModelError } from '../model.ts';

/** Where in a call to a model an error came up. */
export type CallSite = { readonly model: string; readonly streaming: boolean };

type Verdict = { readonly code: ModelError['code']; readonly retryable: boolean; readonly words: string };

const MAX_PROVIDER_WORDS = 300;

/** `instanceof` alone would give the SDK's class with `any` for its type arguments. */
const isApiError = (error: unknown): error is APIError => error instanceof APIError;

/** What an error of the SDK means to the loop, in words for the user: no address, no key. */
export function toModelError(error: unknown, { model, streaming }: CallSite): Error {
  if (error instanceof ModelError) return error;
  if (!isApiError(error) && !streaming) return error instanceof Error ? error : new Error(String(error));
  // Anything else that comes up while a stream is read is a broken connection or a frame cut in two.
  const verdict = isApiError(error) ? judge(error, streaming) : BROKEN;
  const message = `${model} ${verdict.words}`;
  return new ModelError(verdict.code, message, { retryable: verdict.retryable, cause: error });
}

const BROKEN: Verdict = {
  code: 'BROKEN_STREAM',
  retryable: true,
  words: 'broke off in the middle of its answer',
};

function judge(error: APIError, streaming: boolean): Verdict {
  const said = saidBy(error);
  if (error instanceof APIConnectionError) {
    return streaming ? BROKEN : { code: 'UNAVAILABLE', retryable: true, words: 'could not be reached' };
  }
  if (error.code === 'insufficient_quota' || error.type === 'insufficient_quota') {
    return { code: 'QUOTA', retryable: false, words: `has no quota left: ${said}` };
  }
  const status: number | undefined = error.status;
  if (status === 401 || status === 403) {
    return { code: 'AUTH', retryable: false, words: 'refused the key of this server (OPENAI_API_KEY)' };
  }
  if (status === 429 || error.code === 'rate_limit_exceeded') {
    return {
      code: 'RATE_LIMITED',
      retryable: true,
      words: 'is answering too many requests just now; try again shortly',
    };
  }
  if (status !== undefined && status >= 400 && status < 500) {
    return { code: 'BAD_REQUEST', retryable: false, words: `refused the request: ${said}` };
  }
  if (status === undefined && streaming && error.code === 'server_error') return BROKEN;
  return { code: 'UNAVAILABLE', retryable: true, words: `failed: ${said}` };
}

/** The provider's own words, shortened, without the status and without what looks like a secret. */
function saidBy(error: APIError): string {
  const body = error.error;
  const message = typeof body === 'object' && body !== null && 'message' in body ? body.message : null;
  const words =
    typeof message === 'string' && message !== '' ? message : `status ${error.status ?? 'unknown'}`;
  return redactSecrets(words).slice(0, MAX_PROVIDER_WORDS);
}

/**
 * The parameter that a 400 says the model does not support, if it is one of `droppable`: named by the error's `param`
 * (its first part, as in `reasoning.effort`) or, failing that, quoted in its message.
 */
export function unsupportedParameter<Name extends string>(
  error: unknown,
  droppable: readonly Name[],
): Name | null {
  if (!isApiError(error) || error.status !== 400) return null;
  const said = saidBy(error);
  const named = error.param?.split(/[.[]/)[0];
  const byParam = droppable.find((name) => name === named);
  if (byParam !== undefined) return byParam;
  if (!/unsupported|not supported|unknown|unrecognized/i.test(said)) return null;
  return droppable.find((name) => said.includes(`'${name}'`) || said.includes(`"${name}"`)) ?? null;
}
