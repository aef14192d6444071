/**
 * How a server is reached, with what it sends bounded while it is read: Streamable HTTP, or a program by its standard
 * streams. The address may be in a private network, since the operator named it; redirects are not followed, and the token
 * goes nowhere else.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { LabServerError } from '../../base/errors.ts';
import { jsonIn } from '../../base/json.ts';
import { isRecord } from '../../domain/values/stored-values.ts';
import type { McpServerSettings } from '../../config/mcp-servers.ts';

/** Largest answer that is read. */
export const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

/** What a request is made for. */
export type CallScope = {
  /** Closes the request. */
  readonly signal: AbortSignal;
  /** Told of an answer that ended without having come. */
  readonly onEnd: (error: LabServerError) => void;
};

/** The call that a request is made for. */
export const callScope = new AsyncLocalStorage<CallScope>();

/** How long what was read of a stream that ended may take to be understood. */
const PARSE_MS = 250;

/** A transport that is not started yet. @param secrets values by the names of their variables */
export function transportTo(
  settings: McpServerSettings,
  secrets: Readonly<Record<string, string>>,
): Transport {
  const { name, url, token, command: [program, ...args] = [], env } = settings;
  if (url !== undefined) {
    return new StreamableHTTPClientTransport(new URL(url), {
      fetch: boundedFetch(name),
      requestInit: {
        ...(token !== undefined && { headers: { authorization: `Bearer ${secrets[token] ?? ''}` } }),
        redirect: 'manual',
      },
      // A stream that breaks is not taken up again: its call fails at once, with words.
      reconnectionOptions: {
        maxRetries: 0,
        initialReconnectionDelay: 1_000,
        maxReconnectionDelay: 1_000,
        reconnectionDelayGrowFactor: 1,
      },
    });
  }
  const transport = new StdioClientTransport({
    command: program ?? '',
    args,
    env: Object.fromEntries(Object.entries(env).map(([name, secret]) => [name, secrets[secret] ?? ''])),
    // What it writes there may be anything; nobody reads it.
    stderr: 'ignore',
    maxBufferSize: MAX_ANSWER_BYTES,
  });
  return transport;
}

/** Streams that servers would hold open are refused: what changes is seen when the tools are listed again. */
const NO_STREAM = { status: 405, statusText: 'Method Not Allowed' };

const boundedFetch =
  (server: string) =>
  async (address: string | URL, init: RequestInit = {}): Promise<Response> => {
    if (init.method === 'GET') return new Response(null, NO_STREAM);
    const scope = callScope.getStore();
    const signals = [init.signal, isNotification(init) ? null : scope?.signal].filter((each) => each != null);
    const response = await fetch(address, { ...init, signal: AbortSignal.any(signals) });
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      const message = `${server} redirects (HTTP ${response.status}), which is not followed; its url must be the final address`;
      throw new LabServerError('MCP_SERVER_REFUSED', message);
    }
    if (response.body === null) return response;
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(bounded(server, scope)), { status, statusText, headers });
  };

/** A message that asks for nothing, such as that a call is cancelled: it is sent also when its call is over. */
function isNotification({ body }: RequestInit): boolean {
  const message = typeof body === 'string' ? jsonIn(body) : null;
  return isRecord(message) && !('id' in message);
}

/** Counts bytes after decompression. */
function bounded(server: string, scope: CallScope | undefined): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes <= MAX_ANSWER_BYTES) return controller.enqueue(chunk);
      const error = tooLarge(server);
      scope?.onEnd(error);
      controller.error(error);
    },
    flush() {
      // By then a complete answer has been parsed and its call has ended, so nobody receives this error.
      setTimeout(() => scope?.onEnd(closedEarly(server)), PARSE_MS).unref();
    },
  });
}

/** The error of an answer that is longer than what is read. */
export const tooLarge = (server: string): LabServerError =>
  new LabServerError(
    'MCP_TOO_LARGE',
    `the answer of ${server} is larger than ${MAX_ANSWER_BYTES / 1024 / 1024} MB; ask for less`,
  );

/** The error of a server that went in the middle of an answer. */
export const closedEarly = (server: string): LabServerError =>
  new LabServerError('MCP_SERVER_AWAY', `${server} closed the connection before it had answered`, {
    retryable: true,
  });
