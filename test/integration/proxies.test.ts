import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request as plainRequest } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '@qpilot/test-support';
import WebSocket from 'ws';
import { createTestApp, type TestApp } from '../support/create-test-app.ts';
import { requestOf } from '../support/oauth.ts';
import { freePort } from '../support/free-port.ts';
import { PASSWORD } from '../support/people.ts';

const NAME = 'qpilot.example.org';
/** TLS to the name of the proxy, whose certificate nobody signed. */
const UNCHECKED = { servername: NAME, rejectUnauthorized: false };

/** Address of a program, null where it is not installed. */
const find = (...names: string[]) =>
  names.find((name) => spawnSync(name, ['-v']).error === undefined) ?? null;
const nginx = find('nginx', '/usr/sbin/nginx');
const caddy = find('caddy');

const OPERATIONS = new URL('../../docs/operations/', import.meta.url);

/** Our example, with the ports of this test and files of its own. */
const shipped = async (file: string, port: number, upstream: string, folder: string) =>
  (await readFile(new URL(file, OPERATIONS), 'utf8'))
    .replaceAll('listen 443', `listen 127.0.0.1:${port}`)
    .replaceAll('127.0.0.1:4000', new URL(upstream).host)
    .replaceAll('/etc/ssl', folder);

type Proxy = { readonly port: number; readonly stop: () => Promise<void> };

async function run(program: string, args: string[], port: number): Promise<Proxy> {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let words = '';
  child.stderr.on('data', (chunk: Buffer) => (words += chunk.toString()));
  const ended = once(child, 'exit');
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`${program} ended: ${words}`);
    return (await ask(port, '/health').catch(() => null)) !== null;
  });
  return {
    port,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

const startNginx = async (upstream: string, folder: string, signsIn = false): Promise<Proxy> => {
  const port = await freePort();
  const people = signsIn ? await readFile(new URL('nginx-people.conf', OPERATIONS), 'utf8') : '';
  const programs = signsIn ? await shipped('nginx-assistants.conf', port, upstream, folder) : '';
  const server = (await shipped('nginx.conf', port, upstream, folder)).replace(
    'location / {',
    `${programs}\nlocation / {\n${people.replace('/etc/nginx', folder)}`,
  );
  const file = joinPath(folder, 'nginx.conf');
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (each) => `${each}_temp_path ${folder}/${each};`,
  );
  await writeFile(
    file,
    `daemon off; pid ${folder}/nginx.pid; error_log stderr; events {} http { access_log off; ${paths.join(' ')}\n${server}\n}`,
  );
  return run(nginx ?? '', ['-c', file, '-p', folder, '-e', 'stderr'], port);
};

const startCaddy = async (upstream: string, folder: string): Promise<Proxy> => {
  const port = await freePort();
  const site = await shipped('Caddyfile', port, upstream, folder);
  const file = joinPath(folder, 'Caddyfile');
  // The certificate of this test instead of one from the network.
  await writeFile(
    file,
    `{\n admin off\n auto_https disable_redirects\n storage file_system ${folder}\n}\n` +
      site.replace(
        `\n${NAME} {`,
        `\nhttps://${NAME}:${port} {\n\tbind 127.0.0.1\n\ttls ${folder}/qpilot.pem ${folder}/qpilot.key`,
      ),
  );
  return run(caddy ?? '', ['run', '--config', file, '--adapter', 'caddyfile'], port);
};

type Answer = { readonly status: number; readonly body: string; readonly cookies: readonly string[] };

type Asked = {
  readonly body?: object;
  readonly headers?: Record<string, string | string[]>;
  /** Address of loopback to come from. */
  readonly localAddress?: string;
};

/** A request as a browser sends it to the public name. */
function ask(port: number, path: string, { body, headers = {}, ...from }: Asked = {}) {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const outgoing = request(
    {
      host: '127.0.0.1',
      port,
      path,
      method: body === undefined ? 'GET' : 'POST',
      ...UNCHECKED,
      ...from,
      agent: false,
      headers: {
        host: NAME,
        ...(body && { 'content-type': 'application/json', origin: `https://${NAME}` }),
        ...headers,
      },
    },
    (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          body: text,
          cookies: response.headers['set-cookie'] ?? [],
        }),
      );
    },
  );
  outgoing.on('error', reject);
  outgoing.end(body && JSON.stringify(body));
  return promise;
}

function makeCertificate(folder: string): void {
  const about = ['-subj', `/CN=${NAME}`, '-addext', `subjectAltName=DNS:${NAME}`, '-days', '2'];
  const files = ['-keyout', `${folder}/qpilot.key`, '-out', `${folder}/qpilot.pem`];
  const made = spawnSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...about, ...files]);
  if (made.status !== 0) throw new Error(`openssl made no certificate: ${String(made.stderr)}`);
}

