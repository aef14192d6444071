import { headersFor, type Server } from './http.ts';

type Params = {
  readonly _meta?: Readonly<Record<string, unknown>>;
  readonly name?: unknown;
  readonly uri?: unknown;
  readonly requestId?: unknown;
};
/** What a relay reads of a message; the rest is between the assistant and the server. */
type Message = {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Params;
  readonly result?: { readonly protocolVersion?: string };
};

/** Names the revision in a message that carries it: those without sessions. */
const REVISION = 'io.modelcontextprotocol/protocolVersion';

const UNREACHABLE = -32_000;
const NO_MESSAGE = -32_700;

/** Passes messages of one assistant on to a server, each as a request of its own. */
export type Relay = {
  /** Passes one line on, and writes what comes back. Never rejects: what fails is answered with an error. */
  pass(line: string): Promise<void>;
  /** Resolves once nothing runs any more; what still waits is ended. */
  close(): Promise<void>;
};

/** `write` takes one message a line. */
export function createRelay(
  server: Server,
  write: (line: string) => Promise<void>,
  { withPictures = true }: { readonly withPictures?: boolean } = {},
): Relay {
  const running = new Map<string, AbortController>();
  const passing = new Set<Promise<void>>();
  /** Of a revision with a handshake. */
  let agreed: { readonly version: string | null; readonly session: string | null } = {
    version: null,
    session: null,
  };

  const headersOf = ({ method, params }: Message): Record<string, string> => {
    const revision = params?._meta?.[REVISION];
    const name = params?.name ?? params?.uri;
    return {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headersFor(server),
      ...(typeof revision === 'string'
        ? {
            'mcp-protocol-version': revision,
            ...(method !== undefined && { 'mcp-method': inHeader(method) }),
            ...(typeof name === 'string' && { 'mcp-name': inHeader(name) }),
          }
        : {
            ...(agreed.version !== null && { 'mcp-protocol-version': agreed.version }),
            ...(agreed.session !== null && { 'mcp-session-id': agreed.session }),
          }),
    };
  };

  const receive = async (text: string, sent: Message, session: string | null): Promise<void> => {
    const { result } = parsed(text) ?? {};
    if (sent.method === 'initialize' && result?.protocolVersion !== undefined) {
      agreed = { version: result.protocolVersion, session };
    }
    await write(text);
  };

  const send = async (line: string, message: Message, ended: AbortSignal): Promise<void> => {
    const response = await fetch(`${server.url}/mcp${withPictures ? '' : '?pictures=false'}`, {
      method: 'POST',
      headers: headersOf(message),
      body: line,
      signal: ended,
    });
    const session = response.headers.get('mcp-session-id');
    if (response.headers.get('content-type')?.startsWith('text/event-stream') && response.body) {
      let isAnswered = false;
      for await (const text of dataOf(response.body)) {
        isAnswered ||= parsed(text)?.id === message.id;
        await receive(text, message, session);
      }
      if (!isAnswered && message.id != null) throw new Error('the connection ended before the result');
      return;
    }
    const text = await response.text();
    const answer = parsed(text);
    if (answer !== null && answer.id === message.id) return receive(text, message, session);
    if (message.id == null) return undefined;
    const { error } = (answer ?? {}) as { readonly error?: { readonly message?: string } };
    throw new Error(`it answered ${response.status}: ${error?.message ?? text.slice(0, 200)}`);
  };

  const pass = async (line: string): Promise<void> => {
    const message = parsed(line);
    if (message === null) return write(errorLine(null, NO_MESSAGE, 'a line is one JSON message'));
    const ended = new AbortController();
    const name = JSON.stringify(message.id ?? null);
    if (message.id != null) running.set(name, ended);
    const cancelled =
      message.method === 'notifications/cancelled'
        ? running.get(JSON.stringify(message.params?.requestId ?? null))
        : undefined;
    try {
      await send(line, message, ended.signal);
    } catch (error) {
      if (ended.signal.aborted) return; // nobody waits for an answer
      const reason = reasonOf(error);
      process.stderr.write(`${server.url}: ${reason}\n`);
      if (message.id == null) return;
      const text = `QPilot at ${server.url}: ${reason}. Questions that it took are answered whether or not it is reached; ask again with their turn`;
      await write(errorLine(message.id, UNREACHABLE, text));
    } finally {
      // Ending the request cancels it on any server; older ones hear of it before.
      cancelled?.abort();
      if (running.get(name) === ended) running.delete(name);
    }
  };

  return {
    async pass(line) {
      const done = pass(line);
      passing.add(done);
      await done.finally(() => passing.delete(done));
    },
    async close() {
      for (const ended of running.values()) ended.abort();
      await Promise.all(passing);
    },
  };
}

function parsed(text: string): Message | null {
  try {
    const message: unknown = JSON.parse(text);
    return typeof message === 'object' && message !== null && !Array.isArray(message) ? message : null;
  } catch {
    return null;
  }
}

const errorLine = (id: string | number | null, code: number, message: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } });

/** `fetch` names a network failure only in its cause. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error ? `not reached (${cause.message || cause.name})` : message;
}

/** As the protocol writes what a header cannot carry. */
const inHeader = (text: string): string =>
  /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/u.test(text) && !text.startsWith('=?base64?')
    ? text
    : `=?base64?${Buffer.from(text, 'utf8').toString('base64')}?=`;

/** The data of server-sent events. */
async function* dataOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const part of body) {
    const lines = (rest + decoder.decode(part, { stream: true })).split(/\r?\n/u);
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.startsWith('data:')) yield line.slice('data:'.length).trim();
  }
}
