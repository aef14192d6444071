import { createHash, randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** What API keys begin with, so that people and scanners recognise them. */
const KEY_PREFIX = 'qp_';

/** 256 random bits. */
const newSecret = (): string => randomBytes(32).toString('base64url');

/** A new API key. */
export const newApiKey = (): string => KEY_PREFIX + newSecret();
/** A new secret of an invitation. */
export const newInvitation = newSecret;

/** What is stored of a secret. Ours are random, so a fast hash is enough. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** What a request presents: an API key, another bearer token, or the cookie of a browser. */
export type Credential = { readonly kind: 'key' | 'token' | 'cookie'; readonly secret: string };

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
    return bearer.startsWith(KEY_PREFIX)
      ? { kind: 'key', secret: bearer }
      : { kind: 'token', secret: bearer };
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
