/** Listens on the socket: one framer per connection, one reply per request, in order. */
import { createServer, type Server, type Socket } from 'node:net';
import { type CommandContext } from './commands/command.ts';
import { dispatch, type ReportBug } from './dispatch.ts';
import { type Log } from './log.ts';
import { createFramer, encodeReply, isFatal, parseRequest } from './wire.ts';

/** A listening server. */
export type MongoServer = {
  /** Ends all connections and cursors; the store is the caller's to close. */
  close(): Promise<void>;
};

/** Starts to listen on a free unix socket path. */
export async function listen(socketPath: string, context: CommandContext, log: Log): Promise<MongoServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => {
      sockets.delete(socket);
      if (sockets.size === 0) context.cursors.killAll();
    });
    serve(socket, context, log);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(socketPath, resolve);
  });
  return { close: () => close(server, sockets, context) };
}

function serve(socket: Socket, context: CommandContext, log: Log): void {
  const reportBug: ReportBug = (error, command) =>
    log(
      'error',
      `${command} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
  const receive = createFramer((message) => {
    const request = parseRequest(message);
    const reply = dispatch(request, context, reportBug);
    if (request.silent || socket.destroyed) return;
    if (!socket.write(encodeReply(request, reply))) socket.pause();
  });
  socket.on('drain', () => socket.resume());
  socket.on('error', (error) => log('info', `connection lost: ${error.message}`));
  socket.on('data', (chunk) => {
    try {
      receive(chunk);
    } catch (error) {
      // An error on this connection must not end the others.
      if (isFatal(error)) log('warn', `connection closed: ${(error as Error).message}`);
      else reportBug(error, 'reply');
      socket.destroy();
    }
  });
}

async function close(
  server: Server,
  sockets: ReadonlySet<Socket>,
  { cursors }: CommandContext,
): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  for (const socket of sockets) socket.destroy();
  await closed;
  cursors.killAll();
}
