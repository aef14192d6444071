/**
 * Sign-in of assistants by OAuth 2.1. People come by the routes of `createConsentRoutes`, within their sign-in; programs by those of
 * `createProgramRoutes`, which use none: whatever they may is in what they send.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import type { Logger } from '../../base/log.ts';
import { DONE } from '../../domain/audit/audit.ts';
import type { Access } from '../../services/members/access.ts';
import { createAssistants } from '../../stores/pg/assistants.ts';
import { createAssistantTokens } from '../../stores/pg/assistant-tokens.ts';
import type { Db } from '../../stores/pg/database.ts';
import { answerTo } from '../error-answers.ts';
import { readBody, sendJson } from '../exchange.ts';
import { AUTH_PATH, type DoorEvents, type Identity } from '../identity.ts';
import { discovery, isDiscovery, originOf } from './addresses.ts';
import { askConsent, decideConsent } from './consent.ts';
import { OAuthError } from './oauth-error.ts';
import { destinationOf } from './redirects.ts';
import { registerClient } from './registration.ts';
import { grantTokens, revokeToken, type TokenEvent } from './token-forms.ts';

export type OAuthDeps = {
  readonly db: Db;
  readonly access: Pick<Access, 'projectsOf'>;
  readonly publicOrigin: string | null;
  readonly events: DoorEvents;
  readonly log: Logger;
  readonly addressOf: (request: IncomingMessage) => string;
  /** Looks everybody up again. */
  readonly forget: () => void;
};

type Call = { readonly request: IncomingMessage; readonly body: unknown };

const byId = z.strictObject({ id: z.uuid() });

/** Routes of people, below `/auth`; `person` recognises who sends a request, and refuses anybody but people. */
export function createConsentRoutes(
  { db, access, publicOrigin }: Pick<OAuthDeps, 'db' | 'access' | 'publicOrigin'>,
  person: (request: IncomingMessage) => Promise<Identity>,
): Readonly<Record<string, (call: Call) => Promise<unknown>>> {
  const assistants = createAssistants(db);
  const deps = { assistants, access };
  return {
    'GET /oauth/request': async ({ request }) => {
      const { search } = new URL(request.url ?? '', 'http://localhost');
      return askConsent(deps, search, originOf(request, publicOrigin), await person(request));
    },
    'POST /oauth/decide': async ({ request, body }) =>
      decideConsent(deps, body, originOf(request, publicOrigin), await person(request)),
    'GET /assistants': async ({ request }) => {
      const all = await assistants.of((await person(request)).userId);
      return all.map(({ redirectUri, ...each }) => ({ ...each, goesTo: destinationOf(redirectUri) }));
    },
    'POST /assistants/remove': async ({ request, body }) => {
      await assistants.remove((await person(request)).userId, byId.parse(body).id);
      return {};
    },
  };
}

/** Answers programs; null for a path that is none of theirs. Never rejects. */
export type ProgramRoutes = (
  path: string,
) => ((request: IncomingMessage, response: ServerResponse) => Promise<void>) | null;

export function createProgramRoutes(deps: OAuthDeps): ProgramRoutes {
  const { db, publicOrigin, events, log, addressOf, forget } = deps;
  const assistants = createAssistants(db);
  const tokens = createAssistantTokens(db);

  const note =
    (request: IncomingMessage) =>
    (event: TokenEvent): void => {
      const { what, holder } = event;
      const { userId, name, assistantId } = holder;
      const [address, ids] = [addressOf(request), { assistantId }];
      if (what === 'connected') return events.onSignedIn?.({ userId, name, by: 'assistant', address, ids });
      forget();
      if (what !== 'revoked')
        log.warn({ assistantId, userId, what }, 'an assistant was ended: its secret is in other hands');
      const outcome = { revoked: DONE, 'used twice': 'USED_TWICE', 'presented by another': 'NOT_THEIRS' }[
        what
      ];
      const by = { userId, name, keyId: assistantId };
      const route = what === 'revoked' ? 'POST /oauth/revoke' : 'POST /oauth/token';
      events.onActed?.({ route, kind: 'SIGN_OUT', outcome, by, ids, address });
    };

  const routes: Readonly<
    Record<string, (request: IncomingMessage, body: string) => Promise<[number, object]>>
  > = {
    '/oauth/register': async (request, body) => {
      const address = addressOf(request);
      const registered = await registerClient({ db, assistants }, jsonIn(body), address);
      const ids = { oauthClientId: registered.client_id };
      events.onActed?.({
        route: 'POST /oauth/register',
        kind: 'ADMINISTER',
        outcome: DONE,
        by: null,
        ids,
        address,
      });
      return [201, registered];
    },
    '/oauth/token': async (request, body) => [
      200,
      await grantTokens({ tokens, note: note(request) }, body, originOf(request, publicOrigin)),
    ],
    '/oauth/revoke': async (request, body) => {
      await revokeToken({ tokens, note: note(request) }, body);
      return [200, {}];
    },
  };

  return (path) => {
    if (isDiscovery(path)) {
      return async (request, response) => {
        if (request.method === 'GET' || request.method === 'HEAD')
          sendJson(response, 200, discovery(path, originOf(request, publicOrigin)));
        else sendRefusal(response, 405, 'invalid_request', 'this is read by GET');
      };
    }
    const route = path.startsWith(AUTH_PATH) ? routes[path.slice(AUTH_PATH.length)] : undefined;
    if (route === undefined) return null;
    return async (request, response) => {
      try {
        if (request.method !== 'POST')
          return sendRefusal(response, 405, 'invalid_request', 'this is sent by POST');
        const body = await readBody(request);
        if (body === null) return sendRefusal(response, 413, 'invalid_request', 'the body is too large');
        const [status, answer] = await route(request, body);
        sendJson(response, status, answer);
      } catch (error) {
        if (error instanceof OAuthError) {
          if (error.retryAfterSeconds !== null) response.setHeader('retry-after', error.retryAfterSeconds);
          return sendRefusal(response, error.status, error.code, error.message);
        }
        const { status, message } = answerTo(error);
        if (status === 500) log.error({ err: error, path }, 'a request of OAuth failed');
        const code =
          status === 503 ? 'temporarily_unavailable' : status < 500 ? 'invalid_request' : 'server_error';
        sendRefusal(response, status, code, message);
      }
    };
  };
}

/** In the form of RFC 6749 and 7591. */
const sendRefusal = (response: ServerResponse, status: number, error: string, description: string): void =>
  sendJson(response, status, { error, error_description: description });

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new OAuthError('invalid_client_metadata', 'the body is no JSON');
  }
}
