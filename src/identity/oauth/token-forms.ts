/** Forms that programs send: for tokens (RFC 6749, OAuth 2.1), and to give them back (RFC 7009). */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Scope } from '../../domain/members/scope.ts';
import { LIFETIMES } from '../../stores/pg/assistants.ts';
import type { AssistantTokens, Granted, Holder } from '../../stores/pg/assistant-tokens.ts';
import { hashOf, newTokens } from '../secrets.ts';
import { resourceAt } from './addresses.ts';
import { isResource, isScope } from './consent.ts';
import { OAuthError } from './oauth-error.ts';

/** What happened, for records. */
export type TokenEvent = {
  readonly what: 'connected' | 'revoked' | 'used twice' | 'presented by another';
  readonly holder: Holder;
};

export type TokenDeps = {
  readonly tokens: AssistantTokens;
  readonly note: (event: TokenEvent) => void;
};

const secret = z.string().min(1).max(500);
const client_id = z.string({ error: 'is missing' }).min(1).max(200);
const resource = z.string().max(600).optional();
const byCode = z.object({
  client_id,
  resource,
  code: secret,
  redirect_uri: z.string({ error: 'is missing' }).max(600),
  code_verifier: z
    .string({ error: 'is missing' })
    .regex(/^[\w.~-]{43,128}$/u, { error: 'must have 43 to 128 characters' }),
});
const byRefresh = z.object({
  client_id,
  resource,
  refresh_token: secret,
  scope: z.string().max(500).optional(),
});
const toRevoke = z.object({ client_id, token: secret });

/** Answers a request for tokens. @throws OAuthError */
export async function grantTokens(deps: TokenDeps, form: string, origin: string): Promise<object> {
  const fields = fieldsOf(form);
  const made = newTokens();
  const tokens = { access: hashOf(made.access), refresh: hashOf(made.refresh) };
  const grantType = fields['grant_type'];
  let granted: Granted;
  if (grantType === 'authorization_code') {
    const given = parse(byCode, fields);
    granted = await deps.tokens.exchange({
      hash: hashOf(given.code),
      clientId: given.client_id,
      redirectUri: given.redirect_uri,
      challenge: createHash('sha256').update(given.code_verifier).digest('base64url'),
      resource: resourceOf(given.resource, origin),
      tokens,
    });
  } else if (grantType === 'refresh_token') {
    const given = parse(byRefresh, fields);
    granted = await deps.tokens.renew({
      hash: hashOf(given.refresh_token),
      clientId: given.client_id,
      resource: resourceOf(given.resource, origin),
      scopes: scopesOf(given.scope),
      tokens,
    });
  } else {
    throw new OAuthError('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token');
  }
  if (granted.kind === 'ended') deps.note({ what: granted.reason, holder: granted.holder });
  if (granted.kind !== 'granted') throw refusalOf(granted);
  if (grantType === 'authorization_code') deps.note({ what: 'connected', holder: granted.holder });
  return {
    access_token: made.access,
    token_type: 'Bearer',
    expires_in: LIFETIMES.access,
    refresh_token: made.refresh,
    scope: granted.scopes.join(' '),
  };
}

/** Ends the assistant that a token is of; nothing, where there is none. @throws OAuthError */
export async function revokeToken(deps: TokenDeps, form: string): Promise<void> {
  const given = parse(toRevoke, fieldsOf(form));
  const holder = await deps.tokens.revoke(hashOf(given.token), given.client_id);
  if (holder !== null) deps.note({ what: 'revoked', holder });
}

function refusalOf(granted: Exclude<Granted, { kind: 'granted' }>): OAuthError {
  switch (granted.reason) {
    case 'other resource':
      return new OAuthError('invalid_target', 'resource is not the one that was agreed to');
    case 'more rights':
      return new OAuthError('invalid_scope', 'scope has more than was agreed to; sign in again for more');
    case 'expired':
    case 'unknown':
      return new OAuthError('invalid_grant', 'the code or token is unknown, used or too old; sign in again');
    case 'used twice':
    case 'presented by another':
      return new OAuthError(
        'invalid_grant',
        'the code or token was presented twice, or not by the program that it is for, so everything given for it has ended; sign in again',
      );
  }
}

/** The fields of a form. @throws OAuthError for one that is given twice */
function fieldsOf(form: string): Readonly<Record<string, string>> {
  const pairs = [...new URLSearchParams(form)];
  const fields = Object.fromEntries(pairs);
  if (Object.keys(fields).length < pairs.length)
    throw new OAuthError('invalid_request', 'a field is given twice');
  return fields;
}

function parse<Fields>(shape: z.ZodType<Fields>, fields: Readonly<Record<string, string>>): Fields {
  const parsed = shape.safeParse(fields);
  if (parsed.success) return parsed.data;
  const words = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new OAuthError('invalid_request', words.join('; '));
}

/** @throws OAuthError for another resource than the MCP server of this origin */
function resourceOf(given: string | undefined, origin: string): string | null {
  const own = resourceAt(origin);
  if (given !== undefined && !isResource(given, own))
    throw new OAuthError('invalid_target', `resource must be ${own}`);
  return given === undefined ? null : own;
}

function scopesOf(text: string | undefined): readonly Scope[] | null {
  const names = (text ?? '').split(' ').filter((name) => name !== '');
  const known = names.filter(isScope);
  if (known.length < names.length)
    throw new OAuthError('invalid_scope', 'scope has a right that there is not');
  return known.length === 0 ? null : [...new Set(known)];
}
