/** The documentation site: built from the pages as they are, and served to everybody who reaches the server. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '@qpilot/test-support';
import { createLogger } from '../../src/base/log.ts';
import { openDocs, type DocsState } from '../../src/server/docs-build/open-docs.ts';
import { openDoor } from '../../src/identity/door.ts';
import { SignedOutError } from '../../src/identity/identity.ts';
import type { RunningServer } from '../../src/server/http.ts';
import { LOCAL_CALLER } from '../../src/services/members/access.ts';
import { startTestServer } from '../support/start-test-server.ts';
import { stubServices } from '../support/stub-services.ts';

const docs = openDocs(createLogger('silent'));
let server: RunningServer;
beforeAll(async () => {
  server = await startTestServer({}, { docs });
  // Built here unless somebody did; a dead link fails this.
  const built = await until(
    async () => {
      const answer = await get('/docs/');
      return answer.status === 503 && answer.headers.get('refresh') !== null ? null : answer;
    },
    { timeoutMs: 170_000, what: 'the documentation site' },
  );
  expect([built.status, built.status === 200 ? '' : await built.text()]).toEqual([200, '']);
});
afterAll(async () => {
  docs.close();
  await server.close();
});

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(server.url + path, { headers, redirect: 'manual' });

test('every page leads by all its links to pages and files that there are', async () => {
  const seen = new Map<string, string>();
  const open = ['/docs/'];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (seen.has(path)) continue;
    const answer = await get(path);
    const text = await answer.text();
    expect([path, answer.status]).toEqual([path, 200]);
    const isPage = answer.headers.get('content-type') === 'text/html; charset=utf-8';
    seen.set(path, isPage ? text : '');
    if (!isPage) continue;
    for (const [, link = ''] of text.matchAll(/(?:href|src)="([^"]+)"/gu)) {
      const { origin, pathname } = new URL(link, server.url + path);
      if (origin === server.url && pathname !== '/icon.svg') open.push(pathname); // the client's
    }
  }
  const anchors = [...seen].flatMap(([path, text]) =>
    [...text.matchAll(/href="([^"]*#[^"]+)"/gu)].flatMap(([, link = '']) => {
      const { origin, pathname, hash } = new URL(link, server.url + path);
      const target = seen.get(pathname) ?? '';
      const isThere = target.includes(`id="${decodeURIComponent(hash.slice(1))}"`);
      return origin === server.url && !isThere ? [`${path} → ${pathname}${hash}`] : [];
    }),
  );
  expect(anchors).toEqual([]);
  expect(seen.size).toBeGreaterThan(60);
  expect([...seen.keys()]).toEqual(
    expect.arrayContaining(['/docs/operating', '/docs/decisions/', '/docs/changelog', '/docs/contributing']),
  );
});

test('pages run the scripts of this server and the few that are built into them, and nothing else', async () => {
  const answer = await get('/docs/operating');
  const policy = answer.headers.get('content-security-policy') ?? '';
  expect(policy).toMatch(/^default-src 'none'; script-src 'self'(?: 'sha256-[^']+')+; style-src 'self'; /u);
  expect(policy).not.toMatch(/unsafe-(?:inline|eval)|\*/u);
  const inside = [...(await answer.text()).matchAll(/<script(?![^>]* src=)[^>]*>([^]*?)<\/script>/gu)];
  expect(inside.length).toBeGreaterThan(0);
  for (const [, script = ''] of inside)
    expect(policy).toContain(`'sha256-${createHash('sha256').update(script).digest('base64')}'`);
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
});

test('what changes with its content is kept for ever, a page is asked for anew each time', async () => {
  const page = await get('/docs/glossary');
  const script = /src="(\/docs\/assets\/app\.[^"]+)"/u.exec(await page.text())?.[1] ?? '';
  expect(page.headers.get('cache-control')).toBe('no-cache');
  expect((await get(script)).headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  const etag = page.headers.get('etag') ?? '';
  expect((await get('/docs/glossary', { 'if-none-match': etag })).status).toBe(304);
  const small = await get('/docs/glossary', { 'accept-encoding': 'br' });
  expect(small.headers.get('content-encoding')).toBe('br');
  expect(await small.text()).toContain('<title>Glossary');
});

test('files that pages link to are shown as text', async () => {
  const answer = await get('/docs/files/docs/operations/Caddyfile');
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
});

test.each([
  '/docs/nowhere',
  '/docs/nowhere.png',
  '/docs/..%2fpackage.json',
  '/docs/files/config/qpilot.yaml', // an operator's own
  '/docs/files/.env.example',
  '/docs/hashmap.json',
])('%s is no page of the site', async (path) => {
  expect((await get(path)).status).toBe(404);
});

test('/docs leads to the site, and the site is only read', async () => {
  expect((await get('/docs')).headers.get('location')).toBe('/docs/');
  expect((await fetch(`${server.url}/docs/`, { method: 'POST' })).status).toBe(405);
  const head = await fetch(`${server.url}/docs/`, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
});

test('whoever is not signed in reads it, as the pages of the client', async () => {
  const signedOut = await startTestServer(
    {},
    {
      docs,
      door: {
        ...openDoor(LOCAL_CALLER, stubServices({}).access),
        mode: 'accounts',
        identify: () => Promise.reject(new SignedOutError()),
      },
    },
  );
  try {
    expect((await fetch(`${signedOut.url}/docs/operating`)).status).toBe(200);
  } finally {
    await signedOut.close();
  }
});

test.each([
  [{ kind: 'building' }, /being built/u],
  [{ kind: 'failed', reason: '1 dead link(s) found' }, /could not be built[^]*dead link/u],
] as const satisfies (readonly [DocsState, RegExp])[])('%j is said on the page', async (state, words) => {
  const other = await startTestServer({}, { docs: { visit: () => Promise.resolve(state) } });
  try {
    const answer = await fetch(`${other.url}/docs/operating`);
    expect(answer.status).toBe(503);
    expect(await answer.text()).toMatch(words);
  } finally {
    await other.close();
  }
});
