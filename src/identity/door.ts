/**
 * How people and programs come in. A door recognises who sends a request, and answers everything below `/auth`. What a
 * recognised caller may do is decided elsewhere (`services/members`).
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import { NotFoundError } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import type { Settings } from '../config/settings.ts';
import type { AuthMode, DoorConfig, TrustedProxies } from '../config/doors.ts';
import type { Access, Caller } from '../services/members/access.ts';
import type { QdashPeople } from '../stores/mongo/qdash-people.ts';
import type { Db } from '../stores/pg/database.ts';
import { createAssistants } from '../stores/pg/assistants.ts';
import { createPeople, proxyAccount, type KeyCap } from '../stores/pg/people.ts';
import type { Person } from '../stores/pg/person-columns.ts';
import { clientAddress, sendJson } from './exchange.ts';
import { AUTH_PATH, callerOf, SignedOutError, type DoorEvents, type Identity } from './identity.ts';
import { answerTo } from './error-answers.ts';
import { grantsOf } from './grants.ts';
import { isDiscovery, MCP_PATH, originOf, resourceAt } from './oauth/addresses.ts';
import { createProgramRoutes } from './oauth/oauth-routes.ts';
import { createProxyReader } from './proxy.ts';
import { createQdash } from './qdash.ts';
import { createRoutes } from './routes.ts';
import { createSessionTokens, credentialOf, hashOf, newInvitation, type Credential } from './secrets.ts';

/** How long somebody stays recognised without being looked up again: a sign-out is noticed after at most this. */
export const REMEMBERED_MS = 2_000;
const MOST_REMEMBERED = 5_000;
/** Somebody whom a proxy names again after this long came anew. */
const CAME_LATELY_MS = 12 * 3600 * 1000;

/** How long the link of the first owner holds. */
const OWNER_LINK_MS = 24 * 3600 * 1000;

/** A request, or the parameters that opened a WebSocket with it. */
export type Knock = {
  readonly req?: IncomingMessage;
  /** When the request came, if it is recognised again while it is answered: a short token need not last as long. */
  readonly since?: Date;
  readonly connectionParams?: Readonly<Record<string, unknown>> | undefined;
};

