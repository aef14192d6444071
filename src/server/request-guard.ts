import type { IncomingMessage } from 'node:http';

/** Names under which a browser on this machine reaches a loopback server. */
const LOOPBACK_NAMES = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Why a request must not be served, null when it may. There is no sign-in yet, so the address itself is the only lock:
 * a page of another site that a browser on this machine has open must not get through it, be it by a cross-origin
 * request (`Origin`) or by a name of its own that resolves to this machine (`Host`, DNS rebinding).
 * Programs send no `Origin` and are served.
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
    return 'requests that another site starts are not served';
  }
  return null;
}

/** Sent with forms. A page of another site cannot add a header without the browser asking us first. */
const PREFLIGHT_HEADER = 'graphql-require-preflight';

/** Whether a request is a form, in which files are sent. */
export const isForm = ({ headers }: IncomingMessage): boolean =>
  /^multipart\/form-data\b/i.test(headers['content-type'] ?? '');

/**
 * Why an operation is not taken, null when it is: forms always, and all operations in production. Only such requests are
 * taken as a browser does not send to another site without asking that site first; so a sign-in that a proxy adds
 * cannot be borrowed by a page elsewhere.
 */
export function crossSiteRefusalOf(request: IncomingMessage): string | null {
  const { method, headers } = request;
  if (isForm(request)) {
    return headers[PREFLIGHT_HEADER] === undefined
      ? `forms are taken with the header ${PREFLIGHT_HEADER}: 1 only`
      : null;
  }
  if (method === 'POST' && /^application\/json\b/i.test(headers['content-type'] ?? '')) return null;
  return 'operations are taken by POST with content-type application/json only';
}

function hostnameOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).hostname : null;
}
