/** How people come in, as the environment configures it: who signs them in, under which address, behind which proxies. */
import { BlockList, isIP } from 'node:net';
import { z } from 'zod';
import { StartupError } from '../base/errors.ts';

/**
 * Who says who somebody is. `none`: nobody, everybody on this machine is the same viewer; `accounts`: QPilot itself;
 * `oidc`: a provider of OpenID Connect; `proxy`: a proxy in front; `qdash`: the users and tokens of the QDash whose database is
 * read.
 */
export const AUTH_MODES = ['none', 'accounts', 'oidc', 'proxy', 'qdash'] as const;
export type AuthMode = (typeof AUTH_MODES)[number];

const header = z.string().regex(/^[a-z0-9-]+$/iu, { error: 'must be the name of a header' });

/** Variables that this file reads. */
export const DOOR_VARIABLES = {
  AUTH_MODE: z.enum(AUTH_MODES).optional(),
  PUBLIC_URL: z.string().optional(),
  TRUSTED_PROXIES: z.string().default(''),
  AUTH_SECRET: z.string().min(32, { error: 'must have 32 characters at least' }).optional(),
  OIDC_ISSUER: z.string().optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_NAME: z.string().max(60).optional(),
  OIDC_SCOPES: z.string().default('openid profile email'),
  OIDC_GROUPS_CLAIM: z.string().default('groups'),
  OIDC_SESSION_HOURS: z.coerce.number().min(0.1).max(720).default(12),
  PROXY_USER_HEADER: header.default('x-forwarded-user'),
  PROXY_NAME_HEADER: header.default('x-forwarded-preferred-username'),
  PROXY_EMAIL_HEADER: header.default('x-forwarded-email'),
  PROXY_GROUPS_HEADER: header.default('x-forwarded-groups'),
  PROXY_ASSERTION_HEADER: header.optional(),
  PROXY_JWKS_URL: z.url({ protocol: /^https?$/u }).optional(),
  PROXY_ISSUER: z.string().optional(),
  PROXY_AUDIENCE: z.string().optional(),
} as const;

/** A provider of OpenID Connect. */
export type OidcConfig = {
  /** Its address, below which its configuration is found. */
  readonly issuer: string;
  readonly clientId: string;
  /** Null for a public client, which PKCE protects alone. */
  readonly clientSecret: string | null;
  /** What people call it. */
  readonly name: string;
  readonly scopes: readonly string[];
  readonly groupsClaim: string;
  /** How long a sign-in lasts: only the next one learns what the provider has changed. */
  readonly sessionSeconds: number;
};

/** How a proxy says who somebody is. */
export type ProxyConfig = {
  /** Names of plain headers, which only trusted proxies may send. */
  readonly headers: {
    readonly user: string;
    readonly name: string;
    readonly email: string;
    readonly groups: string;
  };
  /** The header with a signed assertion (a JWT), and who signs it for whom; null: plain headers are believed. */
  readonly assertion: {
    readonly header: string;
    readonly jwksUrl: string;
    readonly issuer: string;
    readonly audience: string;
  } | null;
};

/** Addresses of proxies whose headers are believed. */
export type TrustedProxies = { readonly has: (address: string) => boolean };

/** How people come in. */
export type DoorConfig = {
  readonly mode: AuthMode;
  /** Origin under which browsers reach the server, for example `https://qpilot.example.org`; null: its own address. */
  readonly publicOrigin: string | null;
  readonly trustedProxies: TrustedProxies;
  /** Signs cookies; null: a secret of the data folder. */
  readonly secret: string | null;
  /** Null in other modes than `oidc`. */
  readonly oidc: OidcConfig | null;
  /** Null in other modes than `proxy`. */
  readonly proxy: ProxyConfig | null;
};

type Given = z.infer<z.ZodObject<typeof DOOR_VARIABLES>> & { readonly HOST: string };

export const LOOPBACK = new Set(['127.0.0.1', '::1', '[::1]', 'localhost']);

/** @throws StartupError for addresses that nobody could use, or that would let everybody in. */
export function readDoors(given: Given): DoorConfig {
  const publicOrigin = given.PUBLIC_URL === undefined ? null : originOf(given.PUBLIC_URL);
  const isPublic = publicOrigin !== null && !LOOPBACK.has(new URL(publicOrigin).hostname);
  const isExposed = !LOOPBACK.has(given.HOST);
  const mode = given.AUTH_MODE ?? (isPublic || isExposed ? 'accounts' : 'none');
  if (mode === 'none' && (isPublic || isExposed)) {
    const what = isExposed ? `HOST=${given.HOST}` : `PUBLIC_URL=${given.PUBLIC_URL}`;
    throw new StartupError(
      `${what} would let everybody on the network in, since AUTH_MODE=none has no sign-in: set AUTH_MODE=accounts, or keep to HOST=127.0.0.1 without PUBLIC_URL`,
    );
  }
  if (isExposed && publicOrigin === null) {
    throw new StartupError(
      `HOST=${given.HOST} needs PUBLIC_URL, the address that people type, for example PUBLIC_URL=https://qpilot.example.org`,
    );
  }
  const trustedProxies = readTrustedProxies(given.TRUSTED_PROXIES);
  return {
    mode,
    publicOrigin,
    trustedProxies,
    secret: given.AUTH_SECRET ?? null,
    oidc: mode === 'oidc' ? readOidc(given) : null,
    proxy: mode === 'proxy' ? readProxy(given) : null,
  };
}

