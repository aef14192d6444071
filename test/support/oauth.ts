/** Programs that sign in by OAuth at `/mcp`, and the person who agrees. */
import { createHash, randomBytes } from 'node:crypto';
import type {
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { send } from './graphql-client.ts';
import { auth, type AuthAnswer } from './people.ts';

export const REDIRECT = 'http://127.0.0.1:41999/callback';

type Answer = {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: Record<string, unknown>;
};

/** A request of a program: JSON, or a form. */
async function sent(url: string, type: string, body: string, headers = {}): Promise<Answer> {
  const answer = await send(url, { method: 'POST', headers: { 'content-type': type, ...headers }, body });
  return { ...answer, body: JSON.parse(answer.body) as Record<string, unknown> };
}

export const register = (url: string, metadata: object = {}, headers = {}): Promise<Answer> =>
  sent(
    `${url}/auth/oauth/register`,
    'application/json',
    JSON.stringify({ client_name: 'Assistant', redirect_uris: [REDIRECT], ...metadata }),
    headers,
  );

/** A form to `/auth/oauth/token` or `/auth/oauth/revoke`. */
export const form = (
  url: string,
  path: 'token' | 'revoke',
  fields: Record<string, string>,
): Promise<Answer> =>
  sent(
    `${url}/auth/oauth/${path}`,
    'application/x-www-form-urlencoded',
    new URLSearchParams(fields).toString(),
  );

/** What a program keeps to itself until it has a code. */
export type Request = { readonly query: string; readonly verifier: string; readonly clientId: string };

/** The request of a registered program, with `change` in place of what it should be. */
export function requestOf(
  clientId: string,
  url: string,
  change: Record<string, string | null> = {},
): Request {
  const verifier = randomBytes(32).toString('base64url');
  const fields: Record<string, string | null> = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: REDIRECT,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    state: 'a state of its own',
    scope: 'read ask',
    resource: `${url}/mcp`,
    ...change,
  };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) if (value !== null) query.set(name, value);
  return { query: query.toString(), verifier, clientId };
}

/** What the consent page asks of the server. */
export const question = (url: string, cookie: string, query: string, headers = {}): Promise<AuthAnswer> =>
  auth(url, `/oauth/request?${query}`, { cookie, headers });

/** What the consent page sends. */
export const decide = (
  url: string,
  cookie: string,
  query: string,
  decision: object = {},
  headers = {},
): Promise<AuthAnswer> =>
  auth(url, '/oauth/decide', {
    cookie,
    headers,
    body: { request: query, allow: true, projectId: 'demo', scopes: ['read', 'ask'], ...decision },
  });

/** Where the browser is sent after the answer. @throws Error for a refusal */
export async function allowed(...args: Parameters<typeof decide>): Promise<URLSearchParams> {
  const { status, body } = await decide(...args);
  if (status !== 200) throw new Error(`the consent was refused: ${JSON.stringify(body)}`);
  return new URL(String(body['redirectTo'])).searchParams;
}

/** The form that exchanges a code. */
export const exchangeOf = ({ verifier, clientId }: Request, code: string | null): Record<string, string> => ({
  grant_type: 'authorization_code',
  client_id: clientId,
  code: code ?? '',
  code_verifier: verifier,
  redirect_uri: REDIRECT,
});

export type Connected = { readonly clientId: string; readonly access: string; readonly refresh: string };

/** A program that somebody let in, who is known by a cookie or by headers. */
export async function connect(
  url: string,
  cookie: string,
  decision: object = {},
  headers: Record<string, string> = {},
): Promise<Connected> {
  const { body } = await register(url, {}, headers);
  const request = requestOf(String(body['client_id']), url);
  const code = (await allowed(url, cookie, request.query, decision, headers)).get('code');
  const given = await form(url, 'token', exchangeOf(request, code));
  if (given.status !== 200) throw new Error(`no tokens were given: ${JSON.stringify(given.body)}`);
  return {
    clientId: request.clientId,
    access: String(given.body['access_token']),
    refresh: String(given.body['refresh_token']),
  };
}

export const bearer = ({ access }: Pick<Connected, 'access'>) => ({ authorization: `Bearer ${access}` });

export const renewal = ({ clientId, refresh }: Connected): Record<string, string> => ({
  grant_type: 'refresh_token',
  client_id: clientId,
  refresh_token: refresh,
});

/** What the official client keeps of a server; `visit` walks the browser. */
export function createProvider(visit: (page: URL) => Promise<void>, scope?: string) {
  const kept: {
    client?: StoredOAuthClientInformation;
    tokens?: StoredOAuthTokens;
    verifier?: string;
    discovered?: OAuthDiscoveryState;
  } = {};
  const provider: OAuthClientProvider = {
    redirectUrl: REDIRECT,
    clientMetadata: {
      client_name: 'Official client',
      redirect_uris: [REDIRECT],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      ...(scope !== undefined && { scope }),
    },
    state: () => 'state of the client',
    clientInformation: () => kept.client,
    saveClientInformation: (client) => void (kept.client = client),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void (kept.tokens = tokens),
    saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier ?? '',
    saveDiscoveryState: (discovered) => void (kept.discovered = discovered),
    discoveryState: () => kept.discovered,
    redirectToAuthorization: visit,
  };
  return { provider, kept };
}
