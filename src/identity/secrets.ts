import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** What API keys begin with, so that people and scanners recognise them. */
const KEY_PREFIX = 'qp_';
/** What access tokens of assistants begin with, and what renews them. */
const ACCESS_PREFIX = 'qpa_';
const REFRESH_PREFIX = 'qpr_';

/** 256 random bits. */
const newSecret = (): string => randomBytes(32).toString('base64url');

/** A new API key. */
export const newApiKey = (): string => KEY_PREFIX + newSecret();
/** A new secret of an invitation. */
export const newInvitation = newSecret;
/** A new code of OAuth, and the tokens that it is exchanged for. */
export const newCode = newSecret;
export const newTokens = () => ({
  access: ACCESS_PREFIX + newSecret(),
  refresh: REFRESH_PREFIX + newSecret(),
});

/** What is stored of a secret. Ours are random, so a fast hash is enough. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/**
 * Tokens of sessions. Hashes and signatures take the secret of the server, so a database alone signs nobody in, and another
 * secret ends every session, in browsers and in terminals.
 */
export function createSessionTokens(secret: string) {
  const key = createHmac('sha256', secret).update('tokens of sessions').digest();
  return {
    /** What is stored of a token. */
    hashOf: (token: string): string => createHmac('sha256', key).update(token).digest('base64url'),
    /** The token in a cookie that better-auth signed; null for any other cookie. */
    tokenIn(cookie: string): string | null {
      const dot = cookie.lastIndexOf('.');
      const token = cookie.slice(0, Math.max(dot, 0));
      const signature = createHmac('sha256', secret).update(token).digest();
      const given = Buffer.from(cookie.slice(dot + 1), 'base64');
      const isSigned = given.length === signature.length && timingSafeEqual(given, signature);
      return isSigned && token !== '' ? token : null;
    },
  };
}

/** What a request presents: an API key, the token of an assistant, another bearer token, or the cookie of a browser. */
export type Credential = { readonly kind: 'key' | 'assistant' | 'token' | 'cookie'; readonly secret: string };

/**
 * The credential of a request, null if it has none. `params` are the connection parameters of a WebSocket, which replace
 * for headers that a browser cannot send.
 */
export function credentialOf(
  headers: IncomingHttpHeaders,
  params: Readonly<Record<string, unknown>> | undefined,
  cookieName: string,
): Credential | null {
  const given = headers.authorization ?? params?.['authorization'];
  if (typeof given === 'string') {
    const bearer = /^Bearer ([\w.~+/=-]{16,512})$/iu.exec(given)?.[1];
    if (bearer === undefined) return null;
    const kind = bearer.startsWith(KEY_PREFIX)
      ? 'key'
      : bearer.startsWith(ACCESS_PREFIX)
        ? 'assistant'
        : 'token';
    return { kind, secret: bearer };
  }
  for (const pair of headers.cookie?.split(';') ?? []) {
    const [name, value] = pair.trim().split('=', 2);
    if (name !== cookieName || !value || !/^[\w%.+/=-]{16,512}$/u.test(value)) continue;
    try {
      return { kind: 'cookie', secret: decodeURIComponent(value) };
    } catch {
      return null; // a broken escape
    }
  }
  return null;
}
