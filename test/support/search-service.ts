import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** A request that the service was sent. */
export type SearchRequest = {
  readonly path: string | undefined;
  readonly authorization: string | undefined;
  readonly body: unknown;
};

/** A service of web search on loopback, of Tavily's shape. */
export type SearchService = {
  readonly baseUrl: string;
  readonly requests: readonly SearchRequest[];
  /** How it answers from now on; the default gives the pages that it was started with. */
  answerWith(answer: (response: ServerResponse) => void): void;
  close(): Promise<void>;
};

/** Starts one that finds `pages`, whatever is searched for. */
export async function startSearchService(
  pages: readonly { readonly url: string; readonly title: string; readonly content: string }[],
): Promise<SearchService> {
  const requests: SearchRequest[] = [];
  const found = pages.map((page) => ({ ...page, raw_content: page.content }));
  let answer = (response: ServerResponse): void => void response.end(JSON.stringify({ results: found }));
  const server = createServer((request, response) => {
    const { url: path, headers } = request;
    void json(request).then((body) => {
      requests.push({ path, authorization: headers.authorization, body });
      response.setHeader('content-type', 'application/json');
      answer(response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answerWith: (next) => void (answer = next),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
