/**
 * Bodies of errors, as servers really send them, brought into the one form that the SDKs read: an `error` object with
 * a message. Google wraps errors in an array, Mistral sends the error itself, proxies send pages, and gateways send
 * errors under status 200.
 */
import { jsonIn } from '../../../base/json.ts';
import { durationMs } from './asked-pause.ts';

/** Errors are short; a longer body is cut. */
const MAX_WORDS = 2_000;

/** The same response; an error is given the form that the SDKs read, and its status where it came under 200. */
export async function withReadableError(response: Response): Promise<Response> {
  const isJson = /^application\/json/i.test(response.headers.get('content-type') ?? '');
  if (response.ok && !isJson) return response;
  const text = await response.text();
  const { status, statusText } = response;
  const parsed = jsonIn(text);
  const body = Array.isArray(parsed) ? (parsed as readonly unknown[])[0] : parsed;
  const error = isRecord(body) ? body['error'] : undefined;
  if (response.ok && error == null) return copyOf(response, text, status);
  const readable =
    error != null
      ? body
      : {
          error: isRecord(body)
            ? { ...body, message: messageIn(body) }
            : { message: pageTitle(text) || statusText },
        };
  return copyOf(response, JSON.stringify(readable), response.ok ? statusIn(error) : status);
}

function copyOf({ headers, statusText }: Response, body: string, status: number): Response {
  const kept = new Headers(headers);
  kept.delete('content-length');
  kept.delete('content-encoding');
  return new Response(body, { status, statusText, headers: kept });
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The first that is a status, as a number or, at LiteLLM, as text. */
const statusAmong = (values: readonly unknown[]): number | null =>
  values.map(Number).find((value) => Number.isInteger(value) && value >= 400 && value < 600) ?? null;

/** Of an error that came under status 200. */
const statusIn = (error: unknown): number =>
  (isRecord(error) ? statusAmong([error['code'], error['status'], error['status_code']]) : null) ?? 500;

const messageIn = (body: Readonly<Record<string, unknown>>): string =>
  [body['message'], body['detail'], body['msg']].find((each) => typeof each === 'string') ??
  JSON.stringify(body).slice(0, MAX_WORDS);

/** What a page says in its title; other text as it is. */
function pageTitle(text: string): string {
  if (!/^\s*</.test(text)) return text.trim().slice(0, MAX_WORDS);
  return /<title>([^<]{1,200})<\/title>/i.exec(text)?.[1]?.trim() ?? '';
}

/** The error that a frame of a stream is, rather than holds: Google's array, or the error itself; null for none. */
export function errorOfFrame(frame: unknown): ({ readonly message: string } & object) | null {
  const first: unknown = Array.isArray(frame) ? frame[0] : null;
  const held = isRecord(first) ? first['error'] : null;
  const error = isRecord(frame) && frame['object'] === 'error' ? frame : held;
  return isRecord(error) ? { ...error, message: messageIn(error) } : null;
}

/** What an error object holds beside its message. */
export type ErrorDetails = {
  /** HTTP status of the server behind a gateway; null where there is none. */
  readonly status: number | null;
  /** What the provider calls it, in all the places where providers name errors. */
  readonly names: readonly string[];
  readonly pauseMs: number | null;
  /** Text of a call that the provider could not read. */
  readonly failedCall: string | null;
};

/** Reads an error object, of any provider. */
export function errorDetails(error: unknown): ErrorDetails {
  if (!isRecord(error)) return { status: null, names: [], pauseMs: null, failedCall: null };
  const inner = isRecord(error['innererror']) ? error['innererror'] : {};
  const metadata = isRecord(error['metadata']) ? error['metadata'] : {};
  const details = Array.isArray(error['details']) ? error['details'].filter(isRecord) : [];
  const quotas = details.flatMap(({ violations }) =>
    Array.isArray(violations) ? violations.filter(isRecord) : [],
  );
  const retry = details.map(({ retryDelay }) => retryDelay).find((delay) => typeof delay === 'string');
  const named = [
    error['code'],
    error['type'],
    error['status'],
    inner['code'],
    metadata['error_type'],
    ...quotas.map(({ quotaId }) => quotaId),
    ...(Array.isArray(metadata['reasons']) ? ['moderation'] : []),
  ];
  const failedCall = error['failed_generation'];
  return {
    status: statusAmong([error['status_code'], error['code'], error['status']]),
    names: named.filter((name) => typeof name === 'string'),
    pauseMs: retry === undefined ? null : durationMs(retry),
    failedCall: typeof failedCall === 'string' && failedCall !== '' ? failedCall : null,
  };
}
