/** Requests and responses of MCP, between Node's and those of the web. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';

const INVALID_REQUEST = -32_600;

/** The request without its body, which was read. Aborting it cancels what it asked for. */
export function webRequest(request: IncomingMessage, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  return new Request(new URL(request.url ?? '/', 'http://qpilot'), {
    method: request.method ?? 'POST',
    headers,
    signal,
  });
}

/** Sends a response as its parts come. A client that left ends it. */
export async function sendWebResponse(
  from: Response,
  response: ServerResponse,
  more: Readonly<Record<string, string>>,
): Promise<void> {
  response.writeHead(from.status, {
    ...Object.fromEntries(from.headers),
    ...more,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  response.flushHeaders();
  if (from.body === null) return void response.end();
  try {
    await pipeline(from.body as AsyncIterable<Uint8Array>, response);
  } catch (error) {
    if (!response.destroyed) throw error;
  }
}

/** Answers with an error of the protocol that belongs to no message. */
export function sendProblem(
  response: ServerResponse,
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  const text = JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: INVALID_REQUEST, message } });
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    // What was not read of a body would be taken for the next request.
    ...(status === 413 && { connection: 'close' }),
    ...headers,
  });
  response.end(text);
}
