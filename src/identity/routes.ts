/** What is answered below `/auth`: our own routes, and those of better-auth that we offer. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { ForbiddenError, InvalidInputError, NotFoundError, OutageError } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import type { AuthMode } from '../config/doors.ts';
import { DONE, idsIn } from '../domain/audit/audit.ts';
import { ROLES } from '../domain/members/role.ts';
import type { Access, ProjectChoice } from '../services/members/access.ts';
import type { Db } from '../stores/pg/database.ts';
import { LINK_SPENT, MADE_UP, type People } from '../stores/pg/people.ts';
import { readBody, sendJson, sendResponse } from './exchange.ts';
import { AUTH_PATH, callerOf, SignedOutError, type DoorEvents, type Identity } from './identity.ts';
import { createInviting } from './inviting.ts';
import { checkPassword } from './passwords.ts';
import type { Qdash } from './qdash.ts';
import { answerTo } from './error-answers.ts';
import { createConsentRoutes, type ProgramRoutes } from './oauth/oauth-routes.ts';
import { isRecorded, kindOf } from './recorded-routes.ts';
import { hashOf, newApiKey, newInvitation } from './secrets.ts';
import { ADDRESS_HEADER, OIDC_PROVIDER, type SignIn } from './sign-in.ts';

/** A route of better-auth that is offered. */
type Offer = {
  readonly modes: readonly AuthMode[];
  /** What is passed on of a body: what is not named here, better-auth never reads. */
  readonly body: z.ZodType<object> | null;
  /** What is passed on of the answer; see {@link sendResponse}. */
  readonly says: readonly string[];
};

const text = z.string().max(1_000);
const BOTH = ['accounts', 'oidc'] as const;
const byCode = { modes: ['accounts'], body: z.object({ code: text }), says: [] } as const;

/** All that is offered of better-auth; its other routes are unknown. The proxy or QDash signs people in and out itself. */
const OFFERED: Readonly<Record<string, Offer>> = {
  'POST /sign-in/email': {
    modes: ['accounts'],
    body: z.object({ email: text, password: text }),
    says: ['twoFactorRedirect'],
  },
  'POST /two-factor/verify-totp': byCode,
  'POST /two-factor/verify-backup-code': byCode,
  'POST /two-factor/enable': {
    modes: ['accounts'],
    body: z.object({ password: text }),
    says: ['totpURI', 'backupCodes'],
  },
  'POST /two-factor/disable': { modes: ['accounts'], body: z.object({ password: text }), says: [] },
  'POST /change-password': {
    modes: ['accounts'],
    // All other sessions end, whatever was asked for.
    body: z
      .object({ currentPassword: text, newPassword: text })
      .transform((asked) => ({ ...asked, revokeOtherSessions: true })),
    says: [],
  },
  'POST /sign-in/social': {
    modes: ['oidc'],
    // Only where to go afterwards is the caller's choice, and only a page of this server.
    body: z
      .strictObject({
        next: z
          .string()
          .max(2_000)
          .regex(/^\/(?![/\\])/u),
      })
      .transform(({ next }) => ({
        provider: OIDC_PROVIDER,
        callbackURL: next,
        errorCallbackURL: '/sign-in',
      })),
    says: ['url'],
  },
  'GET /callback/oidc': { modes: ['oidc'], body: null, says: [] },
  'POST /device/code': {
    modes: BOTH,
    body: z.object({ client_id: text }),
    says: [
      'device_code',
      'user_code',
      'verification_uri',
      'verification_uri_complete',
      'expires_in',
      'interval',
    ],
  },
  // To programs only; see `requireProgram`.
  'POST /device/token': {
    modes: BOTH,
    body: z.object({ grant_type: text, device_code: text, client_id: text }),
    says: ['access_token', 'token_type', 'expires_in'],
  },
  'GET /device': { modes: BOTH, body: null, says: ['user_code', 'status'] },
  'POST /device/approve': { modes: BOTH, body: z.object({ userCode: text }), says: [] },
  'POST /device/deny': { modes: BOTH, body: z.object({ userCode: text }), says: [] },
};

const DAY_MS = 24 * 3600 * 1000;
const INVITATION_DAYS = 7;

const name = z.string().trim().min(1).max(100);
const role = z.enum(ROLES);
const email = z
  .email()
  .max(200)
  .refine((given) => !given.toLowerCase().endsWith(MADE_UP), { error: 'is no address of anybody' });
