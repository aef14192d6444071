/** The service of web search when it does not do what it promises. */
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createWebSearch, type WebSearch } from '../../src/sources/web/web-search.ts';
import { startSearchService, type SearchService } from '../support/search-service.ts';

const PAGE = { url: 'https://example.org/t1', title: 'On T1', content: 'It drifts.' };
let service: SearchService;
let web: WebSearch;
beforeAll(async () => {
  service = await startSearchService([PAGE, { ...PAGE, url: 'http://169.254.169.254/latest' }]);
  web = createWebSearch({ apiKey: 'tvly-planted', baseUrl: service.baseUrl });
});
afterAll(() => service.close());

const { signal } = new AbortController();

test('it is asked with the key, and only pages of the public web are told', async () => {
  expect(await web.search('T1 drift', 3, signal)).toEqual([
    { url: PAGE.url, title: PAGE.title, excerpt: PAGE.content },
  ]);
  expect(await web.extract(PAGE.url, signal)).toBe(PAGE.content);
  expect(service.requests).toEqual([
    { path: '/search', authorization: 'Bearer tvly-planted', body: { query: 'T1 drift', max_results: 3 } },
    { path: '/extract', authorization: 'Bearer tvly-planted', body: { urls: [PAGE.url] } },
  ]);
});

const status = (code: number) => (response: ServerResponse) => void response.writeHead(code).end('{}');
test.each<[string, (response: ServerResponse) => void, string]>([
  ['refuses the key', status(401), 'answered with status 401'],
  ['is asked too often', status(429), 'answered with status 429'],
  ['fails', status(500), 'answered with status 500'],
  ['leads elsewhere', (response) => void response.writeHead(302, { location: '/x' }).end(), 'could not be'],
  ['sends no JSON', (response) => void response.end('<html>'), 'did not answer with JSON'],
  ['sends other JSON', (response) => void response.end('{"results":[{"link":1}]}'), 'not in the shape'],
  ['breaks off', (response) => void response.write('{"res', () => response.destroy()), 'could not be'],
  ['sends too much', (response) => void response.end(' '.repeat(3_000_000)), 'more than 2 MB'],
])('where it %s, the reader is told so, and nothing of the key', async (_what, answer, told) => {
  service.answerWith(answer);
  const error = await web.search('T1 drift', 3, signal).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'INVALID_INPUT', message: expect.stringContaining(told) });
  expect((error as Error).message).not.toContain('planted');
});

test('a search that is given up is not waited for', async () => {
  const given = new AbortController();
  service.answerWith(() => given.abort(new Error('stopped')));
  await expect(web.search('T1 drift', 3, given.signal)).rejects.toThrow('stopped');
});
