/**
 * Chat for the front ends of others: AG-UI at `/ag-ui` and the AI SDK at `/ai-sdk`. A request sends the newest message of its
 * thread and follows the answer; the turn is on the server and goes on without anybody who follows. The same request, or
 * `Last-Event-ID`, goes on where it was left, also at another server.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { z } from 'zod';
import { InvalidInputError, NotFoundError, RateLimitedError, UserError } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import type { TakePlace } from '../../base/places.ts';
import type { Turn } from '../../domain/conversation/session.ts';
import { assertAllowed, type Rule } from '../../domain/members/rule.ts';
import { SignedOutError } from '../../identity/identity.ts';
import type { RateLimits } from '../../services/rate-limits.ts';
import { readBody } from '../json-body.ts';
import { problemOf } from '../problems.ts';
import { createRecogniser, type RecogniserDeps } from '../recognise.ts';
import * as agUi from './ag-ui.ts';
import * as aiSdk from './ai-sdk.ts';
import { eventLines, placeOf, type PlacedFrame } from './frames.ts';
import { newestTurn, stopThread, turnFor, type ChatAsker, type ThreadDeps } from './thread.ts';
import { turnParts, type PlacedPart, type TurnPartsDeps } from './turn-parts.ts';

export type ChatDoorDeps = ThreadDeps &
  TurnPartsDeps &
  RecogniserDeps & {
    readonly takePlace: TakePlace;
    /** Null without sign-in. */
    readonly rates: Pick<RateLimits, 'pass'> | null;
    readonly log: Logger;
  };

const AG_UI_PATH = '/ag-ui';
const AI_SDK_PATH = '/ai-sdk';

/** All that the door answers. */
export const CHAT_ROUTES = [
  'POST /ag-ui',
  'POST /ag-ui/connect',
  'DELETE /ag-ui/threads/{thread}/run',
  'POST /ai-sdk/chat',
  'GET /ai-sdk/chat/{thread}/stream',
  'DELETE /ai-sdk/chat/{thread}/stream',
] as const;
type ChatRoute = (typeof CHAT_ROUTES)[number];
export const CHAT_RULE: Rule = 'viewer: own';

/** Pictures are sent within a message. */
const MAX_BODY_BYTES = 24 * 1024 * 1024;
const PING_MS = 12_000;
const MOST_MESSAGES = 100;

/** A request whose sender is known. */
type Asked = ChatAsker & {
  readonly request: IncomingMessage;
  readonly pages: string;
  readonly thread: string | null;
  /** Fires once the sender has left or the server stops. */
  readonly signal: AbortSignal;
};

/** What a request is answered with: a stream of frames, or nothing. */
type Answer =
  | {
      readonly frames: AsyncIterable<PlacedFrame>;
      readonly headers: Record<string, string>;
      readonly last: string;
    }
  | { readonly status: 204 };

type Handler = (asked: Asked) => Promise<Answer>;