describe.each([
  ['nginx', nginx, startNginx],
  ['caddy', caddy, startCaddy],
] as const)('behind %s, configured as in docs/operations', (name, installed, start) => {
  if (installed === null) {
    test.skip(`is not tried: ${name} is not installed (apt-get install ${name})`, () => undefined);
    return;
  }
  let it: TestApp;
  let proxy: Proxy;
  let folder: string;
  let cookie: string;
  beforeAll(async () => {
    folder = await mkdtemp(joinPath(tmpdir(), 'qpilot-proxy-'));
    makeCertificate(folder);
    it = await createTestApp({
      demo: true,
      env: { PUBLIC_URL: `https://${NAME}`, TRUSTED_PROXIES: '127.0.0.1' },
    });
    proxy = await start(it.url, folder);
    const token = it.app.ownerLink?.split('#')[1];
    const owner = { token, name: 'Olga', email: 'owner@lab.example', password: PASSWORD };
    const { cookies } = await ask(proxy.port, '/auth/accept', { body: owner });
    cookie = cookies.map((each) => each.split(';', 1)[0]).join('; ');
  });
  afterAll(async () => {
    await proxy.stop();
    await it.stop();
    await rm(folder, { recursive: true, force: true });
  });

  test('the link of the first owner has the public name', () => {
    expect(it.app.ownerLink).toMatch(/^https:\/\/qpilot\.example\.org\/welcome#/u);
  });

  test('cookies are bound to https, and sign in', async () => {
    const signedIn = await ask(proxy.port, '/auth/sign-in/email', {
      body: { email: 'owner@lab.example', password: PASSWORD },
    });
    expect(signedIn.cookies.join()).toMatch(/^__Secure-qpilot\.session_token=.*Secure/u);
    const query = { body: { query: '{ viewer { name } }' }, headers: { cookie } };
    expect((await ask(proxy.port, '/graphql', query)).body).toBe('{"data":{"viewer":{"name":"Olga"}}}');
  });

  test('pages of other sites are refused', async () => {
    const query = {
      body: { query: '{ viewer { name } }' },
      headers: { cookie, origin: 'https://evil.example' },
    };
    expect((await ask(proxy.port, '/graphql', query)).status).toBe(403);
  });

  test('the address of the client is the one that the proxy saw, not one that the client claims', async () => {
    const headers = { cookie, 'x-forwarded-for': '203.0.113.9' };
    const { body } = await ask(proxy.port, '/auth/list-sessions', { headers });
    expect(body).toContain('"ipAddress":"127.0.0.1"');
    const claimed = await ask(proxy.port, '/auth/sign-in/email', {
      body: { email: 'owner@lab.example', password: PASSWORD },
      headers: { 'x-forwarded-for': '203.0.113.9' },
    });
    expect(claimed.status).toBe(200);
    expect((await ask(proxy.port, '/auth/list-sessions', { headers })).body).not.toContain('203.0.113.9');
  });

  test('events arrive over WebSocket', async () => {
    const socket = new WebSocket(`wss://127.0.0.1:${proxy.port}/graphql`, 'graphql-transport-ws', {
      headers: { host: NAME, origin: `https://${NAME}`, cookie },
      ...UNCHECKED,
    });
    await once(socket, 'open');
    const message = once(socket, 'message') as Promise<[Buffer]>;
    socket.send(JSON.stringify({ type: 'connection_init', payload: { projectId: 'demo' } }));
    expect(String((await message)[0])).toBe('{"type":"connection_ack"}');
    const closed = once(socket, 'close');
    socket.close();
    await closed;
  });
});

describe('behind nginx that signs people in', () => {
  if (nginx === null) {
    test.skip('is not tried: nginx is not installed (apt-get install nginx)', () => undefined);
    return;
  }
  const ME = { query: '{ viewer { name role } }' };
  const basic = (who: string) => `Basic ${Buffer.from(who).toString('base64')}`;
  const rin = { authorization: basic('rin:a password'), 'x-project-id': 'demo' };
  /** What a client would be somebody else by. */
  const forged = {
    'x-forwarded-user': 'chief',
    'X-Forwarded-User': 'chief',
    'x-forwarded-groups': ['chiefs', 'heads'],
    'x-forwarded-preferred-username': 'Chief',
    x_forwarded_user: 'chief',
  };
  let it: TestApp;
  let proxy: Proxy;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(joinPath(tmpdir(), 'qpilot-proxy-people-'));
    makeCertificate(folder);
    await chmod(folder, 0o755); // nginx reads it as a user of its own
    await writeFile(joinPath(folder, 'qpilot-users'), 'rin:{PLAIN}a password\n');
    const access =
      'access:\n  adminGroups: [chiefs]\n  groups: [{ group: lab, project: demo, role: editor }]\n';
    const settings = await readFile(new URL('../../config/qpilot.yaml', import.meta.url), 'utf8');
    await writeFile(joinPath(folder, 'qpilot.yaml'), settings.replace(/^access:\n(?: .*\n)*/mu, access));
    it = await createTestApp({
      demo: true,
      env: {
        AUTH_MODE: 'proxy',
        PUBLIC_URL: `https://${NAME}`,
        TRUSTED_PROXIES: '127.0.0.1',
        QPILOT_CONFIG: joinPath(folder, 'qpilot.yaml'),
      },
    });
    proxy = await startNginx(it.url, folder, true);
  });
  afterAll(async () => {
    await proxy.stop();
    await it.stop();
    await rm(folder, { recursive: true, force: true });
  });
  const me = async (headers: Record<string, string | string[]>) =>
    (await ask(proxy.port, '/graphql', { body: ME, headers })).body;
  const RIN = '{"data":{"viewer":{"name":"rin","role":"editor"}}}';

  test('people are who nginx says, and nobody gets past it', async () => {
    expect(await me(rin)).toBe(RIN);
    for (const headers of [{}, { authorization: basic('rin:wrong') }, forged])
      expect((await ask(proxy.port, '/graphql', { body: ME, headers })).status).toBe(401);
  });

  test('headers that a client sends under the same names make nobody of them, and no administrator', async () => {
    expect(await me({ ...forged, ...rin })).toBe(RIN);
    expect((await ask(proxy.port, '/auth/people', { headers: { ...forged, ...rin } })).status).toBe(403);
    const socket = new WebSocket(`wss://127.0.0.1:${proxy.port}/graphql`, 'graphql-transport-ws', {
      headers: {
        host: NAME,
        origin: `https://${NAME}`,
        'x-forwarded-user': 'chief',
        authorization: rin.authorization,
      },
      ...UNCHECKED,
    });
    await once(socket, 'open');
    const next = async () => JSON.parse(String(((await once(socket, 'message')) as [Buffer])[0])) as object;
    socket.send(JSON.stringify({ type: 'connection_init', payload: { projectId: 'demo' } }));
    expect(await next()).toEqual({ type: 'connection_ack' });
    socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: ME }));
    expect(await next()).toMatchObject({ payload: { data: { viewer: { name: 'rin', role: 'editor' } } } });
    const closed = once(socket, 'close');
    socket.close();
    await closed;
  });

  test('assistants reach what is theirs without the password of nginx, and are nobody until somebody lets them in', async () => {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
    const accept = { accept: 'application/json, text/event-stream' };
    for (const headers of [accept, { ...accept, ...forged }]) {
      const refused = await ask(proxy.port, '/mcp', { body, headers });
      expect([refused.status, refused.body.includes('sign in by OAuth')]).toEqual([401, true]);
    }
    const { body: found } = await ask(proxy.port, '/.well-known/oauth-protected-resource/mcp');
    expect(JSON.parse(found)).toMatchObject({ resource: `https://${NAME}/mcp` });
    const redirect = 'http://127.0.0.1:1/callback';
    const metadata = { client_name: 'x', redirect_uris: [redirect] };
    const registered = await ask(proxy.port, '/auth/oauth/register', { body: metadata });
    expect(registered.status).toBe(201);
    const request = requestOf(
      (JSON.parse(registered.body) as { client_id: string }).client_id,
      `https://${NAME}`,
      { redirect_uri: redirect },
    );
    const asked = `/auth/oauth/request?${request.query}`;
    expect((await ask(proxy.port, asked, { headers: forged })).status).toBe(401);
    const question = await ask(proxy.port, asked, { headers: { authorization: rin.authorization } });
    expect(JSON.parse(question.body)).toMatchObject({ client: 'x', person: 'rin' });
  });

  test('the same headers from another address than that of nginx are not believed', async () => {
    const headers = { ...forged, host: NAME, origin: `https://${NAME}`, 'x-project-id': 'demo' };
    const { host, port } = new URL(it.url);
    const direct = (localAddress: string) =>
      new Promise<number>((resolve, reject) => {
        const options = {
          port,
          localAddress,
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
        };
        plainRequest({ ...options, host: host.split(':')[0], path: '/graphql' }, (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        })
          .on('error', reject)
          .end(JSON.stringify(ME));
      });
    expect(await direct('127.0.0.2')).toBe(401);
  });
});
