/**
 * What somebody is asked before a program may act for them, and what follows from their answer. The page sends the whole request
 * of the program again with the answer, and it is checked again, so nothing is kept in between. Nobody is sent anywhere without an
 * answer: a request with a mistake is shown to the person, not returned to the program, so that no link here leads elsewhere.
 */
import { z } from 'zod';
import { InvalidInputError, NotFoundError } from '../../base/errors.ts';
import { SCOPES, type Scope } from '../../domain/members/scope.ts';
import type { Access } from '../../services/members/access.ts';
import type { Assistants, OAuthClient } from '../../stores/pg/assistants.ts';
import { callerOf, type Identity } from '../identity.ts';
import { hashOf, newCode } from '../secrets.ts';
import { resourceAt } from './addresses.ts';
import { destinationOf, isSameRedirect, redirectTo, type Destination } from './redirects.ts';

export type ConsentDeps = {
  readonly assistants: Pick<Assistants, 'client' | 'allow'>;
  readonly access: Pick<Access, 'projectsOf'>;
};

/** Of RFC 6749, 7636 and 8707. Other parameters are ignored, as they ask. */
const asked = z.object({
  client_id: z.string().min(1).max(200),
  redirect_uri: z.string().min(1).max(600),
  response_type: z.literal('code', { error: 'must be code' }),
  code_challenge: z
    .string({ error: 'is missing: programs prove by PKCE that a code is theirs' })
    .regex(/^[\w-]{43}$/u, { error: 'must be an S256 challenge, of 43 characters' }),
  code_challenge_method: z.literal('S256', { error: 'must be S256' }),
  state: z.string().max(2_000).optional(),
  scope: z.string().max(500).optional(),
  resource: z.string().max(600).optional(),
});

const decision = z.strictObject({
  /** The query of the page, as the program made it. */
  request: z.string().max(8_000),
  allow: z.boolean(),
  projectId: z.string().max(200).nullable(),
  scopes: z.array(z.enum(SCOPES)).max(SCOPES.length),
});

/** What the page shows. */
export type ConsentQuestion = {
  readonly client: string;
  readonly goesTo: Destination;
  readonly scopes: readonly Scope[];
  readonly person: string;
  readonly projects: readonly { readonly projectId: string; readonly name: string }[];
};

type Request = {
  readonly client: OAuthClient;
  readonly redirectUri: string;
  readonly challenge: string;
  readonly state: string | null;
  readonly scopes: readonly Scope[];
  readonly resource: string;
};

/** @throws InvalidInputError, NotFoundError for a program that is not registered */
export async function askConsent(
  { assistants, access }: ConsentDeps,
  query: string,
  origin: string,
  identity: Identity,
): Promise<ConsentQuestion> {
  const { client, redirectUri, scopes } = await readRequest(assistants, query, origin);
  const projects = await access.projectsOf(callerOf(identity));
  return {
    client: client.name,
    goesTo: destinationOf(redirectUri),
    scopes,
    person: identity.name,
    projects: projects.map(({ projectId, name }) => ({ projectId, name })),
  };
}

/** Where to send the person next, and what was made. @throws as {@link askConsent}, ConflictError */
export async function decideConsent(
  { assistants, access }: ConsentDeps,
  body: unknown,
  origin: string,
  identity: Identity,
): Promise<{ readonly redirectTo: string; readonly assistantId: string | null }> {
  const { request, allow, projectId, scopes } = decision.parse(body);
  const { client, redirectUri, challenge, state, resource, ...wanted } = await readRequest(
    assistants,
    request,
    origin,
  );
  const iss = origin;
  if (!allow) {
    const refused = redirectTo(redirectUri, { error: 'access_denied', state, iss });
    return { redirectTo: refused, assistantId: null };
  }
  const more = scopes.find((scope) => !wanted.scopes.includes(scope));
  if (more !== undefined)
    throw InvalidInputError.at(
      ['scopes'],
      `the program did not ask for ${more}; it asked for ${wanted.scopes.join(' ')}`,
    );
  if (scopes.length === 0) throw InvalidInputError.at(['scopes'], 'allow one at least, or refuse');
  const theirs = await access.projectsOf(callerOf(identity));
  if (!theirs.some((each) => each.projectId === projectId) || projectId === null)
    throw new NotFoundError(`you have no project ${projectId ?? ''}`);
  const code = newCode();
  const consent = {
    userId: identity.userId,
    clientId: client.id,
    projectId,
    scopes,
    resource,
    redirectUri,
    challenge,
  };
  const assistantId = await assistants.allow(consent, hashOf(code));
  return { redirectTo: redirectTo(redirectUri, { code, state, iss }), assistantId };
}

async function readRequest(
  { client: find }: Pick<Assistants, 'client'>,
  query: string,
  origin: string,
): Promise<Request> {
  const pairs = [...new URLSearchParams(query)];
  const names = pairs.map(([name]) => name);
  const twice = names.find((name, index) => name in asked.shape && names.indexOf(name) !== index);
  if (twice !== undefined) throw InvalidInputError.at([twice], 'is given twice');
  const given = asked.parse(Object.fromEntries(pairs));
  const client = await find(given.client_id);
  if (client === null)
    throw new NotFoundError(
      'this program is not registered here, or not any more; remove the connection in it and add it again',
    );
  const { redirect_uri: redirectUri } = given;
  if (!client.redirectUris.some((known) => isSameRedirect(known, redirectUri)))
    throw InvalidInputError.at(['redirect_uri'], `is none of those that ${client.name} registered`);
  const resource = resourceAt(origin);
  if (given.resource !== undefined && !isResource(given.resource, resource))
    throw InvalidInputError.at(
      ['resource'],
      `must be ${resource}, which is all that QPilot gives tokens for`,
    );
  return {
    client,
    redirectUri,
    challenge: given.code_challenge,
    state: given.state ?? null,
    scopes: scopesIn(given.scope),
    resource,
  };
}

/** Whether a program means this resource: by its address, in any spelling of scheme and host. */
export const isResource = (given: string, resource: string): boolean => URL.parse(given)?.href === resource;

/** Rights by their names; all of them where none are named. @throws InvalidInputError for others */
function scopesIn(text: string | undefined): readonly Scope[] {
  const names = (text ?? '').split(' ').filter((name) => name !== '');
  const unknown = names.find((name) => !isScope(name));
  if (unknown !== undefined)
    throw InvalidInputError.at(
      ['scope'],
      `has ${JSON.stringify(unknown.slice(0, 50))}; there are ${SCOPES.join(' and ')}`,
    );
  const known = SCOPES.filter((scope) => names.includes(scope));
  return known.length === 0 ? SCOPES : known;
}

export const isScope = (name: string): name is Scope => (SCOPES as readonly string[]).includes(name);
