/** Serves the built web client: its files, and its page for all other addresses, which the page routes itself. */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { PROJECTS_PAGE } from '../domain/members/pages.ts';
import { NONCE, type ClientFile } from './client-build/client-files.ts';
import type { ClientState } from './client-build/open-client.ts';
import { pathOf } from './picture-response.ts';

/** A year, the longest that caches accept. */
export const FOR_EVER = 'public, max-age=31536000, immutable';

/** Of all pages and files. */
export const COMMON_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
};

/** Hash of empty text: Plotly creates empty style elements and attributes and fills them by script. */
const EMPTY_STYLE = 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=';

/** Hash of the style attribute (`image-rendering`) that Plotly sets on images of heatmaps without gaps. */
const SHARP_PIXELS = 'sha256-AR/cKIZjWPcPmBUPDA6oti9XBiTbJvz0Cro2J1VzzS8=';

/**
 * What the page may do: scripts only from this server, styles from there or with the nonce of the response, images of
 * charts as `data:`, their downloads as `blob:`.
 */
const policy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}' '${EMPTY_STYLE}'`,
    `style-src-attr 'unsafe-hashes' '${EMPTY_STYLE}' '${SHARP_PIXELS}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** Answers a request for the web client. */
export function respondWithClient(
  state: ClientState,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    sendText(response, 405, 'pages are read by GET; operations go to POST /graphql');
    return;
  }
  switch (state.kind) {
    case 'building':
      response.setHeader('refresh', '2');
      sendText(
        response,
        503,
        'The web client is being built, which takes some ten seconds, once. GraphQL answers already.',
      );
      return;
    case 'failed':
      sendText(
        response,
        503,
        `The web client could not be built; GraphQL works at /graphql.\n\n${state.reason}`,
      );
      return;
    case 'ready': {
      const path = pathOf(request);
      const file = state.build.files.get(path);
      if (file !== undefined) sendFile(file, request, response);
      else if (isPageAddress(path)) sendPage(state.build.page, request, response);
      else sendText(response, 404, `there is no file ${path}`);
      return;
    }
    default: {
      const unknown: never = state;
      throw new Error(`no answer for ${JSON.stringify(unknown)}`);
    }
  }
}

/** Paths with a file extension are files; a missing file must not return the page. Names in projects may have dots. */
const isPageAddress = (path: string): boolean =>
  path.startsWith(`${PROJECTS_PAGE}/`) ||
  (path.startsWith('/') && !/^\/assets\/|\.[a-z0-9]{2,5}$/i.test(path));

function sendPage(page: string, request: IncomingMessage, response: ServerResponse): void {
  const nonce = randomBytes(16).toString('base64url');
  const body = page.replaceAll(NONCE, nonce);
  response.writeHead(200, {
    ...COMMON_HEADERS,
    'content-type': 'text/html; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-cache',
    'content-security-policy': policy(nonce),
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

function sendFile(file: ClientFile, request: IncomingMessage, response: ServerResponse): void {
  const headers = {
    ...COMMON_HEADERS,
    'content-type': file.contentType,
    'cache-control': file.immutable ? FOR_EVER : 'no-cache',
    etag: file.etag,
    vary: 'accept-encoding',
  };
  if (request.headers['if-none-match'] === file.etag) {
    response.writeHead(304, headers).end();
    return;
  }
  const encoding = encodingFor(
    { brotli: file.brotli !== null, gzip: file.gzip !== null },
    request.headers['accept-encoding'] ?? '',
  );
  const body = (encoding === 'br' ? file.brotli : encoding === 'gzip' ? file.gzip : null) ?? file.body;
  response.writeHead(200, {
    ...headers,
    'content-length': body.length,
    ...(encoding !== null && { 'content-encoding': encoding }),
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** The smallest form of a file that a client accepts; null for the file itself. */
export function encodingFor(
  { brotli, gzip }: { readonly brotli: boolean; readonly gzip: boolean },
  accepted: string,
): 'br' | 'gzip' | null {
  if (brotli && /\bbr\b(?!;q=0(?:[,\s]|$))/.test(accepted)) return 'br';
  if (gzip && /\bgzip\b(?!;q=0(?:[,\s]|$))/.test(accepted)) return 'gzip';
  return null;
}

/** Answers with a line of text. */
export function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    ...COMMON_HEADERS,
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
  });
  response.end(`${text}\n`);
}
