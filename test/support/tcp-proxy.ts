import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** A network between a client and a server, which can break. */
export type TcpProxy = {
  /** Stands for the server's address. */
  readonly url: string;
  /** Drops every connection there is; new ones are let through. */
  cut(): void;
  close(): Promise<void>;
};

/** Passes bytes on to the server at `target`, an address like `http://127.0.0.1:4000`. */
export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const { port, hostname } = new URL(target);
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy());
  };
  const server = createServer((near) => {
    const far = keep(connect(Number(port), hostname));
    keep(near).pipe(far).pipe(near);
    near.once('close', () => far.destroy());
    far.once('close', () => near.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = (): void => sockets.forEach((socket) => socket.destroy());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    close: async () => {
      server.close();
      cut();
      await once(server, 'close');
    },
  };
}
