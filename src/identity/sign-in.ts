/** better-auth, which keeps accounts, sessions, second factors and device codes in the schema `auth`. */
import { betterAuth } from 'better-auth';
import { bearer } from 'better-auth/plugins/bearer';
import { deviceAuthorization } from 'better-auth/plugins/device-authorization';
import { twoFactor } from 'better-auth/plugins/two-factor';
import { genericOAuth } from 'better-auth/plugins/generic-oauth';
import type { Logger } from '../base/log.ts';
import type { OidcConfig } from '../config/doors.ts';
import type { Db } from '../stores/pg/database.ts';
import { AUTH_PATH, type DoorEvents } from './identity.ts';
import { groupsIn } from './proxy.ts';
import { MAX_PASSWORD, MIN_PASSWORD } from './passwords.ts';

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

const isSecure = (publicOrigin: string | null): boolean => publicOrigin?.startsWith('https:') ?? false;

/** A provider as better-auth knows it: code flow with PKCE, ID tokens verified by its keys and bound by a nonce. */
const providerOf = ({ issuer, clientId, clientSecret, name, scopes, groupsClaim }: OidcConfig) => ({
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
  mapProfileToUser: (profile: Readonly<Record<string, unknown>>) => {
    const text = (claim: string) => (typeof profile[claim] === 'string' ? profile[claim] : null);
    const subject = text('sub') ?? '';
    return {
      email: text('email') ?? `${subject}@oidc.invalid`,
      name: text('name') ?? text('preferred_username') ?? text('email') ?? subject,
      groups: JSON.stringify(groupsIn(profile[groupsClaim])),
    };
  },
});

/** Whether better-auth has read the configuration of its provider, which may have been away. */
export async function hasProvider(signIn: SignIn): Promise<boolean> {
  return (await signIn.$context).socialProviders.some(({ id }) => id === OIDC_PROVIDER);
}

/** What signs people in. */
export type SignIn = ReturnType<typeof createSignIn>;

export function createSignIn({ db, secret, publicOrigin, log, events, withPasswords, oidc }: SignInOptions) {
  return betterAuth({
    ...(publicOrigin !== null && { baseURL: publicOrigin }),
    basePath: AUTH_PATH,
    secret,
    database: { db, type: 'postgres', schemaName: 'auth' },
    telemetry: { enabled: false },
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
      },
    },
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
      bearer(),
      twoFactor({ issuer: 'QPilot' }),
      deviceAuthorization({
        expiresIn: '10m',
        interval: '2s',
        verificationUri: '/device',
        validateClient: async (id) => id === TERMINAL_CLIENT,
      }),
      genericOAuth({ config: oidc === null ? [] : [providerOf(oidc)] }),
    ],
  });
}