const BODIES = {
  token: z.strictObject({ token: z.string().trim().min(1).max(200) }),
  invitation: z.strictObject({ token: z.string().max(200) }),
  accept: z.strictObject({
    token: z.string().max(200),
    name,
    email,
    password: z.string().max(1_000),
  }),
  addKey: z.strictObject({
    name,
    days: z.int().min(1).max(366),
    role,
    projectId: z.string().max(200).nullable(),
  }),
  byId: z.strictObject({ id: z.uuid() }),
  session: z.strictObject({ id: z.string().max(200) }),
  invite: z.strictObject({
    email,
    projectId: z.string().max(200).nullable(),
    role: role.nullable(),
    isAdmin: z.boolean().default(false),
  }),
  changePerson: z.strictObject({
    id: z.string().max(200),
    isAdmin: z.boolean().optional(),
    disabled: z.boolean().optional(),
  }),
};

export type RouteDeps = {
  readonly mode: AuthMode;
  /** Null where no QDash signs people in. */
  readonly qdash: Qdash | null;
  readonly publicOrigin: string | null;
  /** What people call the provider that signs them in; null where none does. */
  readonly provider: string | null;
  readonly signIn: () => SignIn;
  /** The header that takes the cookie of a session from a browser. */
  readonly clearCookie: string;
  /** Whether that provider can be asked now. */
  readonly awaitProvider: () => Promise<boolean>;
  readonly db: Db;
  readonly people: People;
  readonly access: Pick<Access, 'choiceOf' | 'projectsOf'>;
  /** Cancels what runs or waits for somebody who was disabled. */
  readonly stopWorkOf: (userId: string) => Promise<void>;
  readonly events: DoorEvents;
  readonly log: Logger;
  readonly addressOf: (request: IncomingMessage) => string;
  readonly identityOf: (request: IncomingMessage) => Promise<Identity | null>;
  /** What programs are answered that act for people. */
  readonly programs: ProgramRoutes;
  /** Looks everybody up again; called after whatever may have changed who is signed in. */
  readonly forget: () => void;
};

const NO_CHOICE: ProjectChoice = { projects: [], usual: null };

type Call = { readonly request: IncomingMessage; readonly response: ServerResponse; readonly body: unknown };

