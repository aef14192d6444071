/**
 * The Model Context Protocol over HTTP, at `/mcp`. Each request is recognised anew and answered by itself, in the revision of
 * the protocol that it is written in; the ones of 2025 are answered without a session of ours, so their session id only names
 * whose calls a later cancellation means.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { UserError } from '../../base/errors.ts';
import type { Scope } from '../../domain/members/scope.ts';
import { SignedOutError } from '../../identity/identity.ts';
import { challenge, MCP_PATH, originOf } from '../../identity/oauth/addresses.ts';
import { readBody, type ReadBody } from '../json-body.ts';
import { problemOf } from '../problems.ts';
import { createRecogniser, type RecogniserDeps } from '../recognise.ts';
import { ASK } from './ask.ts';
import { asksForPictures } from './chart-pictures.ts';
import { createMcpServer, type McpDeps, type McpRequest } from './mcp-server.ts';
import { sendProblem, sendWebResponse, webRequest } from './web-exchange.ts';

/** The door, for the server that routes requests to it. */
export type McpDoor = {
  readonly handles: (path: string) => boolean;
  /** Answers a request whose host and origin were checked. Never rejects. */
  respond(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Ends what runs; turns go on. */
  close(): Promise<void>;
};

export type McpDoorDeps = McpDeps & RecogniserDeps;

/** Calls of one person that run at once; further ones are refused, to be tried again. */
const MOST_CALLS = 16;
/** Streams for changes of lists, which never change: few are needed. */
const MOST_LISTENERS = 64;
const KEEP_ALIVE_MS = 15_000;
const MAX_BODY_BYTES = 1_000_000;

const LISTEN = 'subscriptions/listen';
const CALLED_OFF = new Error('the call was cancelled');

/** What the door itself reads of a message; the rest is the protocol's. */
const message = z.object({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string().optional(),
  params: z
    .looseObject({ requestId: z.unknown().optional(), name: z.unknown().optional() })
    .optional()
    .catch(undefined),
});

/** Methods that read what the project has; other methods say what there is, which everybody may know. */
const READING = new Set(['tools/call', 'resources/list', 'resources/read', 'completion/complete']);

/** The right that an assistant needs for a message; null: none. */
function neededScope(method: string | undefined, tool: unknown): Scope | null {
  if (method === 'tools/call' && tool === ASK) return 'ask';
  return method !== undefined && READING.has(method) ? 'read' : null;
}

export function createMcpDoor(deps: McpDoorDeps): McpDoor {
  const { log } = deps;
  const recogniser = createRecogniser(deps);
  const closing = new AbortController();
  const places = new Map<string, number>();
  /** Of requests that run, by who sent them and under which id. */
  const running = new Map<string, AbortController>();
  const asked = new WeakMap<Request, McpRequest>();
  const handler = createMcpHandler(
    ({ requestInfo }) => {
      const request = requestInfo && asked.get(requestInfo);
      if (request === undefined) throw new Error('a request reached the protocol without its sender');
      return createMcpServer(deps, request);
    },
    {
      keepAliveMs: KEEP_ALIVE_MS,
      maxSubscriptions: MOST_LISTENERS,
      onerror: ({ message }) => log.debug({ reason: message }, 'a request of MCP was refused'),
    },
  );

  const takePlace = (personId: string) => (): (() => void) | null => {
    const taken = places.get(personId) ?? 0;
    if (taken >= MOST_CALLS) return null;
    places.set(personId, taken + 1);
    return () => {
      const left = (places.get(personId) ?? 1) - 1;
      if (left === 0) places.delete(personId);
      else places.set(personId, left);
    };
  };

  const respond = async (req: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { caller, viewer, actor, origin, pages } = await recogniser.recognise(req);
    const scopes = caller.cap?.scopes;
    if (req.method !== 'POST')
      return sendProblem(response, 405, 'messages are sent by POST', { allow: 'POST' });
    const withPictures = asksForPictures(req.url);
    if (withPictures === null)
      return sendProblem(response, 400, 'pictures in the address must be true or false');
    const read = withoutBatch(await readBody(req, MAX_BODY_BYTES));
    if ('problem' in read) return sendProblem(response, read.status, read.problem);
    const { id, method, params } = message.safeParse(read.body).data ?? {};
    const needed = neededScope(method, params?.name);
    if (scopes !== undefined && needed !== null && !scopes.includes(needed)) {
      const what = `this needs the right ${needed}, which was not agreed to; sign in again for it`;
      const wanted = challenge(origin, 'insufficient_scope', [...scopes, needed]);
      return sendProblem(response, 403, what, { 'www-authenticate': wanted });
    }

    const sessionId = String(req.headers['mcp-session-id'] ?? '');
    const nameOf = (called: unknown): string =>
      JSON.stringify([caller.id, caller.keyId, sessionId, called ?? null]);
    if (method === 'notifications/cancelled') running.get(nameOf(params?.requestId))?.abort(CALLED_OFF);
    const [gone, revoked] = [new AbortController(), new AbortController()];
    const name = nameOf(id);
    if (id !== undefined) running.set(name, gone);
    const leave = (): void => gone.abort(CALLED_OFF);
    response.once('close', leave);
    const stopWatching = recogniser.watch(req, viewer, (reason) => {
      revoked.abort(reason);
      if (method === LISTEN) leave(); // others end by a result that says why
    });
    const signal = AbortSignal.any([gone.signal, closing.signal]);
    try {
      const request = webRequest(req, signal);
      asked.set(request, {
        viewer,
        actor,
        pages,
        withPictures,
        signal: AbortSignal.any([signal, revoked.signal]),
        takePlace: takePlace(caller.id),
      });
      const answer = await handler.fetch(request, { parsedBody: read.body });
      const opened = method === 'initialize' && sessionId === '' ? { 'mcp-session-id': randomUUID() } : {};
      await sendWebResponse(answer, response, opened);
    } finally {
      stopWatching();
      response.off('close', leave);
      if (running.get(name) === gone) running.delete(name);
    }
  };

  return {
    handles: (path) => path === MCP_PATH,
    async respond(req, response) {
      try {
        await respond(req, response);
      } catch (error) {
        if (response.headersSent) return void response.destroy();
        const { code, message: text } = problemOf(error, closing.signal, log);
        if (error instanceof SignedOutError) {
          const isWrong = req.headers.authorization !== undefined;
          const origin = originOf(req, deps.publicOrigin);
          const wanted = challenge(origin, isWrong ? 'invalid_token' : null);
          sendProblem(response, 401, text, { 'www-authenticate': wanted });
        } else sendProblem(response, error instanceof UserError ? 403 : 503, `${code}: ${text}`);
      }
    },
    async close() {
      closing.abort(CALLED_OFF);
      await handler.close();
    },
  };
}

const withoutBatch = (read: ReadBody): ReadBody =>
  'body' in read && Array.isArray(read.body) ? { status: 400, problem: BATCH } : read;

const BATCH = 'batches are not part of the protocol since 2025-06-18; send one message in each request';
