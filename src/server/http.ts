/**
 * The network side: HTTP, SSE and WebSocket on one port. It checks who may connect, routes requests, and shuts down.
 */
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { GraphQLServices } from '../../schema/context.ts';
import type { WebClient } from './client-build/open-client.ts';
import type { Docs } from './docs-build/open-docs.ts';
import type { Door } from '../identity/door.ts';
import { AUTH_PATH, SignedOutError } from '../identity/identity.ts';
import { isDiscovery, takesForms } from '../identity/oauth/addresses.ts';
import type { RateLimits } from '../services/rate-limits.ts';
import type { Logger } from '../base/log.ts';
import type { Pictures } from '../pictures/pictures.ts';
import type { Tracing } from '../base/tracing/tracing.ts';
import { limitsOfAll, openPlaces, type OpenLimits } from './fair-share.ts';
import { fileResponder } from './file-routes.ts';
import { createGraphql, GRAPHQL_PATH, type GraphqlDeps } from './graphql.ts';
import { HELD_ANSWERS, type HeldAnswersOptions } from './held-answers.ts';
import { respondToProbe, respondWithHealth, type HealthChecks } from './health.ts';
import { listen } from './listen.ts';
import { contextFactory, type Identify, type TransportContext } from './operation-context.ts';
import { persistedDocuments } from './persisted-documents.ts';
import { pathOf } from './picture-response.ts';
import { crossSiteRefusalOf, isForm, refusalOf, type ServerNames } from './request-guard.ts';
import { meterRequest } from './request-metrics.ts';
import { respondWithClient } from './static-client.ts';
import { isDocsPath, respondWithDocs } from './static-docs.ts';
import { RECHECK_MS } from './subscriber-scope.ts';
import { tracedRequests } from './traced-requests.ts';
import { createWebsocketTransport } from './websocket.ts';

/** How long requests in flight may take when the server stops. */
const CLOSE_GRACE_MS = 2_000;

export type ServerOptions = {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Origin that browsers use, where there is a proxy in front; null for its own address. */
  readonly publicOrigin?: string | null;
  readonly production: boolean;
  readonly graphqlJit: boolean;
  /** Bounds of the answers about chips that are held; those of production unless given. */
  readonly heldAnswers?: HeldAnswersOptions;
  /** Largest file that may be uploaded. */
  readonly maxFileBytes: number;
  readonly services: GraphQLServices;
  /** Draws charts. */
  readonly pictures: Pictures;
  /** How much may be open at once. */
  readonly open: OpenLimits;
  /** How much viewers may ask of all servers; null, and without sign-in, as much as they like. */
  readonly rates: RateLimits | null;
  /** Recognises callers. A door that lets everybody in as the owner has to be named: see `openDoor`. */
  readonly door: Door;
  /** How often the rights of subscribers are checked; as in production unless given. */
  readonly recheckMs?: number;
  readonly health: HealthChecks;
  /** What answers at other paths, in other protocols. */
  readonly others?: readonly OtherDoor[];
  /** The web client; null for an API-only server. */
  readonly client: Pick<WebClient, 'state'> | null;
  /** The documentation site; absent: none. */
  readonly docs?: Pick<Docs, 'visit'>;
  /** Whether to run only the operations of `client`. */
  readonly persistedOnly: boolean;
  readonly now: () => Date;
  readonly log: Logger;
  readonly tracing: Tracing;
};