/** Answers a request below `/auth`. Never rejects. */
export function createRoutes(deps: RouteDeps) {
  const { mode, people, access, events, log, addressOf, identityOf, forget, signIn } = deps;
  /** Somebody in person: a key can neither make keys nor invite. */
  const person = async (request: IncomingMessage): Promise<Identity> => {
    const identity = await identityOf(request);
    if (identity === null) throw new SignedOutError();
    if (identity.via === 'key') throw new ForbiddenError('a key may not do this; sign in');
    return identity;
  };
  const admin = async (request: IncomingMessage): Promise<Identity> => {
    const identity = await person(request);
    if (!identity.isInstallationAdmin)
      throw new ForbiddenError('only administrators of the installation may do this');
    return identity;
  };
  /** What they may do in a project; they see none that they are not in. */
  const roleIn = async (identity: Identity, projectId: string) => {
    const found = (await access.projectsOf(callerOf(identity))).find((each) => each.projectId === projectId);
    if (found === undefined) throw new NotFoundError(`you have no project ${projectId}`);
    return found.role;
  };

  const inviting = createInviting({ people, access, roleIn });

  const own: Readonly<Record<string, (call: Call) => Promise<unknown>>> = {
    'GET /me': async ({ request, response }) => {
      const identity = await identityOf(request);
      if (identity?.via === 'session') await prolong(request, response, deps);
      return {
        mode,
        provider: deps.provider,
        person: identity && {
          id: identity.userId,
          name: identity.name,
          email: identity.email,
          isAdmin: identity.isInstallationAdmin,
          hasTwoFactor: identity.hasTwoFactor,
        },
        ...(identity ? await access.choiceOf(callerOf(identity)) : NO_CHOICE),
      };
    },
    'POST /invitation': async ({ body }) => {
      const { token } = BODIES.invitation.parse(body);
      const found = await people.invitation(hashOf(token));
      if (found === null) throw new NotFoundError(LINK_SPENT);
      return { email: found.email, projectId: found.projectId, role: found.role, isAdmin: found.isAdmin };
    },
    'POST /accept': async ({ request, response, body }) => {
      const { token, password, ...about } = BODIES.accept.parse(body);
      checkPassword(password, about);
      if ((await people.invitation(hashOf(token))) === null) throw new NotFoundError(LINK_SPENT);
      const context = await signIn().$context;
      const passwordHash = await context.password.hash(password);
      const email = await people.accept(hashOf(token), { ...about, passwordHash });
      const entered = await signIn().api.signInEmail({
        body: { email, password },
        headers: headersOf(request, addressOf(request)),
        asResponse: true,
      });
      response.setHeader('set-cookie', entered.headers.getSetCookie());
      return { email };
    },
    'GET /keys': async ({ request }) => people.keysOf((await person(request)).userId),
    'POST /keys': async ({ request, body }) => {
      const identity = await person(request);
      const { days, role: most, projectId, name: called } = BODIES.addKey.parse(body);
      if (projectId !== null) await roleIn(identity, projectId);
      const key = newApiKey();
      const id = await people.addKey({
        userId: identity.userId,
        name: called,
        hash: hashOf(key),
        hint: key.slice(0, 7),
        cap: { role: most, projectId },
        expiresAt: new Date(Date.now() + days * DAY_MS),
      });
      return { id, key };
    },
    'POST /keys/remove': async ({ request, body }) => {
      await people.removeKey((await person(request)).userId, BODIES.byId.parse(body).id);
      return {};
    },
    'GET /invitations': async ({ request }) => inviting.invitationsFor(await person(request)),
    'POST /invitations': async ({ request, body }) => {
      if (mode !== 'accounts') throw new NotFoundError('people of this installation come from elsewhere');
      const identity = await person(request);
      const asked = BODIES.invite.parse(body);
      if ((asked.projectId === null) !== (asked.role === null))
        throw InvalidInputError.at(['role'], 'goes with a project, and a project with a role');
      if (!identity.isInstallationAdmin) await inviting.requireInviter(asked, identity);
      else if (asked.projectId !== null) await roleIn(identity, asked.projectId);
      const token = newInvitation();
      const id = await people.invite({
        ...asked,
        hash: hashOf(token),
        invitedBy: identity.userId,
        expiresAt: new Date(Date.now() + INVITATION_DAYS * DAY_MS),
      });
      return { id, link: `${deps.publicOrigin ?? `http://${request.headers.host}`}/welcome#${token}` };
    },
    'POST /invitations/remove': async ({ request, body }) => {
      const { id } = BODIES.byId.parse(body);
      const found = (await inviting.invitationsFor(await person(request))).find((each) => each.id === id);
      if (found) await people.withdraw(id);
      return {};
    },
    'GET /people': async ({ request }) => {
      await admin(request);
      return people.list();
    },
    'POST /people': async ({ request, body }) => {
      await admin(request);
      const { id, ...to } = BODIES.changePerson.parse(body);
      await people.change(id, to);
      if (to.disabled === true) await deps.stopWorkOf(id);
      return {};
    },
    ...createConsentRoutes(deps, person),
  };

  /** Sessions are ours to list and to end: better-auth would name them by their tokens. */
  const ofSessions: typeof own = {
    'GET /list-sessions': async ({ request }) => {
      const { userId, sessionId } = await person(request);
      return (await people.sessionsOf(userId)).map((each) => ({ ...each, isThis: each.id === sessionId }));
    },
    'POST /revoke-session': async ({ request, body }) => {
      const { userId } = await person(request);
      if (!(await people.endSession(userId, BODIES.session.parse(body).id)))
        throw new NotFoundError('you have no such session');
      return {};
    },
    'POST /revoke-sessions': async ({ request, response }) => {
      await people.endSessions((await person(request)).userId);
      response.setHeader('set-cookie', deps.clearCookie);
      return {};
    },
    'POST /sign-out': async ({ request, response }) => {
      const identity = await identityOf(request);
      if (identity !== null && identity.sessionId !== null)
        await people.endSession(identity.userId, identity.sessionId);
      response.setHeader('set-cookie', deps.clearCookie);
      return {};
    },
  };

  const { qdash } = deps;
  const byQdash: typeof own =
    qdash === null
      ? {}
      : {
          'POST /sign-in/qdash': async ({ request, response, body }) => {
            const { token } = BODIES.token.parse(body);
            const address = addressOf(request);
            const identity = await qdash.ofToken(token);
            if (identity === null) {
              events.onRefused?.({ what: 'sign-in', reason: 'unknown token', address });
              throw new ForbiddenError(
                'QDash has no such access token, or its user is disabled there; copy the token anew, or ask who administers it',
              );
            }
            response.setHeader('set-cookie', await qdash.cookie.seal(token));
            const { userId, name: called } = identity;
            events.onSignedIn?.({ userId, name: called, by: 'qdash', address });
            return {};
          },
          'POST /sign-out': async ({ response }) => {
            response.setHeader('set-cookie', qdash.cookie.clear);
            return {};
          },
        };

  const requireProvider = async (): Promise<void> => {
    if (!(await deps.awaitProvider())) throw new ProviderAwayError();
  };

  const noteActed = (
    { request, route, body }: { request: IncomingMessage; route: string; body: unknown },
    by: Identity | null,
    outcome: string,
    result: unknown = null,
  ): void => {
    const ids = { ...idsIn(body), ...idsIn(result) };
    if (request.method !== 'GET' && isRecorded(route))
      events.onActed?.({ route, kind: kindOf(route), outcome, by, ids, address: addressOf(request) });
  };

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '', 'http://localhost');
    const program = deps.programs(url.pathname);
    if (program !== null) return program(request, response);
    const route = `${request.method} ${url.pathname.slice(AUTH_PATH.length)}`;
    const isChange = request.method !== 'GET';
    let body: unknown = null;
    let by: Identity | null = null;
    try {
      const text = isChange ? await readBody(request) : '';
      if (text === null)
        return sendJson(response, 413, { code: 'INVALID_INPUT', message: 'the body is too large' });
      body = isChange ? JSON.parse(text) : null;
      by = isChange && isRecorded(route) ? await identityOf(request) : null;
      const hasSessions = mode === 'accounts' || mode === 'oidc';
      const handler = own[route] ?? (hasSessions ? ofSessions : byQdash)[route];
      if (handler !== undefined) {
        const result = await handler({ request, response, body });
        forget();
        noteActed({ request, route, body }, by, DONE, result);
        return sendJson(response, 200, result);
      }
      const offer = OFFERED[route];
      if (!offer?.modes.includes(mode)) throw new NotFoundError(`there is no ${route} here`);
      if (route === 'POST /change-password') await checkNewPassword(body, await person(request));
      if (route === 'POST /device/token') requireProgram(request);
      const sent = offer.body?.parse(body);
      if (offer.modes.every((each) => each === 'oidc')) await requireProvider();
      const answer = await signIn().handler(
        new Request(new URL(request.url ?? '', deps.publicOrigin ?? `http://${request.headers.host}`), {
          method: request.method ?? 'GET',
          headers: headersOf(request, addressOf(request)),
          ...(sent !== undefined && { body: JSON.stringify(sent) }),
        }),
      );
      if (route === 'POST /change-password' && answer.ok && by !== null) await people.endCodes(by.userId);
      if (isChange) forget();
      noteActed({ request, route, body }, by, answer.status < 400 ? DONE : `HTTP_${answer.status}`);
      if (answer.status >= 400 && /^POST \/(?:sign-in|two-factor\/verify)/u.test(route)) {
        const reason = answer.status === 429 ? 'too many tries' : 'wrong address or password';
        const { email = null } = idsIn(body);
        events.onRefused?.({ what: 'sign-in', reason, address: addressOf(request), email });
      }
      return await sendResponse(answer, response, offer.says);
    } catch (error) {
      const { status, ...shown } = answerTo(error);
      if (status !== 404) noteActed({ request, route, body }, by, shown.code);
      if (status === 500) log.error({ err: error, route }, 'a request for sign-in failed');
      return sendJson(response, status, shown);
    }
  };
}

