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

/**
 * Why an operation is not taken in production, null when it is. A browser sends only requests of these kinds to another
 * site without asking that site first; so a sign-in that a proxy adds cannot be borrowed by a page elsewhere.
 */
export function crossSiteRefusalOf({ method, headers }: IncomingMessage): string | null {
  if (method === 'POST' && /^application\/json\b/i.test(headers['content-type'] ?? '')) return null;
  return 'operations are taken by POST with content-type application/json only';
}

function hostnameOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).hostname : null;
}
