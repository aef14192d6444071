/** Requests and responses of MCP, between Node's and those of the web. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { jsonIn } from '../base/json.ts';
import { isWithinDepth } from '../base/json-depth.ts';

const MAX_BODY_BYTES = 1_000_000;
/** Deeper JSON would overflow the stack of code that walks it. */
const MAX_DEPTH = 200;
const INVALID_REQUEST = -32_600;

/** Reads a message; `problem` is why there is none. */
export async function readBody(
  request: IncomingMessage,
): Promise<{ readonly body: unknown } | { readonly problem: string; readonly status: number }> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES)
      return { status: 413, problem: `a message has at most ${MAX_BODY_BYTES} bytes` };
    chunks.push(chunk);
  }
  const body = jsonIn(Buffer.concat(chunks).toString('utf8'));
  if (body === null) return { status: 400, problem: 'the body is not JSON' };
  if (!isWithinDepth(body, MAX_DEPTH))
    return { status: 400, problem: `a message is nested at most ${MAX_DEPTH} deep` };
  if (Array.isArray(body)) return { status: 400, problem: BATCH };
  return { body };
}

const BATCH = 'batches are not part of the protocol since 2025-06-18; send one message in each request';

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
