import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type NetConnectOpts, type Socket } from 'node:net';

/** A way to a server that can be cut. */
export type TcpProxy = {
  readonly url: string;
  /** Resets every connection; new ones are refused until {@link mend}. */
  cut(): void;
  mend(): void;
  /** Connections that were refused so far. */
  refused(): number;
  /** Takes connections and bytes, and passes none on until {@link mend}, as a server that is too busy. */
  hold(): void;
  /**
   * Passes nothing on over the connections that there are, and closes none, as when a computer slept; new ones work.
   */
  freeze(): void;
  close(): Promise<void>;
};

/** Passes bytes on to the server of `url`, on a port of its own. */
export async function startTcpProxy(url: string): Promise<TcpProxy> {
  const target = targetOf(new URL(url));
  /** Where the bytes of each socket go. */
  const ways = new Map<Socket, Socket>();
  let [isCut, isHeld] = [false, false];
  let refused = 0;
  const server = createServer((near) => {
    if (isCut) {
      refused += 1;
      return void near.resetAndDestroy();
    }
    const far = connect(target);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      ways.set(socket, other);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        ways.delete(socket);
        other.destroy();
      });
      if (!isHeld) socket.pipe(other);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const end = (): void => [...ways.keys()].forEach(reset);
  const pause = (): void =>
    ways.forEach((_other, socket) => {
      socket.unpipe();
      socket.pause();
    });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut() {
      isCut = true;
      end();
    },
    refused: () => refused,
    mend() {
      isCut = false;
      if (isHeld) ways.forEach((other, socket) => socket.pipe(other));
      isHeld = false;
    },
    hold() {
      isHeld = true;
      pause();
    },
    freeze: pause,
    async close() {
      end();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Postgres and MongoDB may listen on socket files. */
function targetOf({ hostname, port, searchParams }: URL): NetConnectOpts {
  const folder = searchParams.get('host');
  if (folder !== null) return { path: `${folder}/.s.PGSQL.5432` };
  const host = decodeURIComponent(hostname);
  return host.startsWith('/') ? { path: host } : { port: Number(port || 5432), host: '127.0.0.1' };
}

/** A connection over a socket file knows no reset; the other side of its way gets one. */
const reset = (socket: Socket): void =>
  void (socket.remotePort === undefined ? socket.destroy() : socket.resetAndDestroy());
