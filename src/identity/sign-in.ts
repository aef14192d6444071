/** better-auth, which keeps accounts, sessions, second factors and device codes in the schema `auth`. */
import { createHash } from 'node:crypto';
import { betterAuth, type BetterAuthPlugin } from 'better-auth';
import { deviceAuthorization } from 'better-auth/plugins/device-authorization';
import { twoFactor } from 'better-auth/plugins/two-factor';
import { genericOAuth } from 'better-auth/plugins/generic-oauth';
import { decodeJwt } from 'jose';
import type { Logger } from '../base/log.ts';
import type { OidcConfig } from '../config/doors.ts';
import type { Db } from '../stores/pg/database.ts';
import { AUTH_PATH, type DoorEvents } from './identity.ts';
import { accountOf, MADE_UP } from '../stores/pg/people.ts';
import { aboutIn } from './proxy.ts';
import { MAX_PASSWORD, MIN_PASSWORD } from './passwords.ts';
import { createSessionTokens } from './secrets.ts';

/** Carries the address of a client to better-auth; whatever a client sends under this name is replaced. */
export const ADDRESS_HEADER = 'x-qpilot-address';

/** Id of the provider of OpenID Connect, in addresses. */
export const OIDC_PROVIDER = 'oidc';

/** The program that `npm run login` is, to better-auth. */
export const TERMINAL_CLIENT = 'qpilot-terminal';

const DAY_S = 24 * 3600;

export type SignInOptions = {
  readonly db: Db;
  /** Signs cookies and encrypts second factors. */
  readonly secret: string;
  readonly publicOrigin: string | null;
  readonly log: Logger;
  readonly events: DoorEvents;
  /** Whether QPilot keeps passwords itself. */
  readonly withPasswords: boolean;
  /** The provider that signs people in; null where none does. */
  readonly oidc: OidcConfig | null;
};

/** The name of the cookie with the session. */
export const cookieName = (publicOrigin: string | null): string =>
  `${isSecure(publicOrigin) ? '__Secure-' : ''}qpilot.session_token`;

/** The header that takes that cookie from a browser. */
export const clearedCookie = (publicOrigin: string | null): string =>
  `${cookieName(publicOrigin)}=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0${isSecure(publicOrigin) ? '; Secure' : ''}`;

const isSecure = (publicOrigin: string | null): boolean => publicOrigin?.startsWith('https:') ?? false;

/**
 * A provider as better-auth knows it: code flow with PKCE, ID tokens verified by its keys and bound by a nonce. An account is
 * the issuer and subject of the ID token. better-auth looks for people by their address, too, so it is given one that is made
 * of the two, and the real one is kept apart, to be shown.
 */
const providerOf = (
  { issuer, clientId, clientSecret, name, scopes, groupsClaim }: OidcConfig,
  issuerNow: () => Promise<string>,
) => ({
  providerId: OIDC_PROVIDER,
  name,
  discoveryUrl: `${issuer}/.well-known/openid-configuration`,
  requireIdTokenVerification: true,
  clientId,
  ...(clientSecret === null ? { tokenEndpointAuth: { method: 'none' } as const } : { clientSecret }),
  scopes: [...scopes],
  pkce: true,
  disableProviderLogout: true,
  // Names and groups are the provider's, at each sign-in.
  overrideUserInfo: true,
  accountSubject: ({ tokens, profile }: Said): string => {
    const { iss, sub } = decodeJwt(tokens.idToken ?? '');
    // Claims beside the ID token count for its subject only.
    if (iss === undefined || !sub || profile['sub'] !== sub)
      throw new Error('the provider names no subject, or two of them');
    return accountOf(iss, sub);
  },
  mapProfileToUser: async (profile: Said['profile']) => {
    const subject = String(profile['sub']);
    const account = accountOf(await issuerNow(), subject);
    const { email, groups, ...about } = aboutIn(profile, groupsClaim, subject);
    return {
      ...about,
      email: createHash('sha256').update(account).digest('hex') + MADE_UP,
      emailVerified: false,
      image: '',
      address: email,
      groups: JSON.stringify(groups),
    };
  },
});

type Said = {
  readonly tokens: { readonly idToken?: string | undefined };
  readonly profile: Readonly<Record<string, unknown>>;
};

/** Columns with secrets that somebody presents, of which PostgreSQL gets hashes. */
const HASHED: Readonly<Record<string, ReadonlySet<string>>> = {
  session: new Set(['token']),
  deviceCode: new Set(['deviceCode', 'userCode']),
};

/** better-auth's access to its tables. */
type Adapter = Parameters<NonNullable<BetterAuthPlugin['init']>>[0]['adapter'];
type Row = Readonly<Record<string, unknown>>;
type TableCall = {
  readonly model: string;
  readonly data?: Row;
  readonly update?: Row;
  readonly where?: readonly { readonly field: string; readonly value: unknown }[];
};

