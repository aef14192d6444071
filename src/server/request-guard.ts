import type { IncomingMessage } from 'node:http';

/** Names under which a browser on this machine reaches a loopback server. */
const LOOPBACK_NAMES = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Why a request is refused; null if it is allowed. Without sign-in the address is the only protection: a page of
 * another site in a browser on this machine must not get through, neither by a cross-origin request (`Origin`) nor by
 * a host name that resolves to this machine (`Host`, DNS rebinding). Programs send no `Origin` and are allowed.
 */
export function refusalOf(request: IncomingMessage, configuredHost: string): string | null {
  const host = request.headers.host;
  if (host === undefined) return 'the Host header is missing';
  const name = hostnameOf(`http://${host}`);
  if (name === null || !(LOOPBACK_NAMES.has(name) || name === configuredHost)) {
    return `Host ${JSON.stringify(host)} is not a name of this server; use localhost or ${configuredHost}`;
  }
  const origin = request.headers.origin;
  if (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`) {
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

/**
 * Why an operation is refused; null if it is allowed. For forms, and in production for all operations, only requests
 * are allowed that browsers do not send to another site without a preflight, so that other pages cannot use a sign-in
 * that a proxy adds.
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
