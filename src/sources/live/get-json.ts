/** One bounded GET of JSON: the address is trusted, its answer is not. */
import { z } from 'zod';

/** Largest answer that is read: a device of 1,000 qubits in the backend-properties shape takes about 3 MB. */
export const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

/** Where to ask; `headers` may hold credentials, `url` never does. */
export type Endpoint = { readonly url: string; readonly headers: Readonly<Record<string, string>> };

/** How a GET ended. Nothing in it holds the address or its credentials. */
export type JsonAnswer =
  | { readonly type: 'json'; readonly value: unknown }
  | { readonly type: 'status'; readonly status: number; readonly retryAfterMs: number | null }
  | { readonly type: 'timeout' }
  | { readonly type: 'broken'; readonly message: string };

/**
 * Asks once, without following redirects. The time-out covers the whole answer, so that one that drips is cut too.
 * @throws the reason of `signal` when that fires.
 */
export async function getJson(
  endpoint: Endpoint,
  options: { readonly fetch: typeof fetch; readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<JsonAnswer> {
  const timeUp = AbortSignal.timeout(options.timeoutMs);
  let text: string | null;
  try {
    const response = await options.fetch(endpoint.url, {
      headers: { accept: 'application/json', ...endpoint.headers },
      redirect: 'manual',
      signal: AbortSignal.any([options.signal, timeUp]),
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      return { type: 'status', status: response.status, retryAfterMs: retryAfterMs(response.headers) };
    }
    text = await readText(response);
  } catch (error) {
    // Only the network is at work here: whatever fails, the source could not be read.
    options.signal.throwIfAborted();
    return timeUp.aborted ? { type: 'timeout' } : { type: 'broken', message: networkProblem(error) };
  }
  if (text === null) {
    return { type: 'broken', message: `its answer is larger than ${MAX_ANSWER_BYTES / 1024 / 1024} MB` };
  }
  return parse(text);
}

/** Null for a text that is too large; what follows is not read. Counts bytes after decompression. */
async function readText(response: Response): Promise<string | null> {
  if (response.body === null) return '';
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body) {
    bytes += chunk.byteLength;
    if (bytes > MAX_ANSWER_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parse(text: string): JsonAnswer {
  try {
    return { type: 'json', value: JSON.parse(text) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { type: 'broken', message: 'its answer is not JSON' };
  }
}

/** What `fetch` throws where the system could not connect. */
const systemError = z.object({ cause: z.object({ code: z.string() }) });

/** Longest `retry-after` that is honoured. */
const MAX_RETRY_AFTER_S = 3600;

function retryAfterMs(headers: Headers): number | null {
  const seconds = /^\d{1,6}$/.exec(headers.get('retry-after') ?? '')?.[0];
  return seconds === undefined ? null : Math.min(Number(seconds), MAX_RETRY_AFTER_S) * 1000;
}

/** The system's code, such as `ECONNREFUSED`: messages of `fetch` may name the address. */
function networkProblem(error: unknown): string {
  const known = systemError.safeParse(error);
  return known.success ? `it cannot be reached (${known.data.cause.code})` : 'it cannot be reached';
}