/** A session that is used lasts longer; its cookie with it. */
async function prolong(
  request: IncomingMessage,
  response: ServerResponse,
  { signIn, addressOf }: RouteDeps,
): Promise<void> {
  const { headers } = await signIn().api.getSession({
    headers: headersOf(request, addressOf(request)),
    returnHeaders: true,
  });
  const cookies = headers.getSetCookie();
  if (cookies.length > 0) response.setHeader('set-cookie', cookies);
}

/** The identity provider does not answer. */
class ProviderAwayError extends OutageError {
  readonly code = 'PROVIDER_AWAY';
  readonly retryAfterMs = 10_000;
  constructor() {
    super('the identity provider does not answer now; try again in a moment');
  }
}

/**
 * The token of a terminal is for programs: a script in a page could otherwise make itself one that outlasts its browser. A
 * browser says what it is in headers that no script can leave out.
 * @throws ForbiddenError
 */
function requireProgram({ headers }: IncomingMessage): void {
  if (headers.origin !== undefined || headers.cookie !== undefined || headers['sec-fetch-site'] !== undefined)
    throw new ForbiddenError('tokens of terminals are given to terminals only');
}

async function checkNewPassword(body: unknown, { name: called, email }: Identity): Promise<void> {
  const { newPassword } = z.looseObject({ newPassword: z.string().max(1_000) }).parse(body);
  checkPassword(newPassword, { name: called, email: email ?? '' });
}

/** Headers for better-auth, with the true address. */
function headersOf(request: IncomingMessage, address: string): Headers {
  const headers = new Headers();
  for (const [key, value] of Object.entries(request.headers)) {
    if (typeof value === 'string' && !/^x-(?:forwarded|real)-|^content-length$/u.test(key))
      headers.set(key, value);
  }
  headers.set(ADDRESS_HEADER, address);
  return headers;
}
