import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { RunningServer } from '../../src/server/http.ts';
import { post, send } from '../support/graphql-client.ts';
import { startTestServer } from '../support/start-test-server.ts';
import { openSocket } from '../support/websocket-client.ts';

const QUERY = '{ viewer { id projectId role } }';

describe('a server without sign-in', () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.close());

  const port = () => new URL(server.url).port;

  test('answers programs, which send no Origin', async () => {
    const { status, data } = await post(server.url, QUERY);
    expect({ status, data }).toEqual({
      status: 200,
      data: { viewer: { id: 'local', projectId: 'demo', role: 'owner' } },
    });
  });

  test('answers pages that it served itself', async () => {
    for (const name of ['localhost', '127.0.0.1', '[::1]']) {
      const host = `${name}:${port()}`;
      const answer = await post(server.url, QUERY, { headers: { host, origin: `http://${host}` } });
      expect(answer.status).toBe(200);
    }
  });

  test.each([
    ['a page of another site', { origin: 'https://evil.example' }],
    ['a page of another port of this machine', { origin: 'http://localhost:1' }],
    ['a sandboxed page', { origin: 'null' }],
    ['a name that was pointed at this machine', { host: 'evil.example:4000' }],
    ['such a name as its own origin', { host: 'evil.example', origin: 'http://evil.example' }],
    ['a host that is no host', { host: 'a b' }],
    ['an image or script of another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
  ])('refuses %s over HTTP and WebSocket', async (_what, headers) => {
    const answer = await post(server.url, QUERY, { headers });
    expect(answer.status).toBe(403);
    expect(answer.data).toBeNull();
    expect(answer.errors[0]?.extensions).toEqual({ code: 'FORBIDDEN' });
    await expect(openSocket(server.url, headers)).rejects.toThrow('403');
  });

  test('gives no CORS permission to anybody', async () => {
    const host = `localhost:${port()}`;
    const { headers } = await send(`${server.url}/graphql?query={__typename}`, {
      headers: { host, origin: `http://${host}`, accept: 'application/json' },
    });
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  test('answers operations nowhere else than at /graphql', async () => {
    const { status, body } = await send(`${server.url}/nowhere/graphql?query={__typename}`, {});
    expect(status).toBe(404);
    expect(JSON.parse(body)).toEqual({
      errors: [
        {
          message: 'nothing is at /nowhere/graphql; operations go to POST /graphql',
          extensions: { code: 'NOT_FOUND' },
        },
      ],
    });
  });

  test('opens no WebSocket elsewhere than at /graphql', async () => {
    await expect(openSocket(`${server.url}/elsewhere`)).rejects.toThrow('403');
  });

  test('leads people from / to a GraphiQL that needs no network', async () => {
    const root = await send(server.url, {});
    expect(root.status).toBe(302);
    const page = await send(new URL(String(root.headers['location']), server.url).href, {
      headers: { accept: 'text/html' },
    });
    expect(page.status).toBe(200);
    expect(page.body).toContain('QPilot');
    expect(page.body).not.toMatch(/<(script|link)[^>]+(src|href)="https?:/);
  });

  test('says in one line when its port is taken', async () => {
    const second = startTestServer({}, { port: Number(port()) });
    await expect(second).rejects.toThrow(
      `port ${port()} is taken by another program; set PORT to a free one`,
    );
  });
});

describe('a server behind a proxy', () => {
  const publicOrigin = 'https://qpilot.example.org';
  let server: RunningServer;
  beforeAll(async () => {
    server = await startTestServer({}, { publicOrigin });
  });
  afterAll(() => server.close());

  const own = () => new URL(server.url).host;

  test.each([
    ['that passes Host on', () => ({ host: 'qpilot.example.org', origin: publicOrigin })],
    ['that names the port in Host', () => ({ host: 'qpilot.example.org:443', origin: publicOrigin })],
    ['that replaces Host', () => ({ host: own(), origin: publicOrigin })],
  ])('%s answers its pages over HTTP and WebSocket', async (_what, headers) => {
    expect((await post(server.url, QUERY, { headers: headers() })).status).toBe(200);
    const { socket, closed } = await openSocket(server.url, headers());
    socket.close();
    await closed;
  });

  test.each([
    ['another site', () => ({ host: 'qpilot.example.org', origin: 'https://evil.example' })],
    [
      'another site through a proxy that replaces Host',
      () => ({ host: own(), origin: 'https://evil.example' }),
    ],
    ['the same name without encryption', () => ({ host: own(), origin: 'http://qpilot.example.org' })],
    ['another port of the public name', () => ({ host: 'qpilot.example.org:8443', origin: publicOrigin })],
    ['a name that begins like the public one', () => ({ host: 'qpilot.example.org.evil.example' })],
    ['this machine, by the public name', () => ({ host: 'qpilot.example.org', origin: `http://${own()}` })],
    [
      'a header that claims another host',
      () => ({ host: 'evil.example', 'x-forwarded-host': 'qpilot.example.org' }),
    ],
  ])('refuses %s over HTTP and WebSocket', async (_what, headers) => {
    expect((await post(server.url, QUERY, { headers: headers() })).status).toBe(403);
    await expect(openSocket(server.url, headers())).rejects.toThrow('403');
  });
});

describe('health', () => {
  const check = (works: boolean) => async () => {
    if (!works) throw new Error('connect ECONNREFUSED postgres://secret@db:5432');
  };

  test.each([
    [{ postgres: true, sandbox: true }, 200, { status: 'ok', postgres: 'ok', sandbox: 'ok' }],
    [{ postgres: true, sandbox: false }, 200, { status: 'ok', postgres: 'ok', sandbox: 'unavailable' }],
    [
      { postgres: false, sandbox: true },
      503,
      { status: 'unavailable', postgres: 'unavailable', sandbox: 'ok' },
    ],
  ])('with %j is %d and gives no addresses away', async (works, status, body) => {
    const health = {
      required: { postgres: check(works.postgres) },
      optional: { sandbox: check(works.sandbox) },
      ready: {},
    };
    const server = await startTestServer({}, { health });
    const answer = await send(`${server.url}/health`, {});
    await server.close();
    expect({ status: answer.status, body: JSON.parse(answer.body) as unknown }).toEqual({ status, body });
  });
});
