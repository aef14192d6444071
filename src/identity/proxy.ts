/** Who a proxy says somebody is: by plain headers of trusted proxies, or by an assertion that it signed. */
import type { IncomingMessage } from 'node:http';
import { createRemoteJWKSet, errors, jwtVerify, type JWTPayload } from 'jose';
import type { ProxyConfig, TrustedProxies } from '../config/doors.ts';
import { peerOf } from './exchange.ts';

/** Somebody as another system knows them. Issuer and subject say who it is; everything else is shown, or grants a role. */
export type Stranger = {
  /** Who signed that; null for plain headers. */
  readonly issuer: string | null;
  /** Their id there, which never changes. */
  readonly subject: string;
  readonly name: string;
  readonly email: string | null;
  readonly groups: readonly string[];
};

/** Asymmetric only: with others, a server that can verify could also sign. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

/** Reads who sends a request; null if no proxy says so, or none that is believed. */
export type ReadProxy = (request: IncomingMessage) => Promise<Stranger | null>;

export function createProxyReader({ headers, assertion }: ProxyConfig, trusted: TrustedProxies): ReadProxy {
  if (assertion !== null) {
    const { header, issuer, audience } = assertion;
    const keys = createRemoteJWKSet(new URL(assertion.jwksUrl));
    return async (request) => {
      const token = single(request, header);
      if (token === null) return null;
      try {
        const { payload } = await jwtVerify(token, keys, {
          issuer,
          audience,
          algorithms: ALGORITHMS,
          requiredClaims: ['sub', 'exp'],
        });
        return strangerIn(issuer, payload);
      } catch (error) {
        // A key server that does not answer is an outage, not somebody's fault.
        if (error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout)) return null;
        throw error;
      }
    };
  }
  return async (request) => {
    if (!trusted.has(peerOf(request))) return null;
    const subject = single(request, headers.user);
    if (subject === null) return null;
    return {
      issuer: null,
      subject,
      name: single(request, headers.name) ?? subject,
      email: single(request, headers.email),
      groups: listOf(single(request, headers.groups, true)),
    };
  };
}

/**
 * The value of a header. A header that came twice, which Node joins by commas, may be half a client's and half the proxy's,
 * and is nobody's.
 */
function single(request: IncomingMessage, name: string, isList = false): string | null {
  const values = request.headersDistinct[name.toLowerCase()] ?? [];
  const [value = ''] = values;
  const isClean = values.length === 1 && value.length <= 8_000 && (isList || !value.includes(','));
  return isClean && value.trim() !== '' ? decodeUtf8(value.trim()) : null;
}

/** Node reads headers as Latin-1; names are sent as UTF-8. */
const decodeUtf8 = (value: string): string => Buffer.from(value, 'latin1').toString('utf8');

/** Groups of one text are separated by commas, and by nothing else: a group may have any other character in its name. */
const listOf = (text: string | null): readonly string[] =>
  (text ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');

function strangerIn(issuer: string, claims: JWTPayload): Stranger | null {
  const { sub: subject } = claims;
  if (typeof subject !== 'string' || subject === '') return null;
  return { issuer, subject, ...aboutIn(claims, 'groups', subject) };
}

/** Longest name or address that is kept to be shown. */
const MOST_SHOWN = 200;

/** What claims say about a subject. */
export function aboutIn(
  claims: Readonly<Record<string, unknown>>,
  groupsClaim: string,
  subject: string,
): Pick<Stranger, 'name' | 'email' | 'groups'> {
  const text = (name: string): string | null => {
    const value = claims[name];
    return (typeof value === 'string' ? shown(value) : '') || null;
  };
  const email = text('email');
  return {
    name: text('name') ?? text('preferred_username') ?? email ?? shown(subject),
    email,
    groups: groupsIn(claims[groupsClaim]),
  };
}

/** As PostgreSQL can store it. */
const shown = (value: string): string =>
  value.trim().replaceAll('\0', '').slice(0, MOST_SHOWN).toWellFormed();

/** Groups of a claim: a list, or a text with commas. */
function groupsIn(claim: unknown): readonly string[] {
  if (typeof claim === 'string') return listOf(claim);
  return Array.isArray(claim) ? claim.filter((each): each is string => typeof each === 'string') : [];
}
