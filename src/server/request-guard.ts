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
 * A name and a port as browsers send them, and nothing else: a parser of addresses would also read `localhost/evil`,
 * `evil@localhost`, `%6cocalhost` and `0x7f.1` as this machine.
 */
const HOST = /^(?<name>[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])(?::(?<port>[0-9]{1,5}))?$/u;

/** The only value of a header, in lower case; null if there is none, or several of which a proxy may see another one. */
function single({ rawHeaders }: IncomingMessage, name: 'host' | 'origin'): string | null {
  const values = rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name);
  return values.length === 1 ? (values[0] ?? '').toLowerCase() : null;
}

/**
 * Why a request is refused; null if it is allowed. A page of another site must not get through, neither by a cross-origin
 * request (`Origin`) nor by a host name that resolves to this machine (`Host`, DNS rebinding). A proxy may pass `Host` on
 * or replace it by the address that the server listens on. Programs send no `Origin` and are allowed.
 */
export function refusalOf(request: IncomingMessage, { host, publicOrigin }: ServerNames): string | null {
  const given = single(request, 'host');
  if (given === null) return 'a request needs one Host header';
  const { name = null, port = '' } = HOST.exec(given)?.groups ?? {};
  const own = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host.toLowerCase();
  const isPublic =
    publicOrigin !== null &&
    name !== null &&
    URL.parse(`${new URL(publicOrigin).protocol}//${given}`)?.origin === publicOrigin;
  const isOwn = name !== null && (LOOPBACK_NAMES.has(name) || (name === own && !ANY_ADDRESS.has(name)));
  if (!(isPublic || isOwn) || Number(port) > 65_535) {
    const expected = publicOrigin === null ? `localhost or ${own}` : new URL(publicOrigin).host;
    return `Host ${JSON.stringify(given.slice(0, 200))} is not a name of this server; use ${expected}`;
  }
  const origins = isPublic ? [publicOrigin] : [`http://${given}`, `https://${given}`, publicOrigin];
  const { origin } = request.headers;
  const from = single(request, 'origin');
  if (origin !== undefined && (from === null || !origins.includes(from))) {
    return `Origin ${JSON.stringify(origin.slice(0, 200))} may not use this server; only pages that it served itself may`;
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
