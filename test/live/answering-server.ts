import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server on the loopback address that answers as the test says, and remembers what it was asked. */
export type AnsweringServer = {
  readonly url: string;
  readonly requests: readonly IncomingMessage[];
  /** From now on. */
  answer(listener: RequestListener): void;
  answerJson(body: unknown, status?: number): void;
  close(): Promise<void>;
};

/** Starts one; it answers 404 until it is told otherwise. */
export async function startAnsweringServer(): Promise<AnsweringServer> {
  const requests: IncomingMessage[] = [];
  const nothing: RequestListener = (_request, response) => void response.writeHead(404).end();
  let listener = nothing;
  const server = createServer((request, response) => {
    requests.push(request);
    listener(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    answer: (next) => {
      listener = next;
    },
    answerJson: (body, status = 200) => {
      listener = (_request, response) => sendJson(response, body, status);
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function sendJson(response: ServerResponse, body: unknown, status: number): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}