/** Everything between the network and the services. */
export type Door = {
  readonly mode: AuthMode;
  /** @throws SignedOutError for nobody known */
  identify(knock: Knock): Promise<Caller>;
  /** Where a request comes from, behind trusted proxies that of the client. */
  addressOf(request: IncomingMessage): string;
  /** Answers requests below `/auth`, and those by which programs find their sign-in. Never rejects. */
  respond(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Path of the page that makes the first owner, with a secret; null where there is one, or no accounts. */
  ownerLink(): Promise<string | null>;
};

export type DoorDeps = {
  readonly config: DoorConfig;
  /** Signs cookies. */
  readonly secret: string;
  readonly settings: Settings['access'];
  readonly db: Db;
  readonly access: Pick<Access, 'choiceOf' | 'projectsOf'>;
  /** Cancels what runs or waits for somebody who was disabled. */
  readonly stopWorkOf: (userId: string) => Promise<void>;
  /** Who may come in with `AUTH_MODE=qdash`. */
  readonly qdash: QdashPeople;
  readonly log: Logger;
  readonly events?: DoorEvents;
};

const NO_PROXIES: TrustedProxies = { has: () => false };

/** Whoever was recognised, and until when a short token says so. */
type Known = { readonly identity: Identity; readonly until: Date | null };

/** A door without sign-in: everybody is `local`. */
export const openDoor = (
  local: Caller,
  access: Pick<Access, 'choiceOf'>,
  trusted: TrustedProxies = NO_PROXIES,
): Door => ({
  mode: 'none',
  addressOf: (request) => clientAddress(request, trusted),
  identify: async () => local,
  ownerLink: async () => null,
  async respond(request, response) {
    const { pathname } = new URL(request.url ?? '', 'http://localhost');
    const isOfPrograms = isDiscovery(pathname) || pathname.startsWith(`${AUTH_PATH}/oauth/`);
    try {
      if (isOfPrograms) throw new NotFoundError('this server has no sign-in; use /mcp without a token');
      sendJson(response, 200, { mode: 'none', person: null, ...(await access.choiceOf(local)) });
    } catch (error) {
      const { status, ...shown } = answerTo(error);
      sendJson(response, status, shown);
    }
  },
});

/** Opens the door that the configuration asks for. */
export async function createDoor(deps: DoorDeps): Promise<Door> {
  const { config, secret, settings, db, access, log, events = {} } = deps;
  const { mode, publicOrigin, trustedProxies } = config;
  const people = createPeople(db);
  // Loaded on demand: a server without sign-in needs none of it.
  const { createSignIn, cookieName, clearedCookie, hasProvider } = await import('./sign-in.ts');
  const open = () =>
    createSignIn({
      db,
      secret,
      publicOrigin,
      log,
      events,
      withPasswords: mode === 'accounts',
      oidc: config.oidc,
    });
  let signIn = open();
  const tokens = createSessionTokens(secret);
  if (config.proxy !== null) await people.adoptFromProxy(config.proxy.assertion?.issuer ?? null);
  const qdash = mode === 'qdash' ? createQdash({ users: deps.qdash, people, secret, publicOrigin }) : null;
  const cookie = qdash?.cookie.name ?? cookieName(publicOrigin);
  const assistants = createAssistants(db);
  const remembered = new LRUCache<string, Promise<Known | null>>({
    max: MOST_REMEMBERED,
    ttl: REMEMBERED_MS,
  });

  const cameLately = new LRUCache<string, true>({ max: MOST_REMEMBERED, ttl: CAME_LATELY_MS });

  const lookUp = async (
    kind: Exclude<Credential['kind'], 'assistant'>,
    given: string,
  ): Promise<Identity | null> => {
    if (kind === 'key') {
      const found = await people.byKey(hashOf(given));
      if (found === null) return null;
      return qdash === null ? identityOf(found.person, 'key', settings, found) : qdash.ofKey(found);
    }
    if (mode === 'proxy') return null; // which says who it is with each request
    if (qdash !== null) {
      const token = kind === 'token' ? given : await qdash.cookie.open(given);
      return token === null ? null : qdash.ofToken(token);
    }
    const token = kind === 'token' ? given : tokens.tokenIn(given);
    const found = token === null ? null : await people.bySession(tokens.hashOf(token));
    return found && { ...identityOf(found.person, 'session', settings), sessionId: found.sessionId };
  };
  /** Tokens of assistants are for the MCP server at this origin, and count nowhere else. */
  const ofAssistant = async (secretHash: string, resource: string): Promise<Known | null> => {
    const found = await assistants.byAccessToken(secretHash, resource);
    if (found === null) return null;
    const identity =
      qdash === null ? identityOf(found.person, 'key', settings, found) : await qdash.ofKey(found);
    return identity && { identity, until: found.until };
  };
  const remember = (key: string, ask: () => Promise<Known | null>): Promise<Known | null> => {
    const known = remembered.get(key);
    if (known !== undefined) return known;
    const asked = ask();
    remembered.set(key, asked);
    asked.catch(() => remembered.delete(key));
    return asked;
  };
  const readProxy = config.proxy && createProxyReader(config.proxy, trustedProxies);
  const throughProxy = async (request: IncomingMessage): Promise<Identity | null> => {
    const stranger = (await readProxy?.(request)) ?? null;
    if (stranger === null) return null;
    const known = await remember(`proxy ${JSON.stringify(stranger)}`, async () => {
      const { issuer, subject, ...about } = stranger;
      const person = await people.enter({ ...proxyAccount(issuer, subject), ...about });
      if (person !== null && !cameLately.has(person.id)) {
        cameLately.set(person.id, true);
        const address = addressOf(request);
        events.onSignedIn?.({ userId: person.id, name: person.name, by: 'proxy', address });
      }
      return person && lasting(identityOf(person, 'proxy', settings));
    });
    return known?.identity ?? null;
  };
  const recognised = async ({ req, connectionParams, since }: Knock): Promise<Identity | null> => {
    const credential = credentialOf(req?.headers ?? {}, connectionParams, cookie);
    if (credential === null) return null;
    const { kind, secret: given } = credential;
    const key = `${kind} ${hashOf(given)}`;
    if (kind !== 'assistant')
      return (await remember(key, async () => lasting(await lookUp(kind, given))))?.identity ?? null;
    if (req?.url?.split('?', 1)[0] !== MCP_PATH) return null;
    const resource = resourceAt(originOf(req, publicOrigin));
    const known = await remember(`${key} ${resource}`, () => ofAssistant(hashOf(given), resource));
    const isValid = known?.until != null && known.until > (since ?? new Date());
    return isValid ? known.identity : null;
  };
  const identityIn = async (knock: Knock): Promise<Identity | null> =>
    (await recognised(knock)) ?? (knock.req ? throughProxy(knock.req) : null);
  const addressOf = (request: IncomingMessage) => clientAddress(request, trustedProxies);
  const forget = (): void => remembered.clear();

  return {
    mode,
    addressOf,
    async identify(knock) {
      const identity = await identityIn(knock);
      if (identity !== null) return callerOf(identity);
      if (knock.req)
        events.onRefused?.({ what: 'request', reason: 'not signed in', address: addressOf(knock.req) });
      throw new SignedOutError();
    },
    respond: createRoutes({
      mode,
      qdash,
      publicOrigin,
      provider: config.oidc?.name ?? null,
      signIn: () => signIn,
      clearCookie: clearedCookie(publicOrigin),
      async awaitProvider() {
        // It was away when this server started.
        if (!(await hasProvider(signIn))) signIn = open();
        return hasProvider(signIn);
      },
      db,
      people,
      access,
      programs: createProgramRoutes({ db, access, publicOrigin, events, log, addressOf, forget }),
      stopWorkOf: deps.stopWorkOf,
      events,
      log,
      addressOf,
      identityOf: (request) => identityIn({ req: request }),
      forget,
    }),
    async ownerLink() {
      if (mode !== 'accounts' || (await people.hasAdmin())) return null;
      const link = newInvitation();
      const expiresAt = new Date(Date.now() + OWNER_LINK_MS);
      const nobody = { email: null, projectId: null, role: null, invitedBy: null };
      await people.invite({ ...nobody, hash: hashOf(link), isAdmin: true, expiresAt });
      return `/welcome#${link}`;
    },
  };
}

const lasting = (identity: Identity | null): Known | null => identity && { identity, until: null };

function identityOf(
  person: Person,
  via: Identity['via'],
  settings: Settings['access'],
  key: { readonly keyId: string; readonly cap: KeyCap } | null = null,
): Identity {
  const { isAdmin, granted } = grantsOf(person.groups, settings);
  return {
    userId: person.id,
    name: person.name,
    email: person.email,
    groups: person.groups,
    isInstallationAdmin: person.isAdmin || isAdmin,
    everywhere: person.isAdmin || isAdmin ? 'owner' : null,
    hasTwoFactor: person.twoFactorEnabled === true,
    granted,
    cap: key?.cap ?? null,
    keyId: key?.keyId ?? null,
    sessionId: null,
    via,
  };
}
