/**
 * The public web, through Tavily: pages are fetched by that service and never by this server, so no address that a
 * model makes up can reach this server's network. What comes back was written by strangers: data, never instructions.
 */
import { isIP } from 'node:net';
import { z } from 'zod';
import { InvalidInputError } from '../../base/errors.ts';

/** A page that was found. */
export type FoundPage = { readonly url: string; readonly title: string; readonly excerpt: string };

/** Reads the web. Both reject with InvalidInputError where the service refuses or does not answer, saying so. */
export type WebSearch = {
  /** @param maxResults 1 to 10 */
  search(query: string, maxResults: number, signal: AbortSignal): Promise<readonly FoundPage[]>;
  /**
   * Text of a public page; `url` must be http or https, without credentials, and no address of a network of one's
   * own.
   */
  extract(url: string, signal: AbortSignal): Promise<string>;
};

const TIMEOUT_MS = 30_000;
const MAX_ANSWER_BYTES = 2 * 1024 * 1024;
const MAX_EXCERPT = 1_000;
const MAX_PAGE = 40_000;
const TAVILY = 'https://api.tavily.com';

const found = z.object({
  results: z.array(z.object({ url: z.string(), title: z.string(), content: z.string() })),
});
const extracted = z.object({ results: z.array(z.object({ url: z.string(), raw_content: z.string() })) });

type Service = { readonly apiKey: string; readonly baseUrl?: string };

/** Asks Tavily, or the replacement at `baseUrl`, with `apiKey`. */
export function createWebSearch(service: Service): WebSearch {
  return {
    async search(query, maxResults, signal) {
      const body = { query, max_results: maxResults };
      const { results } = await post(service, { path: '/search', body, answer: found }, signal);
      return results
        .filter(({ url }) => problemWithUrl(url) === null)
        .slice(0, maxResults)
        .map(({ url, title, content }) => ({ url, title, excerpt: content.slice(0, MAX_EXCERPT) }));
    },
    async extract(url, signal) {
      const problem = problemWithUrl(url);
      if (problem !== null) throw invalid('url', `${problem}; give the address of a public web page`);
      const body = { urls: [url] };
      const { results } = await post(service, { path: '/extract', body, answer: extracted }, signal);
      const [page] = results;
      if (page === undefined) throw invalid('url', 'the page could not be read; try another one');
      return page.raw_content.slice(0, MAX_PAGE);
    },
  };
}

/** Why an address is not asked for; null for one of the public web. */
export function problemWithUrl(text: string): string | null {
  const url = URL.parse(text);
  if (url === null) return 'it is not an address';
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'it is neither http nor https';
  if (url.username !== '' || url.password !== '') return 'it holds a user name or a password';
  const host = url.hostname.replace(/\.$/u, '').toLowerCase();
  if (isIP(host.replaceAll(/[[\]]/gu, '')) !== 0) return 'it names a machine by its number';
  const isPrivate =
    !host.includes('.') || /\.(?:local|localhost|internal|intranet|lan|home|corp|test|arpa)$/u.test(host);
  return isPrivate ? 'it names a machine of a private network' : null;
}

async function post<Answer>(
  { apiKey, baseUrl = TAVILY }: Service,
  {
    path,
    body,
    answer,
  }: { readonly path: string; readonly body: object; readonly answer: z.ZodType<Answer> },
  signal: AbortSignal,
): Promise<Answer> {
  const timeUp = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await fetch(`${baseUrl}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.any([signal, timeUp]),
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw invalid('query', `the search service answered with status ${response.status}`);
    }
    const read = answer.safeParse(JSON.parse(await bounded(response)));
    if (read.success) return read.data;
    throw invalid('query', 'the search service answered, but not in the shape that Tavily documents');
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof InvalidInputError) throw error;
    // Whatever else fails here is the network or the service; its words may name addresses.
    const why = timeUp.aborted
      ? 'did not answer within 30 s'
      : 'could not be reached or did not answer with JSON';
    throw InvalidInputError.at([], `the search service ${why}`);
  }
}

async function bounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_ANSWER_BYTES) throw invalid('query', 'the search service answered with more than 2 MB');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

const invalid = (path: string, message: string): InvalidInputError => InvalidInputError.at([path], message);