export function createChatDoor(deps: ChatDoorDeps) {
  const { takePlace, rates, copilot, log } = deps;
  const recogniser = createRecogniser(deps);
  const closing = new AbortController();

  const partsOf = async ({ viewer, signal }: Asked, turn: Turn): Promise<AsyncIterable<PlacedPart>> =>
    turnParts(deps, viewer, turn, await copilot.follow(viewer, turn.sessionId, turn.beforeSeq, signal));

  const run: Handler = async (asked) => {
    const input = checked(agUi.runInput, await bodyOf(asked.request));
    const message = agUi.newestMessage(input);
    if (message === null) throw noMessage();
    const turn = await turnFor(deps, asked, message);
    return agUiAnswer(agUi.runEvents({ input, turn, pages: asked.pages }, await partsOf(asked, turn)));
  };
  const connect: Handler = async (asked) => {
    const { viewer, pages, request } = asked;
    const input = checked(agUi.runInput, await bodyOf(request));
    const turn = await newestTurn(deps, viewer, input.threadId);
    const page = await copilot.messages(viewer, turn.sessionId, { first: MOST_MESSAGES, after: null });
    const messages = page.items.map(({ item }) => item).toReversed();
    const parts = turn.finishedAt === null ? await partsOf(asked, turn) : null;
    return agUiAnswer(agUi.connectEvents({ input, turn, pages }, messages, parts));
  };
  const chat: Handler = async (asked) => {
    const request = checked(aiSdk.chatRequest, await bodyOf(asked.request));
    const message = aiSdk.newestMessage(request, randomUUID());
    if (message === null) throw noMessage();
    const turn = await turnFor(deps, asked, message);
    return aiSdkAnswer(aiSdk.messageChunks({ turn, pages: asked.pages }, await partsOf(asked, turn)));
  };
  const resume: Handler = async (asked) => {
    const turn = await newestTurn(deps, asked.viewer, asked.thread ?? '').catch(nullIfUnknown);
    if (turn === null || turn.finishedAt !== null) return { status: 204 };
    return aiSdkAnswer(aiSdk.messageChunks({ turn, pages: asked.pages }, await partsOf(asked, turn)));
  };
  const stop: Handler = async (asked) => {
    await stopThread(deps, asked, await newestTurn(deps, asked.viewer, asked.thread ?? ''));
    return { status: 204 };
  };

  const handlers: Readonly<Record<ChatRoute, Handler>> = {
    'POST /ag-ui': run,
    'POST /ag-ui/connect': connect,
    'DELETE /ag-ui/threads/{thread}/run': stop,
    'POST /ai-sdk/chat': chat,
    'GET /ai-sdk/chat/{thread}/stream': resume,
    'DELETE /ai-sdk/chat/{thread}/stream': stop,
  };

  const respond = async (request: IncomingMessage, response: ServerResponse, path: string): Promise<void> => {
    const { viewer, actor, pages } = await recogniser.recognise(request);
    const open = CHAT_ROUTES.map((route) => ({ route, ...routeIn(route, path) })).filter(
      ({ isMet }) => isMet,
    );
    const found = open.find(({ route }) => route.startsWith(`${request.method} `));
    if (found === undefined && open.length > 0) {
      const allow = open.map(({ route }) => route.split(' ', 1)[0]).join(', ');
      const message = `${path} takes ${allow}`;
      return refuse({ request, response }, 405, { code: 'METHOD_NOT_ALLOWED', message }, { allow });
    }
    if (found === undefined) {
      const message = `there are ${CHAT_ROUTES.join(', ')}`;
      return refuse({ request, response }, 404, { code: 'NOT_FOUND', message });
    }
    assertAllowed(viewer, CHAT_RULE);
    await rates?.pass(request.method === 'GET' ? 'subscriptions' : 'changes', viewer.id);
    const leave = takePlace(viewer.id);
    const gone = new AbortController();
    let end: Error | null = null;
    const stopWatching = recogniser.watch(request, viewer, (why) => {
      end = why;
      gone.abort(why);
    });
    response.once('close', () => gone.abort(new Error('the client has left')));
    try {
      const answer = await handlers[found.route]({
        viewer,
        actor,
        protocol: path.startsWith(AG_UI_PATH) ? 'ag-ui' : 'ai-sdk',
        request,
        pages,
        thread: threadIn(found.thread),
        signal: AbortSignal.any([gone.signal, closing.signal]),
      });
      if ('status' in answer) return void response.writeHead(answer.status, NOT_STORED).end();
      await send(request, response, answer);
      if (end !== null) throw end;
    } finally {
      stopWatching();
      leave();
    }
  };

  return {
    /** Whether a request is for this door. */
    handles: (path: string): boolean =>
      [AG_UI_PATH, AI_SDK_PATH].some((own) => path === own || path.startsWith(`${own}/`)),
    /** Answers a request whose host and origin were checked. Never rejects. */
    async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
      try {
        await respond(request, response, pathOf(request));
      } catch (error) {
        if (response.headersSent) return void response.destroy();
        const problem = problemOf(error, closing.signal, log);
        const again = error instanceof RateLimitedError ? { 'retry-after': seconds(error.retryAfterMs) } : {};
        refuse({ request, response }, statusOf(error), problem, again);
      }
    },
    /** Ends what is followed; turns go on. */
    close(): Promise<void> {
      closing.abort(new Error('the server stops'));
      return Promise.resolve();
    },
  };
}

type Exchange = { readonly request: IncomingMessage; readonly response: ServerResponse };

