/** How the server serves a web client, and when it runs only the operations that the client was built with. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createClient } from 'graphql-ws';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { WebSocket } from 'ws';
import { NONCE, type ClientBuild, type ClientFile } from '../../src/server/client-build/client-files.ts';
import type { ClientState } from '../../src/server/client-build/open-client.ts';
import type { RunningServer } from '../../src/server/http.ts';
import { startTestServer } from '../support/start-test-server.ts';

const SCRIPT = 'console.log("a script that is long enough to be worth compressing".repeat(1));';

const file = (more: Partial<ClientFile> = {}): ClientFile => ({
  body: Buffer.from(SCRIPT),
  brotli: brotliCompressSync(SCRIPT),
  gzip: gzipSync(SCRIPT),
  contentType: 'text/javascript; charset=utf-8',
  immutable: true,
  etag: '"one"',
  ...more,
});

const build: ClientBuild = {
  files: new Map([
    ['/assets/index-1.js', file()],
    ['/icon.svg', file({ brotli: null, gzip: null, immutable: false, contentType: 'image/svg+xml' })],
  ]),
  page: `<meta property="csp-nonce" nonce="${NONCE}"><style nonce="${NONCE}"></style><p>the page</p>`,
  documents: new Map([['known', '{ __typename }']]),
};

let state: ClientState = { kind: 'ready', build };
let server: RunningServer;
beforeAll(async () => {
  server = await startTestServer({}, { client: { state: () => state } });
});
afterAll(() => server.close());

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(server.url + path, { headers, redirect: 'manual' });

describe('pages', () => {
  test.each(['/', '/chips', '/chips/demo-64/qubits/12', '/copilot/a.b-c', '/nowhere'])(
    '%s is the page, asked for anew each time',
    async (path) => {
      const response = await get(path);
      expect(response.status).toBe(200);
      expect(response.headers.get('cache-control')).toBe('no-cache');
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      expect(await response.text()).toContain('the page');
    },
  );

  test('styles need the nonce of the answer, scripts and everything else a file of this server', async () => {
    const answers = await Promise.all([get('/'), get('/')]);
    const nonces = await Promise.all(
      answers.map(async (answer) => {
        const policy = answer.headers.get('content-security-policy') ?? '';
        const nonce = /style-src 'self' 'nonce-([\w-]+)'/.exec(policy)?.[1] ?? 'none';
        expect(policy).toContain("default-src 'none'; script-src 'self';");
        expect(policy).not.toMatch(/unsafe-(inline|eval)|\*/);
        const page = await answer.text();
        expect(page.match(/nonce="([^"]+)"/g)).toEqual([`nonce="${nonce}"`, `nonce="${nonce}"`]);
        return nonce;
      }),
    );
    expect(new Set(nonces).size).toBe(2);
  });

  test('addresses of the server are not shadowed', async () => {
    expect((await get('/health')).headers.get('content-type')).toBe('application/json');
    const graphiql = await get('/graphql', { accept: 'text/html' });
    expect(graphiql.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'sha256-[^']+' blob:; .*frame-ancestors 'none'$/u,
    );
    expect(await graphiql.text()).toContain('GraphiQL');
    expect((await get('/figures/none')).status).toBe(404);
  });

  test('pages are only read', async () => {
    expect((await fetch(`${server.url}/chips`, { method: 'POST' })).status).toBe(405);
    const head = await fetch(`${server.url}/chips`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  test.each(['/assets/index-2.js', '/assets/..%2fsecret', '/missing.png'])(
    '%s is no file, and no page in its place',
    async (path) => {
      expect((await get(path)).status).toBe(404);
    },
  );
});

describe('files', () => {
  test('with a hash in their name they are kept for ever, the others are asked for anew', async () => {
    const [hashed, plain] = await Promise.all([get('/assets/index-1.js'), get('/icon.svg')]);
    expect(hashed.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(plain.headers.get('cache-control')).toBe('no-cache');
    expect((await get('/icon.svg', { 'if-none-match': '"one"' })).status).toBe(304);
  });

  test.each([
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['identity', null],
  ])('for %s it answers %s', async (accepted, encoding) => {
    const response = await get('/assets/index-1.js', { 'accept-encoding': accepted });
    expect(response.headers.get('content-encoding')).toBe(encoding);
    expect(response.headers.get('vary')).toBe('accept-encoding');
    expect(await response.text()).toBe(SCRIPT);
  });
});

describe('without a build', () => {
  test.each([
    [{ kind: 'building' }, /being built/],
    [{ kind: 'failed', reason: 'main.tsx:3 unexpected token' }, /could not be built[^]*main\.tsx:3/],
  ] as const)('%j is said, and the API answers', async (now, words) => {
    state = now;
    try {
      const response = await get('/chips');
      expect(response.status).toBe(503);
      expect(await response.text()).toMatch(words);
      expect(await ask(server, '{ __typename }')).toEqual({ data: { __typename: 'Query' } });
    } finally {
      state = { kind: 'ready', build };
    }
  });
});

async function ask({ url }: RunningServer, query: string, hash?: string): Promise<unknown> {
  const extensions = { persistedQuery: { version: 1, sha256Hash: hash } };
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, ...(hash !== undefined && { extensions }) }),
  });
  return response.json();
}

describe('with QPILOT_PERSISTED_ONLY', () => {
  let strict: RunningServer;
  beforeAll(async () => {
    strict = await startTestServer({}, { client: { state: () => state }, persistedOnly: true });
  });
  afterAll(() => strict.close());

  const refused = (words: string) => ({
    errors: [
      expect.objectContaining({
        message: expect.stringContaining(words),
        extensions: expect.objectContaining({ code: 'PERSISTED_QUERY_NOT_FOUND' }),
      }),
    ],
  });

  test('an operation of the build is run as it was built, whatever text came with it', async () => {
    expect(await ask(strict, '{ viewer { name } }', 'known')).toEqual({ data: { __typename: 'Query' } });
  });

  test('others are refused, with and without a hash', async () => {
    expect(await ask(strict, '{ __typename }')).toEqual(refused('the operations of its own clients'));
    expect(await ask(strict, '{ __typename }', 'other')).toEqual(refused('no operation other'));
  });

  test('the same holds on the socket', async () => {
    const socket = createClient({
      url: `${strict.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
    });
    const answer = (hash: string) =>
      new Promise((resolve) => {
        const extensions = { persistedQuery: { version: 1, sha256Hash: hash } };
        socket.subscribe(
          { query: '{ viewer { name } }', extensions },
          { next: resolve, error: resolve, complete: () => undefined },
        );
      });
    expect(await answer('known')).toEqual({ data: { __typename: 'Query' } });
    expect(await answer('other')).toEqual([
      expect.objectContaining({ message: expect.stringContaining('no operation other') }),
    ]);
    await socket.dispose();
  });
});