/** The adapter with hashes in {@link HASHED}. Whoever presented a secret gets it back with the row; others get the hash. */
function hashing(adapter: Adapter, hashOf: (secret: string) => string): Adapter {
  const callHashed = async (
    columns: ReadonlySet<string>,
    call: TableCall,
    run: (call: TableCall) => unknown,
  ) => {
    const secrets = new Map<unknown, unknown>();
    const hide = (secret: unknown): unknown => {
      if (Array.isArray(secret)) return secret.map(hide);
      if (typeof secret !== 'string') return secret;
      const hash = hashOf(secret);
      secrets.set(hash, secret);
      return hash;
    };
    const mapped = (row: Row, map: (value: unknown) => unknown): Row =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [name, columns.has(name) ? map(value) : value]),
      );
    const found = await run({
      ...call,
      ...(call.data && { data: mapped(call.data, hide) }),
      ...(call.update && { update: mapped(call.update, hide) }),
      ...(call.where && {
        where: call.where.map((each) =>
          columns.has(each.field) ? { ...each, value: hide(each.value) } : each,
        ),
      }),
    });
    const show = (row: unknown): unknown =>
      typeof row === 'object' && row !== null
        ? mapped(row as Row, (value) => secrets.get(value) ?? value)
        : row;
    return Array.isArray(found) ? found.map(show) : show(found);
  };
  return new Proxy(adapter, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      if (name === 'transaction')
        return (work: (inner: Adapter) => Promise<unknown>) =>
          target.transaction((inner) => work(hashing(inner as Adapter, hashOf)));
      return (...given: readonly unknown[]): unknown => {
        const [call] = given as readonly (TableCall | undefined)[];
        const columns = HASHED[call?.model ?? ''];
        const run = (...sent: readonly unknown[]): unknown => Reflect.apply(member, target, sent);
        return call === undefined || columns === undefined ? run(...given) : callHashed(columns, call, run);
      };
    },
  });
}

/** Whether better-auth has read the configuration of its provider, which may have been away. */
export async function hasProvider(signIn: SignIn): Promise<boolean> {
  return (await signIn.$context).socialProviders.some(({ id }) => id === OIDC_PROVIDER);
}

/** What signs people in. */
export type SignIn = ReturnType<typeof createSignIn>;

export function createSignIn({ db, secret, publicOrigin, log, events, withPasswords, oidc }: SignInOptions) {
  const { hashOf } = createSessionTokens(secret);
  /** As the provider writes it, which its configuration says. */
  async function issuerNow(): Promise<string> {
    const provider = (await signIn.$context).socialProviders.find(({ id }) => id === OIDC_PROVIDER);
    return provider?.issuer ?? '';
  }
  const signIn = betterAuth({
    ...(publicOrigin !== null && { baseURL: publicOrigin }),
    basePath: AUTH_PATH,
    secret,
    database: { db, type: 'postgres', schemaName: 'auth', transaction: true },
    telemetry: { enabled: false },
    // Errors reach our log by way of whoever asked; better-auth would write them past it.
    onAPIError: { throw: true },
    logger: {
      level: 'warn',
      // Arguments may hold anything, so only errors among them are logged.
      log(level, message, ...rest) {
        if (message.includes('Base URL is not set')) return; // our server has checked the host of each request
        log[level]({ err: rest.find((each) => each instanceof Error) }, `sign-in: ${message}`);
      },
    },
    user: {
      additionalFields: {
        isAdmin: { type: 'boolean', input: false, defaultValue: false },
        disabled: { type: 'boolean', input: false, defaultValue: false },
        // Taken from the provider; people cannot, since no route that is offered changes a user.
        groups: { type: 'string', input: oidc !== null, required: false },
        address: { type: 'string', input: oidc !== null, required: false },
      },
    },
    account: {
      accountLinking: { enabled: false, disableImplicitLinking: true },
      updateAccountOnSignIn: false,
    },
    // What somebody presents to go on with a sign-in that has begun.
    verification: { storeIdentifier: 'hashed' },
    emailAndPassword: {
      enabled: withPasswords,
      disableSignUp: true,
      minPasswordLength: MIN_PASSWORD,
      maxPasswordLength: MAX_PASSWORD,
    },
    session:
      oidc === null
        ? { expiresIn: 7 * DAY_S, updateAge: DAY_S, freshAge: DAY_S }
        : { expiresIn: oidc.sessionSeconds, disableSessionRefresh: true },
    rateLimit: {
      enabled: true,
      // Shared by all servers.
      storage: 'database',
      window: 60,
      max: 200,
      customRules: {
        '/sign-in/email': { window: 60, max: 8 },
        '/sign-in/social': { window: 60, max: 30 },
        '/two-factor/verify-totp': { window: 60, max: 8 },
        '/two-factor/verify-backup-code': { window: 60, max: 8 },
        '/change-password': { window: 60, max: 8 },
        '/device/code': { window: 60, max: 20 },
      },
    },
    advanced: {
      cookiePrefix: 'qpilot',
      useSecureCookies: isSecure(publicOrigin),
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
      database: { validateSchema: false },
    },
    databaseHooks: {
      // A sign-in needs no token of the provider once it knows who it is.
      account: {
        create: {
          before: async () => ({ data: { accessToken: null, refreshToken: null, idToken: null } }),
        },
      },
      // The address that is typed with a password is nobody else's to change.
      user: { update: { before: async () => ({ data: { email: undefined, emailVerified: undefined } }) } },
      session: {
        create: {
          before: async ({ userId }) => {
            const person = await db
              .selectFrom('auth.user')
              .select('disabled')
              .where('id', '=', userId)
              .executeTakeFirst();
            return person?.disabled === false ? undefined : false;
          },
          after: async ({ userId, ipAddress }, context) => {
            const person = await db
              .selectFrom('auth.user')
              .select('name')
              .where('id', '=', userId)
              .executeTakeFirst();
            const by = context?.path ?? 'unknown';
            events.onSignedIn?.({ userId, name: person?.name ?? null, by, address: ipAddress ?? '' });
          },
        },
      },
    },
    plugins: [
      {
        id: 'hashed-secrets',
        init: ({ adapter }) => ({ context: { adapter: hashing(adapter, hashOf) } }),
      } satisfies BetterAuthPlugin,
      twoFactor({ issuer: 'QPilot' }),
      deviceAuthorization({
        expiresIn: '10m',
        interval: '2s',
        verificationUri: '/device',
        validateClient: async (id) => id === TERMINAL_CLIENT,
      }),
      genericOAuth({ config: oidc === null ? [] : [providerOf(oidc, issuerNow)] }),
    ],
  });
  return signIn;
}
