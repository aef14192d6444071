/** Requests to providers that are asked without an SDK, and what they answer, line by line. */
import { z } from 'zod';
import { jsonIn } from '../../../base/json.ts';
import { pauseInHeaders } from './asked-pause.ts';
import { errorDetails } from './error-body.ts';
import type { ProviderFault } from './provider-errors.ts';
import { fetchFromProvider } from './provider-fetch.ts';

/** A provider answered with an error status, or could not be reached. */
export class HttpFault extends Error {
  readonly fault: ProviderFault;
  constructor(fault: ProviderFault, cause?: unknown) {
    super(fault.detail, { cause });
    this.fault = fault;
  }
}

export type HttpRequest = {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; a GET without it. */
  readonly body?: object;
  readonly signal: AbortSignal;
  /** A server that does not begin to answer within this time has failed. */
  readonly headersTimeoutMs: number;
};

/** The head of a successful answer. @throws HttpFault; the signal's reason when that fires. */
export async function ask({ url, headers, body, signal, headersTimeoutMs }: HttpRequest): Promise<Response> {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(new Error('timeout')), headersTimeoutMs);
  let response: Response;
  try {
    response = await fetchFromProvider(url, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.any([signal, timeout.signal]),
    });
  } catch (error) {
    signal.throwIfAborted();
    throw new HttpFault({ ...NO_FAULT, isConnection: true, detail: 'no answer' }, error);
  } finally {
    clearTimeout(timer);
  }
  if (response.ok) return response;
  const text = await response.text().catch(() => '');
  const fault = faultIn(text);
  const pauseMs = pauseInHeaders(response.headers) ?? fault.pauseMs;
  throw new HttpFault({ ...fault, status: response.status, pauseMs });
}

/** The error in neutral terms; null for any other. A connection that breaks off in a body is one of the provider's. */
export function httpFault(error: unknown): ProviderFault | null {
  return error instanceof HttpFault ? error.fault : null;
}

const NO_FAULT: ProviderFault = {
  isConnection: false,
  status: null,
  names: [],
  param: null,
  detail: '',
  pauseMs: null,
  failedCall: null,
};

/** An error object, or the text that Ollama has in its place. */
const errorBody = z.object({
  error: z.union([
    z.string().transform((message) => ({ message })),
    z.looseObject({ message: z.string().default('') }),
  ]),
});

/** The error in a body or in a frame of a stream; its detail is the text itself where that is no known error. */
export function faultIn(text: string): ProviderFault {
  const read = errorBody.safeParse(jsonIn(text));
  if (!read.success) return { ...NO_FAULT, detail: text.slice(0, 300) };
  return { ...NO_FAULT, ...errorDetails(read.data.error), detail: read.data.error.message };
}

/** The JSON of an answer, of which nothing is known yet; null for anything else. */
export const jsonOf = async (response: Response): Promise<unknown> => jsonIn(await response.text());

/** The lines of a body as they come, whatever packets they come in; the last one may lack its end. */
export async function* linesOf(response: Response): AsyncGenerator<string> {
  if (response.body === null) return;
  const decoder = new TextDecoder();
  let held = '';
  for await (const chunk of response.body) {
    held += decoder.decode(chunk, { stream: true });
    const lines = held.split('\n');
    held = lines.pop() ?? '';
    for (const line of lines) yield line.replace(/\r$/, '');
  }
  held += decoder.decode();
  if (held !== '') yield held;
}
