/**
 * An HTTP server that answers like a model provider: with recorded bodies, cut into odd packets, stalled or broken off,
 * or with an error status. Keeps the request bodies it was sent, and refuses those that the real provider would refuse,
 * which fails the test.
 */
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sharedPath } from './shared-data.ts';
import { apiAt, refusalOf, reportRefusal } from './strict/provider.ts';

/** A fault in mid-answer: `break` resets the connection, `end` ends it in order, `stall` keeps it open and silent. */
export type Cut = { readonly at: number; readonly how: 'break' | 'end' | 'stall' };

/** What one request is answered with. */
export type Reply =
  | {
      readonly body: string;
      /** Length of a packet in bytes, or the lengths that are used in turn; whole by default. */
      readonly packet?: number | readonly number[];
      /** After these many bytes. */
      readonly cut?: Cut;
      readonly contentType?: string;
    }
  /** Pieces of a body, sent as they come: for streams that go on until a test has seen what it waits for. */
  | { readonly pieces: () => AsyncIterable<string> }
  | {
      readonly status: number;
      readonly error: object;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** A body as it is, for servers that put no `error` object into it. */
  | {
      readonly status: number;
      readonly raw: string;
      readonly contentType: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** The connection is reset before anything is answered. */
  | { readonly reset: true };

/** A running server. `requests` are the parsed bodies of what was posted, oldest first. */
export type ModelServer = {
  /** With `/v1`, as OpenAI's clients want it. */
  readonly baseUrl: string;
  readonly requests: readonly Record<string, unknown>[];
  /** Connections that clients closed before the answer was complete. */
  readonly abandoned: () => number;
  /** Answers that have begun and that neither side has ended. */
  readonly open: () => number;
  close(): Promise<void>;
};

/** What else a server does. */
export type ModelServerOptions = {
  /** Names that a GET is answered with. */
  readonly models?: () => readonly string[];
  /** What Ollama's `/api/show` says of one of them. */
  readonly show?: (name: string) => object;
  readonly port?: number;
};

/** Serves `replies` in order; a request beyond them is answered 500. The caller closes it. */
export async function startModelServer(
  replies: readonly Reply[] | ((index: number, body: Record<string, unknown>) => Reply),
  { models = () => [], show = () => ({}), port = 0 }: ModelServerOptions = {},
): Promise<ModelServer> {
  const requests: Record<string, unknown>[] = [];
  let abandoned = 0;
  let open = 0;
  let issued = '';
  let answered = 0;
  const server = createServer((request, response) => {
    open += 1;
    response.on('close', () => {
      open -= 1;
      if (!response.writableFinished && request.socket.destroyed) abandoned += 1;
    });
    if (request.method === 'GET') {
      response.setHeader('content-type', 'application/json');
      // As OpenAI and Anthropic list them, and as Ollama and Gemini do.
      const names = models();
      const lists = { data: names.map((id) => ({ id })), models: names.map((name) => ({ name })) };
      response.end(JSON.stringify(lists));
      return;
    }
    void readBody(request).then(async (body) => {
      if (request.url === '/api/show') {
        response.end(JSON.stringify(show(String(body['model']))));
        return;
      }
      requests.push(body);
      const refused = strictly(request.url ?? '', body, issued);
      if (refused !== null) return answer(response, refused);
      const index = answered;
      answered += 1;
      const reply = typeof replies === 'function' ? replies(index, body) : replies[index];
      if (reply !== undefined && 'body' in reply) issued += reply.body;
      await answer(response, reply);
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    abandoned: () => abandoned,
    open: () => open,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** The answer to a request that the API at this address would refuse. */
function strictly(url: string, body: Record<string, unknown>, issued: string): Reply | null {
  const at = apiAt(url, body);
  if (at === null) return null;
  const refusal = refusalOf(at.api, { ...at, body, issued });
  if (refusal === null) return null;
  reportRefusal(at.api, refusal, body);
  return { status: refusal.status, raw: JSON.stringify(refusal.body), contentType: 'application/json' };
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return JSON.parse(text) as Record<string, unknown>;
}

async function answer(response: ServerResponse, reply: Reply | undefined): Promise<void> {
  const given = reply ?? { status: 500, error: { message: 'no more replies are scripted' } };
  if ('reset' in given) {
    response.destroy();
    return;
  }
  if ('status' in given) {
    const contentType = 'raw' in given ? given.contentType : 'application/json';
    response.writeHead(given.status, { 'content-type': contentType, ...given.headers });
    response.end('raw' in given ? given.raw : JSON.stringify({ error: given.error }));
    return;
  }
  if ('pieces' in given) {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for await (const piece of given.pieces()) {
      if (response.destroyed) return;
      response.write(piece);
    }
    response.end();
    return;
  }
  response.writeHead(200, { 'content-type': given.contentType ?? 'text/event-stream' });
  const bytes = Buffer.from(given.body).subarray(0, given.cut?.at);
  const lengths = typeof given.packet === 'number' ? [given.packet] : (given.packet ?? [bytes.length]);
  for (let at = 0, turn = 0; at < bytes.length && !response.destroyed; turn += 1) {
    const end = at + (lengths[turn % lengths.length] ?? bytes.length);
    response.write(bytes.subarray(at, end));
    at = end;
    // A turn of the event loop, so that packets leave one by one.
    await new Promise(setImmediate);
  }
  if (given.cut?.how === 'break') response.destroy();
  else if (given.cut?.how !== 'stall') response.end();
}

/** A recorded body of `data/model-streams`. */
export const recordedBody = (name: string): Promise<string> =>
  readFile(sharedPath(`data/model-streams/${name}`), 'utf8');

/** A recorded body of `data/openai-streams`; `.chunks.txt` files are put into event frames. */
export async function recordedStream(name: string): Promise<string> {
  const text = await readFile(sharedPath(`data/openai-streams/${name}`), 'utf8');
  if (!name.endsWith('.chunks.txt')) return text;
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => `data: ${line}\n\n`)
    .join('');
}

/** Event frames of a body made for a test. */
export function frames(...events: readonly object[]): string {
  return events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
}
