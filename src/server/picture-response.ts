/** Serves pictures of any origin over HTTP. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Viewer } from '../domain/conversation/session.ts';
import { allows, type Rule } from '../domain/members/rule.ts';
import { UserError } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import { SignedOutError } from '../identity/identity.ts';
import type { Access } from '../services/members/access.ts';
import type { Identify } from './operation-context.ts';
import { newRequestId } from './request-id.ts';

/** A picture, or a line of text instead. */
export type PictureAnswer = {
  readonly status: number;
  readonly contentType: string;
  readonly body: string | Buffer;
};

/** A line of text. */
export const plainAnswer = (status: number, text: string): PictureAnswer => ({
  status,
  contentType: 'text/plain; charset=utf-8',
  body: `${text}\n`,
});

/** Answers a `GET` or `HEAD` with what `find` finds; errors are logged and reported by a request id. */
export async function respondWithPicture(
  log: Logger,
  request: IncomingMessage,
  response: ServerResponse,
  find: () => Promise<PictureAnswer>,
): Promise<void> {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const { status, contentType, body } = await (
    isRead ? find() : Promise.resolve(plainAnswer(405, 'pictures are read by GET'))
  ).catch((error: unknown) => {
    const requestId = newRequestId();
    log.error({ err: error, requestId }, 'a picture could not be read');
    return plainAnswer(500, `Unexpected error; the log of the server has it under request id ${requestId}`);
  });
  response.writeHead(status, {
    'content-type': contentType,
    'content-length': Buffer.byteLength(body),
    'cache-control': status === 200 ? 'private, max-age=300' : 'no-store',
    // The bytes come from elsewhere: browsers must show them as a picture or not at all.
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'same-origin',
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** What finds the viewer of a request for a file. */
export type ViewerDeps = {
  readonly services: { readonly access: Access };
  readonly identify: Identify;
  /** Of the route. */
  readonly rule: Rule;
};

/** The viewer within the project that a path names; null if they may not use it, or if there is none. */
export async function viewerWithin(
  { services, identify, rule }: ViewerDeps,
  request: IncomingMessage,
  projectId: string,
): Promise<Viewer | null> {
  try {
    const viewer = await services.access.viewer(await identify({ req: request }), projectId);
    return allows(viewer, rule) ? viewer : null;
  } catch (error) {
    if (error instanceof UserError || error instanceof SignedOutError) return null;
    throw error;
  }
}

/** The project that the path of a request names below `route`; null for none, or one that is not encoded correctly. */
export function projectBelow(route: string, request: IncomingMessage): string | null {
  try {
    return decodeURIComponent(pathOf(request).slice(route.length)) || null;
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}

/** The path of a request, without what follows a question mark. */
export const pathOf = (request: IncomingMessage): string => request.url?.split('?', 1)[0] ?? '';
