import WebSocket from 'ws';
import type { GraphqlAnswer } from './graphql-client.ts';

/** A message of the graphql-transport-ws protocol. */
export type ProtocolMessage = { readonly type: string; readonly id?: string; readonly payload?: unknown };

/** A socket that speaks the protocol by hand, so that tests can also speak it wrongly. */
export type RawSocket = {
  readonly socket: WebSocket;
  /** Resolves with the close code. */
  readonly closed: Promise<number>;
  send(message: ProtocolMessage | string): void;
  /** The next message of the server that was not taken yet. */
  next(): Promise<ProtocolMessage>;
};

/** Opens a socket without saying anything. Rejects when the server refuses it. */
export async function openSocket(url: string, headers: Record<string, string> = {}): Promise<RawSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', { headers });
  const messages: ProtocolMessage[] = [];
  let wake = Promise.withResolvers<void>();
  const closed = new Promise<number>((resolve) => socket.on('close', resolve));
  socket.on('message', (data: Buffer) => {
    messages.push(JSON.parse(data.toString()) as ProtocolMessage);
    wake.resolve();
    wake = Promise.withResolvers();
  });
  await new Promise<void>((resolve, reject) => socket.once('open', resolve).once('error', reject));
  return {
    socket,
    closed,
    send: (message) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    async next() {
      for (;;) {
        const message = messages.shift();
        if (message) return message;
        const ended = await Promise.race([wake.promise.then(() => null), closed]);
        if (ended !== null && messages.length === 0) throw new Error(`the socket was closed with ${ended}`);
      }
    },
  };
}

/** Opens a socket and waits until the server has acknowledged it. */
export async function connect(url: string, params: object = {}): Promise<RawSocket> {
  const raw = await openSocket(url);
  raw.send({ type: 'connection_init', payload: params });
  const answer = await raw.next();
  if (answer.type !== 'connection_ack')
    throw new Error(`the server answered ${answer.type} to connection_init`);
  return raw;
}

/** Results of a subscription over a WebSocket of its own, which is closed at the end. */
export async function* subscribe(
  url: string,
  query: string,
  variables: object,
  params: object = {},
): AsyncGenerator<GraphqlAnswer> {
  const raw = await connect(url, params);
  try {
    raw.send({ id: '1', type: 'subscribe', payload: { query, variables } });
    for (;;) {
      const message = await raw.next();
      if (message.type === 'complete') return;
      if (message.type === 'error') {
        yield { status: 200, data: null, errors: message.payload as GraphqlAnswer['errors'] };
        return;
      }
      if (message.type === 'next')
        yield { status: 200, data: null, errors: [], ...(message.payload as object) };
    }
  } finally {
    raw.socket.close();
    await raw.closed;
  }
}
