import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  GraphQLError,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type GraphQLSchema,
} from 'graphql';
import type { SubscribePayload } from 'graphql-ws';
import { useServer } from 'graphql-ws/use/ws';
import { WebSocket, WebSocketServer } from 'ws';
import { RateLimitedError } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import { createPlaces, type PlaceLimits } from '../base/places.ts';
import type { Tracing } from '../base/tracing/tracing.ts';
import type { Graphql } from './graphql.ts';
import type { FindDocument } from './persisted-documents.ts';
import type { TransportContext } from './operation-context.ts';
import { newRequestId } from './request-id.ts';
import { toSafeError } from './safe-errors.ts';
import { traceparentOf } from './traced-requests.ts';

/** Largest message of a client, in bytes. */
const MAX_MESSAGE_BYTES = 1_000_000;
/** Most concurrent operations of a socket. */
const MAX_OPERATIONS = 100;
/** Closes a socket beyond what its viewer may open: clients that know the code try again later. */
const TRY_AGAIN_LATER = 1013;
const RETRY_MS = 30_000;

/** The graphql-ws transport. */
export type WebsocketTransport = {
  /** Upgrades a connection after its request was checked. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Open sockets. */
  readonly sockets: number;
  /** Closes every socket with 1001. */
  close(): Promise<void>;
};

export type WebsocketDeps = {
  readonly graphql: Graphql;
  readonly log: Logger;
  readonly production: boolean;
  readonly tracing: Tracing;
  /** Finds known operations on servers that only run those; null to run any. */
  readonly findDocument: FindDocument | null;
  /** The id of who opens a socket; null for nobody known, who gets 4403. */
  readonly admits: (transport: TransportContext) => Promise<string | null>;
  /** How many sockets may be open. */
  readonly share: PlaceLimits;
};

type Result = ExecutionResult | AsyncIterable<ExecutionResult>;

/** Yoga's functions for one operation, which its own types leave untyped. */
type Engine = {
  readonly schema: GraphQLSchema;
  parse(source: string): DocumentNode;
  validate(schema: GraphQLSchema, document: DocumentNode): readonly GraphQLError[];
  contextFactory(): Promise<object> | object;
  execute(args: ExecutionArgs): Promise<Result> | Result;
  subscribe(args: ExecutionArgs): Promise<Result> | Result;
};

/** Serves the engine's operations over the graphql-transport-ws protocol. */
export function createWebsocketTransport({
  graphql,
  log,
  production,
  tracing,
  findDocument,
  admits,
  share,
}: WebsocketDeps): WebsocketTransport {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES });
  const takePlace = createPlaces('sockets', share, RETRY_MS);
  const closed = new WeakMap<WebSocket, AbortSignal>();
  const engines = new WeakMap<ExecutionArgs, Engine>();
  const parents = new WeakMap<ExecutionArgs, string | null>();
  const engineOf = (args: ExecutionArgs) => {
    const engine = engines.get(args);
    if (engine === undefined) throw new Error('an operation reached execution without having been prepared');
    return engine;
  };
  const server = useServer(
    {
      execute: (args) => {
        const options = { kind: 'server', parent: parents.get(args) ?? null } as const;
        return tracing.span('WebSocket operation', options, async () => engineOf(args).execute(args));
      },
      subscribe: (args) => engineOf(args).subscribe(args),
      // Before anything may be sent; each operation is checked again.
      async onConnect({ extra, connectionParams }) {
        const viewerId = await admits({ req: extra.request, connectionParams });
        if (viewerId === null) return false;
        try {
          const free = takePlace(viewerId);
          // The client may have left while it was looked up who they are.
          if (extra.socket.readyState === WebSocket.CLOSED) free();
          else extra.socket.once('close', free);
          return true;
        } catch (error) {
          if (!(error instanceof RateLimitedError)) throw error;
          extra.socket.close(TRY_AGAIN_LATER, `too many sockets are open; close some`);
          return false;
        }
      },
      async onSubscribe({ connectionParams, extra, subscriptions }, _id, params) {
        if (Object.keys(subscriptions).length > MAX_OPERATIONS) {
          return [new GraphQLError(`at most ${MAX_OPERATIONS} operations may run on one socket`, TOO_MANY)];
        }
        const transport: TransportContext = {
          req: extra.request,
          connectionParams,
          closed: closed.get(extra.socket),
        };
        const engine: Engine = graphql.getEnveloped(transport);
        try {
          const document = engine.parse(findDocument?.(params.extensions) ?? params.query);
          const errors = engine.validate(engine.schema, document);
          if (errors.length > 0) return errors;
          const { operationName, variables: variableValues } = params;
          const contextValue = await engine.contextFactory();
          const args = { schema: engine.schema, document, operationName, variableValues, contextValue };
          engines.set(args, engine);
          parents.set(args, parentOf(params.extensions, extra.request));
          return args;
        } catch (error) {
          return [toSafeError(error, newRequestId(), log)];
        }
      },
      isProd: production,
    },
    sockets,
  );
  return {
    upgrade(request, socket, head) {
      if (sockets.clients.size >= share.inAll) {
        socket.end('HTTP/1.1 503 Service Unavailable\r\nRetry-After: 30\r\nConnection: close\r\n\r\n');
        return;
      }
      sockets.handleUpgrade(request, socket, head, (ws) => {
        const closing = new AbortController();
        ws.once('close', () => closing.abort());
        closed.set(ws, closing.signal);
        sockets.emit('connection', ws, request);
        // graphql-ws would print a stack for a message that is too large or malformed; ws closes the socket by itself.
        ws.removeAllListeners('error');
        ws.on('error', ({ message }) => log.warn({ reason: message }, 'a WebSocket client was disconnected'));
      });
    },
    get sockets() {
      return sockets.clients.size;
    },
    close: async () => server.dispose(),
  };
}

/** The trace of an operation: its own, else that of the request that opened the socket. */
function parentOf(extensions: SubscribePayload['extensions'], request: IncomingMessage): string | null {
  const own = extensions?.['traceparent'];
  return typeof own === 'string' ? own : traceparentOf(request);
}

const TOO_MANY = { extensions: { code: 'RATE_LIMITED' } };