const NOT_STORED = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
const STREAM = { ...NOT_STORED, 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' };

const agUiAnswer = (frames: AsyncIterable<PlacedFrame>): Answer => ({ frames, headers: {}, last: '' });
const aiSdkAnswer = (frames: AsyncIterable<PlacedFrame>): Answer => ({
  frames,
  headers: { 'x-vercel-ai-ui-message-stream': 'v1' },
  last: 'data: [DONE]\n\n',
});

/** Whether a path is that of a route, and the thread that it names, as it is in the address. */
function routeIn(
  route: ChatRoute,
  path: string,
): { readonly isMet: boolean; readonly thread: string | undefined } {
  const [before = '', after = ''] = route.slice(route.indexOf('/')).split('{thread}');
  if (!route.includes('{thread}')) return { isMet: path === before, thread: undefined };
  const thread = path.slice(before.length, path.length - after.length);
  const isMet = path === `${before}${thread}${after}` && thread !== '' && !thread.includes('/');
  return { isMet, thread: isMet ? thread : undefined };
}

const pathOf = ({ url = '/' }: IncomingMessage): string => url.split('?', 1)[0] ?? '/';
const seconds = (ms: number): string => String(Math.ceil(ms / 1000));
const noMessage = () => InvalidInputError.at(['messages'], 'no message of a user is among them');

function nullIfUnknown(error: unknown): null {
  if (error instanceof NotFoundError) return null;
  throw error;
}

function threadIn(encoded: string | undefined): string | null {
  try {
    return encoded === undefined ? null : decodeURIComponent(encoded);
  } catch {
    throw InvalidInputError.at(['id'], 'the id in the address is not encoded as in an address');
  }
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const read = await readBody(request, MAX_BODY_BYTES);
  if ('problem' in read) throw InvalidInputError.at([], read.problem);
  return read.body;
}

/** @throws InvalidInputError naming what is wrong and where */
function checked<Schema extends z.ZodType>(schema: Schema, body: unknown): z.infer<Schema> {
  const { data, error } = schema.safeParse(body);
  if (!error) return data;
  throw new InvalidInputError(error.issues.map(({ path, message }) => ({ path: path.map(String), message })));
}

/** Writes as fast as the client reads. */
async function send(
  request: IncomingMessage,
  response: ServerResponse,
  { frames, headers, last }: Extract<Answer, { frames: unknown }>,
): Promise<void> {
  const seen = request.headers['last-event-id'];
  const lines = eventLines(frames, typeof seen === 'string' ? placeOf(seen) : null, last);
  const first = await lines.next(); // what fails before it is told by the status
  response.writeHead(200, { ...STREAM, ...headers });
  const ping = setInterval(() => response.writableNeedDrain || response.write(':\n\n'), PING_MS).unref();
  try {
    for (let next = first; !next.done && !response.destroyed; next = await lines.next()) {
      if (!response.write(next.value)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
    }
    response.end();
  } finally {
    clearInterval(ping);
    await lines.return(undefined);
  }
}

function statusOf(error: unknown): number {
  if (error instanceof SignedOutError) return 401;
  if (error instanceof RateLimitedError) return 429;
  if (error instanceof NotFoundError) return 404;
  if (error instanceof InvalidInputError) return 400;
  return error instanceof UserError ? 403 : 503;
}

/** Errors have the shape of those of GraphQL; for the AI SDK, whose pages show the whole body, they are words. */
function refuse(
  { request, response }: Exchange,
  status: number,
  {
    code,
    message,
    retryable = false,
  }: { readonly code: string; readonly message: string; readonly retryable?: boolean },
  headers: Readonly<Record<string, string>> = {},
): void {
  if (response.destroyed) return;
  const isWords = pathOf(request).startsWith(AI_SDK_PATH);
  const signIn = status === 401 ? { 'www-authenticate': 'Bearer realm="QPilot"' } : {};
  response.writeHead(status, {
    ...NOT_STORED,
    'content-type': `${isWords ? 'text/plain' : 'application/json'}; charset=utf-8`,
    // What was not read of a body would be taken for the next request.
    connection: 'close',
    ...signIn,
    ...headers,
  });
  const error = { errors: [{ message, extensions: { code, retryable } }] };
  response.end(isWords ? `${code}: ${message}` : `${JSON.stringify(error)}\n`);
}
