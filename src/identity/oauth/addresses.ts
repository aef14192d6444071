/** OAuth endpoints, their metadata documents, and the `WWW-Authenticate` challenge of `/mcp`. */
import type { IncomingMessage } from 'node:http';
import { SCOPES, type Scope } from '../../domain/members/scope.ts';

/** The only path at which tokens of assistants count. */
export const MCP_PATH = '/mcp';

/** The page of the web client where somebody agrees. */
const CONSENT_PAGE = '/connect';

const PROTECTED_RESOURCE = '/.well-known/oauth-protected-resource';
const AUTHORIZATION_SERVER = '/.well-known/oauth-authorization-server';

/** Paths of documents by which programs find everything else. */
export const isDiscovery = (path: string): boolean =>
  [PROTECTED_RESOURCE, `${PROTECTED_RESOURCE}${MCP_PATH}`, AUTHORIZATION_SERVER].includes(path);

/** Where programs send forms, by no sign-in of a browser. */
export const takesForms = (path: string): boolean =>
  path === '/auth/oauth/token' || path === '/auth/oauth/revoke';

/** The origin at which a request came, whose host was checked. */
export const originOf = (request: IncomingMessage, publicOrigin: string | null): string =>
  publicOrigin ?? `http://${(request.headers.host ?? 'localhost').toLowerCase()}`;

/** What tokens are for: the MCP server at this origin. */
export const resourceAt = (origin: string): string => origin + MCP_PATH;

/** The document at a path of {@link isDiscovery}. */
export function discovery(path: string, origin: string): object {
  if (path !== AUTHORIZATION_SERVER) {
    return {
      resource: resourceAt(origin),
      resource_name: 'QPilot',
      resource_documentation: `${origin}/docs/assistants`,
      authorization_servers: [origin],
      scopes_supported: SCOPES,
      bearer_methods_supported: ['header'],
    };
  }
  return {
    issuer: origin,
    authorization_endpoint: origin + CONSENT_PAGE,
    token_endpoint: `${origin}/auth/oauth/token`,
    registration_endpoint: `${origin}/auth/oauth/register`,
    revocation_endpoint: `${origin}/auth/oauth/revoke`,
    service_documentation: `${origin}/docs/assistants`,
    scopes_supported: SCOPES,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  };
}

/** The header `WWW-Authenticate` of a refusal: where to sign in, for which rights, and what was wrong with a token. */
export function challenge(
  origin: string,
  error: 'invalid_token' | 'insufficient_scope' | null,
  scopes: readonly Scope[] = SCOPES,
): string {
  const parts = [
    'realm="QPilot"',
    ...(error === null ? [] : [`error="${error}"`]),
    `resource_metadata="${origin}${PROTECTED_RESOURCE}${MCP_PATH}"`,
    `scope="${scopes.join(' ')}"`,
  ];
  return `Bearer ${parts.join(', ')}`;
}
