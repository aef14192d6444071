import type { ServerResponse } from 'node:http';
import { requestSeconds } from '../base/metrics.ts';
import { FILE_ROUTES } from './file-routes.ts';

/** First parts of paths that are no ids: labels have few values. */
const ROUTES: ReadonlySet<string> = new Set([
  'graphql',
  'auth',
  '.well-known',
  'docs',
  'health',
  'mcp',
  'ag-ui',
  'ai-sdk',
  ...FILE_ROUTES.map(({ path }) => path.slice(1, -1)),
]);

/** `/graphql`, `/auth` and so on; pages and files of the client are `client`. */
function routeOf(path: string): string {
  const [, first = ''] = path.split('/');
  return ROUTES.has(first) ? `/${first}` : 'client';
}

/** Counts a request by its route and status when its response has ended; a stream, which ends with its reader, is left out. */
export function meterRequest(path: string, response: ServerResponse): void {
  const began = performance.now();
  response.once('finish', () => {
    if (String(response.getHeader('content-type')).startsWith('text/event-stream')) return;
    const labels = { route: routeOf(path), status: String(response.statusCode) };
    requestSeconds.observe(labels, (performance.now() - began) / 1_000);
  });
}
