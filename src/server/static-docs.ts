/** Serves the documentation site below `/docs`: to everybody who may reach the server, as the pages of the client. */
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { DocsFile } from './docs-build/docs-files.ts';
import type { Docs } from './docs-build/open-docs.ts';
import { pathOf } from './picture-response.ts';
import { COMMON_HEADERS, encodingFor, FOR_EVER, sendText } from './static-client.ts';

/** Where the site is. */
const DOCS_PATH = '/docs/';

/** Whether a path belongs to the site. */
export const isDocsPath = (path: string): boolean => path === '/docs' || path.startsWith(DOCS_PATH);

/** Answers a request for the documentation. Never rejects. */
export async function respondWithDocs(
  docs: Pick<Docs, 'visit'>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    sendText(response, 405, 'the documentation is read by GET');
    return;
  }
  const path = pathOf(request);
  if (path === '/docs') {
    response.writeHead(308, { location: DOCS_PATH }).end();
    return;
  }
  const state = await docs.visit();
  if (state.kind === 'building') {
    response.setHeader('refresh', '2');
    sendText(response, 503, 'The documentation is being built, which takes some ten seconds, once.');
    return;
  }
  if (state.kind === 'failed') {
    sendText(
      response,
      503,
      `The documentation could not be built; its pages are files in docs.\n\n${state.reason}`,
    );
    return;
  }
  const name = path.slice(DOCS_PATH.length);
  const found = state.site.files.get(name) ?? state.site.files.get(`${name}/`);
  const file = found ?? (/\.\w+$/u.test(name) ? undefined : state.site.files.get('404'));
  if (file === undefined) sendText(response, 404, `there is no page ${path}`);
  else
    await send(file, state.site.policy, found === undefined ? 404 : 200, request, response).catch(() =>
      response.headersSent ? response.destroy() : sendText(response, 500, `${path} cannot be read`),
    );
}

async function send(
  file: DocsFile,
  policy: string,
  status: 200 | 404,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const headers = {
    ...COMMON_HEADERS,
    'content-type': file.contentType,
    'content-security-policy': policy,
    'cache-control': file.immutable ? FOR_EVER : 'no-cache',
    etag: file.etag,
    vary: 'accept-encoding',
  };
  if (status === 200 && request.headers['if-none-match'] === file.etag) {
    response.writeHead(304, headers).end();
    return;
  }
  const encoding = encodingFor(file, request.headers['accept-encoding'] ?? '');
  const ending = { br: '.br', gzip: '.gz', none: '' }[encoding ?? 'none'];
  const body = await readFile(`${file.path}${ending}`);
  response.writeHead(status, {
    ...headers,
    'content-length': body.length,
    ...(encoding !== null && { 'content-encoding': encoding }),
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}
