import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
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

  test.each(['LOCALHOST', 'LocalHost', '127.0.0.1', '[::1]'])(
    'answers as %s, with a port or without',
    async (name) => {
      for (const host of [name, `${name}:${port()}`, `${name}:1`]) {
        const origin = `http://${host.toLowerCase()}`;
        expect((await post(server.url, QUERY, { headers: { host, origin } })).status).toBe(200);
      }
    },
  );

  test.each([
    'localhost/evil',
    'localhost/',
    'localhost?x',
    'localhost#x',
    'localhost\\evil',
    'evil.example#localhost',
    'evil@localhost',
    'a:b@localhost',
    'localhost@evil.example',
    'localhost:4000@evil.example',
    'localhost.',
    'localhost..',
    '127.0.0.1.',
    'localhost.evil.example',
    'evil.localhost',
    'xlocalhost',

    'localhost:',
    'localhost:x',
    'localhost:99999',
    'localhost:4000:4000',
    'localhost:-1',
    'localhost:4000/x',

    '%6cocalhost',
    'localhost%00',
    'localhost%2fevil',
    'localhost evil',
    'localhost,evil',
    'localhost;evil',
    '127.1',
    '0x7f.0.0.1',
    '2130706433',
    '0177.0.0.1',
    '0.0.0.0',
    '127.0.0.2',
    '0',

    '::1',
    '[::1',
    '::1]',
    '[::1]x',
    '[::1%25lo]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::]',
    '[]',
    'http://localhost',
    '//localhost',
    '.',
    ':4000',
    'x'.repeat(8_000),
  ])('refuses Host %j over HTTP and WebSocket, with its own origin and without', async (host) => {
    for (const headers of [{ host }, { host, origin: `http://${host}` }]) {
      const { status, body } = await send(`${server.url}/graphql?query={__typename}`, { headers });
      expect([400, 403]).toContain(status);
      expect(body.length).toBeLessThan(1_000);
    }
    await expect(openSocket(server.url, { host })).rejects.toThrow(/40[03]/u);
  });

  test.each([
    'http://localhost/evil',
    'http://evil@localhost',
    'http://localhost.',
    'localhost',
    '//localhost',
    '',

    'http://%6cocalhost',
    'http://localhost,http://evil.example',
    'file://localhost',
    'HTTP://evil.example',
  ])('refuses Origin %j', async (given) => {
    const host = `localhost:${port()}`;
    const origin = given.replace('localhost', host);
    expect((await post(server.url, QUERY, { headers: { host, origin } })).status).toBe(403);
  });

  test.each(['Host', 'Origin'])(
    'refuses two headers %s, of which a proxy may have seen the other',
    async (name) => {
      const own = `localhost:${port()}`;
      const values = name === 'Host' ? [own, 'evil.example'] : [`http://${own}`, 'https://evil.example'];
      for (const [first, second] of [values, values.toReversed(), [values[0], values[0]]]) {
        const lines = [
          `${name}: ${first}`,
          `${name}: ${second}`,
          ...(name === 'Host' ? [] : [`Host: ${own}`]),
        ];
        const socket = connect(Number(port()), '127.0.0.1');
        socket.end(
          `GET /graphql?query={__typename} HTTP/1.1\r\n${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`,
        );
        expect(await text(socket)).toMatch(/^HTTP\/1\.1 40[03] /u);
      }
    },
  );

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
    ['in capitals', () => ({ host: 'QPilot.Example.ORG', origin: publicOrigin })],
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
    ['the public name with a path', () => ({ host: 'qpilot.example.org/evil', origin: publicOrigin })],
    ['the public name with a user', () => ({ host: 'evil@qpilot.example.org', origin: publicOrigin })],
    ['the public name with a dot behind it', () => ({ host: 'qpilot.example.org.' })],
    ['the public name, encoded', () => ({ host: '%71pilot.example.org' })],
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
