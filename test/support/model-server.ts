/**
 * An HTTP server that answers like a model provider: with recorded bodies, cut into odd packets, stalled or broken off,
 * or with an error status. Keeps the request bodies it was sent.
 */
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sharedPath } from './shared-data.ts';

/** What one request is answered with. */
export type Reply =
  | {
      readonly body: string;
      /** Length of a packet in bytes; whole by default. */
      readonly packet?: number;
      /** After these many bytes: `break` resets the connection, `stall` sends nothing more and keeps it open. */
      readonly cut?: { readonly at: number; readonly how: 'break' | 'stall' };
    }
  | {
      readonly status: number;
      readonly error: object;
      readonly headers?: Readonly<Record<string, string>>;
    };

/** A running server. `requests` are the parsed bodies, oldest first. */
export type ModelServer = {
  readonly baseUrl: string;
  readonly requests: readonly Record<string, unknown>[];
  /** Connections that clients closed before the answer was complete. */
  readonly abandoned: () => number;
  close(): Promise<void>;
};

/** Serves `replies` in order on a port of its own; a request beyond them is answered 500. The caller closes it. */
export async function startModelServer(replies: readonly Reply[]): Promise<ModelServer> {
  const requests: Record<string, unknown>[] = [];
  let abandoned = 0;
  const server = createServer((request, response) => {
    response.on('close', () => {
      if (!response.writableFinished && request.socket.destroyed) abandoned += 1;
    });
    void readBody(request).then(async (body) => {
      requests.push(body);
      await answer(response, replies[requests.length - 1]);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    abandoned: () => abandoned,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return JSON.parse(text) as Record<string, unknown>;
}

async function answer(response: ServerResponse, reply: Reply | undefined): Promise<void> {
  const given = reply ?? { status: 500, error: { message: 'no more replies are scripted' } };
  if ('status' in given) {
    response.writeHead(given.status, { 'content-type': 'application/json', ...given.headers });
    response.end(JSON.stringify({ error: given.error }));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const bytes = Buffer.from(given.body).subarray(0, given.cut?.at);
  const packet = given.packet ?? bytes.length;
  for (let at = 0; at < bytes.length; at += packet) {
    response.write(bytes.subarray(at, at + packet));
    // A turn of the event loop, so that packets leave one by one.
    await new Promise(setImmediate);
  }
  if (given.cut?.how === 'break') response.destroy();
  else if (given.cut === undefined) response.end();
}

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