/** Answers all requests of its paths, whose host and origin were checked. */
export type OtherDoor = {
  readonly handles: (path: string) => boolean;
  /** Never rejects. */
  respond(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Ends what runs. */
  close(): Promise<void>;
};

/** A server that listens. */
export type RunningServer = {
  /** Its address, for example `http://127.0.0.1:4000`. */
  readonly url: string;
  /** Open WebSockets. */
  readonly sockets: number;
  /** Stops accepting, closes sockets with 1001, ends event streams, lets short requests finish. Idempotent. */
  close(): Promise<void>;
};

/**
 * Starts to listen.
 * @throws StartupError if the port is not available
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { host, publicOrigin = null, production, services, now, log, tracing, client } = options;
  const { docs, door, others = [] } = options;
  const names: ServerNames = { host, publicOrigin };
  const identify: Identify = (knock) => door.identify(knock);
  const isOpen = door.mode === 'none';
  const addressOf = (request: IncomingMessage): string => door.addressOf(request);
  const rates = isOpen ? null : options.rates;
  const stopping = new AbortController();
  const open = isOpen ? limitsOfAll(options.open) : options.open;
  const places = openPlaces(open);
  const { pictures } = options;
  const fileDeps = { services, pictures, identify, addressOf, rates, takePlace: places.operations, log };
  const deps: GraphqlDeps = {
    places,
    rates,
    production,
    jit: options.graphqlJit,
    heldAnswers: options.heldAnswers ?? HELD_ANSWERS,
    log,
    tracing,
    maxFileBytes: null,
    recheckMs: isOpen ? null : (options.recheckMs ?? RECHECK_MS),
    findDocument: client !== null && options.persistedOnly ? persistedDocuments(client.state) : null,
    createContext: contextFactory({
      services,
      identify,
      addressOf,
      now,
      stopping: stopping.signal,
      arriving: places.arriving,
    }),
  };
  const graphql = await createGraphql(deps);
  // An engine has a single body limit: with the limit for files, JSON could be as large.
  const graphqlForForms = await createGraphql({ ...deps, maxFileBytes: options.maxFileBytes });
  const websocket = createWebsocketTransport({
    graphql,
    log,
    production,
    tracing,
    findDocument: deps.findDocument,
    admits: (transport) => idOf(identify, transport),
    share: open.sockets,
  });
  const listener: RequestListener = (request, response) => {
    // Otherwise a connection that ends its last response during shutdown would be kept alive.
    response.once('close', () => stopping.signal.aborted && setImmediate(() => http.closeIdleConnections()));
    const path = pathOf(request);
    if (respondToProbe(path, options.health, response)) return; // under any name: balancers ask by address
    meterRequest(path, response);
    const isOperation = path === GRAPHQL_PATH;
    const isGuarded = isOperation && (production || isForm(request) || (!isOpen && request.method !== 'GET'));
    const other = others.find((each) => each.handles(path));
    const refusal =
      refusalOf(request, names) ??
      (isGuarded || (other && request.method === 'POST') ? crossSiteRefusalOf(request) : null);
    const file = fileResponder(path, fileDeps);
    if (refusal !== null) refuse(response, refusal);
    else if (path.startsWith(`${AUTH_PATH}/`) || isDiscovery(path)) {
      // Forms of OAuth use no sign-in of a browser.
      const isSafe = request.method === 'GET' || isDiscovery(path) || takesForms(path);
      const unsafe = isSafe ? null : crossSiteRefusalOf(request);
      if (unsafe === null) void door.respond(request, response);
      else refuse(response, unsafe);
    } else if (other) void other.respond(request, response);
    else if (path === '/health') void respondWithHealth(options.health, response);
    else if (file !== null) file(request, response);
    else if (docs !== undefined && isDocsPath(path)) void respondWithDocs(docs, request, response);
    else if (!isOperation && client !== null) respondWithClient(client.state(), request, response);
    else if (path === '/') response.writeHead(302, { location: GRAPHQL_PATH }).end();
    else if (!isOperation)
      refuse(response, `nothing is at ${path}; operations go to POST ${GRAPHQL_PATH}`, 404, 'NOT_FOUND');
    else if (isForm(request)) void graphqlForForms(request, response);
    else void graphql(request, response);
  };
  const http = createServer(tracedRequests(tracing, listener));
  http.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const allowed = pathOf(request) === GRAPHQL_PATH && refusalOf(request, names) === null;
    if (allowed) websocket.upgrade(request, socket, head);
    else socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
  });
  await listen(http, host, options.port, 'PORT');
  const { port } = http.address() as AddressInfo;

  const shut = async (): Promise<void> => {
    const closed = new Promise((resolve) => http.close(resolve));
    await Promise.all([websocket.close(), ...others.map((other) => other.close())]);
    stopping.abort();
    http.closeIdleConnections();
    const patience = new AbortController();
    await Promise.race([closed, delay(CLOSE_GRACE_MS, undefined, { signal: patience.signal })]);
    patience.abort();
    http.closeAllConnections();
    await closed;
    await Promise.all([graphql.dispose(), graphqlForForms.dispose()]);
  };
  let shutting: Promise<void> | undefined;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    get sockets() {
      return websocket.sockets;
    },
    close: () => (shutting ??= shut()),
  };
}

/** The id of the opener of a socket; null if unknown. @throws what else went wrong */
async function idOf(identify: Identify, transport: TransportContext): Promise<string | null> {
  try {
    return (await identify(transport)).id;
  } catch (error) {
    if (error instanceof SignedOutError) return null;
    throw error;
  }
}

function refuse(response: ServerResponse, reason: string, status = 403, code = 'FORBIDDEN'): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ errors: [{ message: reason, extensions: { code } }] }));
}
