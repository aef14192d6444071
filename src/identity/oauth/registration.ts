/**
 * Dynamic client registration (RFC 7591): a program says its name and where it is sent back to. Nothing it says is verified, so a
 * registration is worth nothing by itself: it lasts a day unless somebody connects it, and has no secret.
 */
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { SCOPES } from '../../domain/members/scope.ts';
import { shorten } from '../../domain/text/stored-text.ts';
import type { Assistants } from '../../stores/pg/assistants.ts';
import type { Db } from '../../stores/pg/database.ts';
import { takeTokens } from '../../stores/pg/rate-buckets.ts';
import { OAuthError } from './oauth-error.ts';
import { destinationOf, refusalOfRedirect } from './redirects.ts';

/** Registrations that wait for somebody to connect them, of all addresses together. */
const MOST_WAITING = 1_000;
/** Registrations of one address: so many at once, and as many in an hour. */
const PER_ADDRESS = 30;
const HOUR_S = 3600;

const MOST_REDIRECTS = 10;
const MOST_NAME = 100;

/** Signs of writing direction, control and what is no letter at all, by which a name could look like another or break a row. */
const UNSEEN = /\p{C}/gu;

const metadata = z.looseObject({
  redirect_uris: z.array(z.string()).min(1).max(MOST_REDIRECTS),
  client_name: z.string().max(1_000).optional(),
  grant_types: z.array(z.string().max(100)).max(10).optional(),
  response_types: z.array(z.string().max(100)).max(10).optional(),
});

export type RegistrationDeps = { readonly db: Db; readonly assistants: Pick<Assistants, 'register'> };

/** Registers a program; what comes back is what counts, whatever it asked for. @throws OAuthError */
export async function registerClient(
  { db, assistants }: RegistrationDeps,
  body: unknown,
  address: string,
): Promise<Readonly<Record<string, unknown>> & { readonly client_id: string }> {
  const { name, redirectUris } = readMetadata(body);
  const bucket = { viewerId: `address ${address}`, name: 'registrations', size: PER_ADDRESS };
  const one = { needed: 1, wanted: 1 };
  const { granted, waitMs } = await takeTokens(db, { ...bucket, perSecond: PER_ADDRESS / HOUR_S }, one);
  if (granted === 0) {
    const seconds = Math.ceil(waitMs / 1_000);
    const why = `too many programs registered from this address; try again in ${seconds} s`;
    throw new OAuthError('slow_down', why, seconds);
  }
  const id = randomBytes(16).toString('base64url');
  const at = await assistants.register({ id, name, redirectUris }, MOST_WAITING);
  if (at === null) {
    const why = 'too many programs wait to be connected; try again later, or use an API key';
    throw new OAuthError('temporarily_unavailable', why, HOUR_S);
  }
  return {
    client_id: id,
    client_id_issued_at: Math.floor(at.getTime() / 1_000),
    client_name: name,
    redirect_uris: redirectUris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    scope: SCOPES.join(' '),
  };
}

function readMetadata(body: unknown): { readonly name: string; readonly redirectUris: readonly string[] } {
  const parsed = metadata.safeParse(body);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const where = issue?.path.join('.') ?? '';
    const code = where.startsWith('redirect_uris') ? 'invalid_redirect_uri' : 'invalid_client_metadata';
    throw new OAuthError(code, `${where === '' ? 'the body' : where}: ${issue?.message ?? 'is not valid'}`);
  }
  const { redirect_uris: redirectUris, client_name: given = '' } = parsed.data;
  const { grant_types: grants = [], response_types: responses = [] } = parsed.data;
  if (grants.length > 0 && !grants.includes('authorization_code'))
    throw new OAuthError('invalid_client_metadata', 'grant_types: must hold authorization_code');
  if (responses.length > 0 && !responses.includes('code'))
    throw new OAuthError('invalid_client_metadata', 'response_types: must hold code');
  for (const [index, address] of redirectUris.entries()) {
    const refusal = refusalOfRedirect(address);
    if (refusal !== null) throw new OAuthError('invalid_redirect_uri', `redirect_uris.${index}: ${refusal}`);
  }
  const name = shorten(given.replaceAll(UNSEEN, '').trim(), MOST_NAME);
  return { name: name === '' ? destinationOf(redirectUris[0] ?? '').name : name, redirectUris };
}
