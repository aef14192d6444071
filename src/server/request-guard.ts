import type { IncomingMessage } from 'node:http';

/** Names under which a browser on this machine reaches a loopback server. */
const LOOPBACK_NAMES = new Set(['localhost', '127.0.0.1', '[::1]']);

/** What a server on all its addresses listens on; nobody's name. */
const ANY_ADDRESS = new Set(['0.0.0.0', '[::]']);

/** Under which names a server may be reached. */
export type ServerNames = {
  /** Address that it listens on. */
  readonly host: string;
  /** Origin that browsers use, where there is a proxy in front; null for its own address. */
  readonly publicOrigin: string | null;
};

/**
 * Why a request is refused; null if it is allowed. A page of another site must not get through, neither by a cross-origin
 * request (`Origin`) nor by a host name that resolves to this machine (`Host`, DNS rebinding). A proxy may pass `Host` on
 * or replace it by the address that the server listens on. Programs send no `Origin` and are allowed.
 */
export function refusalOf(request: IncomingMessage, { host: own, publicOrigin }: ServerNames): string | null {
  const host = request.headers.host;
  if (host === undefined) return 'the Host header is missing';
  const name = hostnameOf(`http://${host}`);
  const isPublic =
    publicOrigin !== null && URL.parse(`${new URL(publicOrigin).protocol}//${host}`)?.origin === publicOrigin;
  if (
    !isPublic &&
    (name === null || !(LOOPBACK_NAMES.has(name) || (name === own && !ANY_ADDRESS.has(name))))
  ) {
    const expected = publicOrigin === null ? `localhost or ${own}` : new URL(publicOrigin).host;
    return `Host ${JSON.stringify(host)} is not a name of this server; use ${expected}`;
  }
  const origin = request.headers.origin;
  const origins = isPublic ? [publicOrigin] : [`http://${host}`, `https://${host}`, publicOrigin];
  if (origin !== undefined && !origins.includes(origin)) {
    return `Origin ${JSON.stringify(origin)} may not use this server; only pages that it served itself may`;
  }
  if (
    request.headers['sec-fetch-site'] === 'cross-site' &&
    request.headers['sec-fetch-mode'] !== 'navigate'
  ) {
    return 'requests from other sites are refused';
  }
  return null;
}

/** Required for forms: a page of another site cannot add it without a preflight request. */
const PREFLIGHT_HEADER = 'graphql-require-preflight';

/** Whether a request is a form, in which files are sent. */
export const isForm = ({ headers }: IncomingMessage): boolean =>
  /^multipart\/form-data\b/i.test(headers['content-type'] ?? '');

/** Whether a browser sent a request, which may be made to by a page of another site. */
export const isOfBrowser = ({ headers }: IncomingMessage): boolean =>
  headers.origin !== undefined || headers.cookie !== undefined || headers['sec-fetch-site'] !== undefined;

/**
 * Why an operation is refused; null if it is allowed. For forms, and in production for all operations, only requests
 * are allowed that browsers do not send to another site without a preflight, so that other pages cannot use a sign-in.
 */
export function crossSiteRefusalOf(request: IncomingMessage): string | null {
  const { method, headers } = request;
  if (isForm(request)) {
    return headers[PREFLIGHT_HEADER] === undefined ? `forms require the header ${PREFLIGHT_HEADER}: 1` : null;
  }
  if (method === 'POST' && /^application\/json\b/i.test(headers['content-type'] ?? '')) return null;
  return 'operations require POST with content-type application/json';
}

function hostnameOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).hostname : null;
}