/** @throws StartupError for a provider that nobody could reach, or anybody could listen to. */
function readOidc(given: Given): OidcConfig {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId } = given;
  if (issuer === undefined || clientId === undefined) {
    throw new StartupError(
      'AUTH_MODE=oidc needs OIDC_ISSUER, the address of the provider, and OIDC_CLIENT_ID',
    );
  }
  const url = URL.parse(issuer);
  if (
    url === null ||
    !(url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.has(url.hostname)))
  ) {
    throw new StartupError(`OIDC_ISSUER=${JSON.stringify(issuer)} is not an https address`);
  }
  return {
    issuer: issuer.replace(/\/$/u, ''),
    clientId,
    clientSecret: given.OIDC_CLIENT_SECRET ?? null,
    name: given.OIDC_NAME ?? url.hostname,
    scopes: given.OIDC_SCOPES.split(/\s+/u).filter((scope) => scope !== ''),
    groupsClaim: given.OIDC_GROUPS_CLAIM,
    sessionSeconds: Math.round(given.OIDC_SESSION_HOURS * 3600),
  };
}

/** @throws StartupError where anybody could say who they are. */
function readProxy(given: Given): ProxyConfig {
  const { PROXY_ASSERTION_HEADER: assertionHeader, PROXY_JWKS_URL: jwksUrl, PROXY_ISSUER: issuer } = given;
  const audience = given.PROXY_AUDIENCE;
  const parts = [assertionHeader, jwksUrl, issuer, audience];
  if (parts.some((part) => part !== undefined) && parts.includes(undefined)) {
    throw new StartupError(
      'a signed assertion needs all of PROXY_ASSERTION_HEADER, PROXY_JWKS_URL, PROXY_ISSUER and PROXY_AUDIENCE',
    );
  }
  const isSigned =
    assertionHeader !== undefined && jwksUrl !== undefined && issuer !== undefined && audience !== undefined;
  if (!isSigned && given.TRUSTED_PROXIES.trim() === '') {
    throw new StartupError(
      'AUTH_MODE=proxy needs TRUSTED_PROXIES, the addresses whose headers say who somebody is, or a signed assertion (PROXY_ASSERTION_HEADER, PROXY_JWKS_URL, PROXY_ISSUER, PROXY_AUDIENCE)',
    );
  }
  return {
    headers: {
      user: given.PROXY_USER_HEADER,
      name: given.PROXY_NAME_HEADER,
      email: given.PROXY_EMAIL_HEADER,
      groups: given.PROXY_GROUPS_HEADER,
    },
    assertion: isSigned ? { header: assertionHeader, jwksUrl, issuer, audience } : null,
  };
}

/** @throws StartupError if it is not the plain https address of a host. */
function originOf(publicUrl: string): string {
  const url = URL.parse(publicUrl);
  const wrong = (what: string) =>
    new StartupError(`PUBLIC_URL=${JSON.stringify(publicUrl)} ${what}; expected https://qpilot.example.org`);
  if (url === null || !/^https?:$/u.test(url.protocol)) throw wrong('is not an http address');
  if (url.username !== '' || url.password !== '')
    throw new StartupError('PUBLIC_URL must not hold a password');
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '')
    throw wrong('has a path, under which pages do not work');
  if (url.protocol === 'http:' && !LOOPBACK.has(url.hostname))
    throw wrong('would send passwords unencrypted');
  return url.origin;
}

/** Reads addresses and networks such as `10.0.0.1, 192.168.0.0/16`. @throws StartupError naming what is neither. */
function readTrustedProxies(text: string): TrustedProxies {
  const list = new BlockList();
  for (const entry of text.split(/[\s,]+/u).filter((each) => each !== '')) {
    const [address = '', prefix, ...rest] = entry.split('/');
    const version = isIP(address);
    const bits = prefix === undefined ? (version === 4 ? 32 : 128) : Number(prefix);
    const isNetwork = Number.isInteger(bits) && bits >= 0 && bits <= (version === 4 ? 32 : 128);
    if (version === 0 || !isNetwork || prefix === '' || rest.length > 0) {
      throw new StartupError(
        `TRUSTED_PROXIES: ${JSON.stringify(entry)} is neither an address nor a network such as 10.0.0.0/8`,
      );
    }
    list.addSubnet(address, bits, version === 4 ? 'ipv4' : 'ipv6');
  }
  return {
    has: (address) => isIP(address) !== 0 && list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6'),
  };
}
