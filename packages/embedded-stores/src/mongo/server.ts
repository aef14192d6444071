/**
 * Listens on the socket: one framer per connection, one reply per request, in order. Commands that pause take turns with
 * those of other connections; one whose connection is gone ends.
 */
import { createServer, type Server, type Socket } from 'node:net';
import { type CommandContext } from './commands/command.ts';
import { dispatch, type ReportBug } from './dispatch.ts';
import { type Log } from './log.ts';
import { type Steps } from './steps.ts';
import { createFramer, encodeReply, isFatal, parseRequest, type Reply, type Request } from './wire.ts';

/** A listening server. */
export type MongoServer = {
  /** Ends all connections and cursors; the store is the caller's to close. */
  close(): Promise<void>;
};

/** Starts to listen on a free unix socket path. */
export async function listen(socketPath: string, context: CommandContext, log: Log): Promise<MongoServer> {
  const sockets = new Set<Socket>();
  const { tidy, stop } = createTidying(context);
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => {
      sockets.delete(socket);
      if (sockets.size === 0) context.cursors.killAll();
    });
    serve(socket, context, log, tidy);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(socketPath, resolve);
  });
  return {
    close: () => {
      stop();
      return close(server, sockets, context);
    },
  };
}

/** Gives the file's free space back after commands, in steps between which others have their turn. */
function createTidying({ store }: CommandContext): { tidy: () => void; stop: () => void } {
  let isUnderWay = false;
  const step = (): void => {
    if (isUnderWay && store.sqlite.giveBack()) setImmediate(step);
    else isUnderWay = false;
  };
  return {
    tidy: () => {
      if (isUnderWay) return;
      isUnderWay = true;
      setImmediate(step);
    },
    stop: () => {
      isUnderWay = false;
    },
  };
}

function serve(socket: Socket, context: CommandContext, log: Log, tidy: () => void): void {
  const reportBug: ReportBug = (error, command) =>
    log(
      'error',
      `${command} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
  const waiting: Request[] = [];
  let running: { readonly request: Request; readonly steps: Steps<Reply> } | undefined;
  const receive = createFramer((message) => waiting.push(parseRequest(message)));
  /** Answers requests until one pauses. */
  const advance = (): void => {
    for (;;) {
      if (!running) {
        const request = waiting.shift();
        if (!request) return;
        running = { request, steps: dispatch(request, context, reportBug) };
      }
      const { request, steps } = running;
      const { done, value } = steps.next();
      if (!done) return void setImmediate(guarded, advance);
      running = undefined;
      tidy();
      if (request.silent || socket.destroyed) continue;
      if (!socket.write(encodeReply(request, value))) socket.pause();
    }
  };
  /** An error on this connection must not end the others. */
  const guarded = (work: () => void): void => {
    if (socket.destroyed) return;
    try {
      work();
    } catch (error) {
      if (isFatal(error)) log('warn', `connection closed: ${(error as Error).message}`);
      else reportBug(error, 'reply');
      socket.destroy();
    }
  };
  socket.on('close', () => running?.steps.return({}));
  socket.on('drain', () => socket.resume());
  socket.on('error', (error) => log('info', `connection lost: ${error.message}`));
  socket.on('data', (chunk) => {
    guarded(() => {
      receive(chunk);
      if (!running) advance();
    });
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
