/** Sessions: who has one, where its token is, and what ends it. */
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Client } from 'pg';
import { createLogger } from '../../src/base/log.ts';
import { createSignIn } from '../../src/identity/sign-in.ts';
import { openDatabase } from '../../src/stores/pg/database.ts';
import { createTestApp, type TestApp } from '../support/create-test-app.ts';
import { post, send } from '../support/graphql-client.ts';
import { auth as authFrom, becomeOwner, join, PASSWORD } from '../support/people.ts';
import { openSocket } from '../support/websocket-client.ts';

const ME = '{ viewer { name } }';
const WATCH = 'subscription { chipUpdated(chipId: "demo-64") { __typename } }';
const SECRETS = ['a first secret of the server, long enough', 'another secret of the server, long enough'];
const CLIENT = 'qpilot-terminal';

const lines: string[] = [];
let it: TestApp;
let owner: string;
let count = 0;
beforeAll(async () => {
  it = await createTestApp({
    demo: true,
    recheckMs: 50,
    log: createLogger('debug', { write: (line: string) => void lines.push(line) }),
    env: { AUTH_MODE: 'accounts', AUTH_SECRET: SECRETS[0] ?? '', TRUSTED_PROXIES: '127.0.0.1' },
  });
  owner = await becomeOwner(it);
});
afterAll(() => it.stop());

const statusOf = async (headers: Record<string, string>): Promise<number> =>
  (await post(it.url, ME, { headers: { ...headers, 'x-project-id': 'demo' } })).status;

/** Tries are limited by address, so each person has their own. */
const somewhere = (): Record<string, string> => {
  count += 1;
  return { 'x-forwarded-for': `10.1.${count >> 8}.${count & 255}` };
};

const auth = (path: string, asked: { body?: object; cookie?: string } = {}) =>
  authFrom(it.url, path, { ...asked, headers: somewhere() });

type Somebody = { readonly email: string; readonly cookie: string };
async function somebody(): Promise<Somebody> {
  count += 1;
  const email = `person${count}@lab.example`;
  return { email, cookie: await join(it.url, owner, { email, projectId: 'demo', role: 'editor' }) };
}
const signIn = async (email: string, password = PASSWORD): Promise<string> =>
  (await auth('/sign-in/email', { body: { email, password } })).cookie;

/** The value of the cookie: token and signature. */
const valueOf = (cookie: string): string => decodeURIComponent(cookie.replace(/^.*session_token=/u, ''));
const tokenOf = (cookie: string): string => valueOf(cookie).split('.', 1)[0] ?? '';
const cookieWith = (value: string): string => `qpilot.session_token=${encodeURIComponent(value)}`;

/** As a program asks, which says nothing of a browser. */
async function ofProgram(path: string, body: object): Promise<Record<string, unknown>> {
  const answer = await send(`${it.url}/auth${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...somewhere() },
    body: JSON.stringify(body),
  });
  return JSON.parse(answer.body) as Record<string, unknown>;
}
const redeem = (code: unknown): Promise<Record<string, unknown>> =>
  ofProgram('/device/token', {
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    device_code: code,
    client_id: CLIENT,
  });
/** A code that somebody has allowed a terminal. */
async function allowed(cookie: string): Promise<{ code: string; userCode: string }> {
  const { device_code: code, user_code: userCode } = await ofProgram('/device/code', { client_id: CLIENT });
  expect((await auth(`/device?user_code=${String(userCode)}`, { cookie })).status).toBe(200);
  expect((await auth('/device/approve', { body: { userCode }, cookie })).body).toEqual({});
  return { code: String(code), userCode: String(userCode) };
}
const terminalOf = async (cookie: string): Promise<string> =>
  String((await redeem((await allowed(cookie)).code))['access_token']);

async function rows(sql: string): Promise<readonly Record<string, unknown>[]> {
  const client = new Client({ connectionString: it.environment['DATABASE_URL'] });
  await client.connect();
  try {
    return (await client.query(sql)).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}
async function everythingStored(): Promise<string> {
  const tables = await rows(`select tablename as name from pg_tables where schemaname = 'auth'`);
  const all = await Promise.all(tables.map(({ name }) => rows(`select * from auth."${String(name)}"`)));
  return JSON.stringify(all);
}

/** Opens a socket that watches a chip; `ended` resolves with what it hears until that ends. */
async function watching(cookie: string): Promise<{ readonly ended: Promise<string> }> {
  const socket = await openSocket(it.url, { cookie });
  socket.send({ type: 'connection_init', payload: { projectId: 'demo' } });
  expect((await socket.next()).type).toBe('connection_ack');
  socket.send({ id: '1', type: 'subscribe', payload: { query: WATCH } });
  socket.send({ id: '2', type: 'subscribe', payload: { query: ME } });
  expect(await socket.next()).toMatchObject({ id: '2', type: 'next' });
  expect(await socket.next()).toMatchObject({ id: '2', type: 'complete' });
  const hear = async (): Promise<string> => {
    let seen = '';
    for (let message = await socket.next(); message.type !== 'complete'; message = await socket.next())
      seen += JSON.stringify(message.payload);
    socket.socket.close();
    await socket.closed;
    return seen;
  };
  return { ended: hear() };
}

describe('a cookie', () => {
  test('without the signature of this server is nobody, whatever the token', async () => {
    const { cookie } = await somebody();
    const other = await somebody();
    expect(await statusOf({ cookie })).toBe(200);
    const [token = '', signature = ''] = valueOf(cookie).split('.');
    const flipped = (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1);
    for (const value of [
      token,
      `${token}.`,
      `${token}.${flipped}`,
      `${token}.${signature.slice(0, -4)}`,
      `${token}.${valueOf(other.cookie).split('.')[1]}`,
      `${tokenOf(other.cookie)}.${signature}`,
      `.${signature}`,
      `${token}.x.${signature}`,
      `${token}.${signature}.${signature}`,
    ])
      expect(await statusOf({ cookie: cookieWith(value) })).toBe(401);
    expect(await statusOf({ cookie: cookieWith(valueOf(cookie)) })).toBe(200);
  });

  test('opens no WebSocket without it, either', async () => {
    const { cookie } = await somebody();
    const socket = await openSocket(it.url, { cookie: cookieWith(`${tokenOf(cookie)}.x`) });
    socket.send({ type: 'connection_init', payload: { projectId: 'demo' } });
    expect(await socket.closed).toBe(4403);
  });
});

describe('the token of a session', () => {
  test('is in no answer, neither in a body nor in a header but the cookie itself', async () => {
    const { email } = await somebody();
    const seen: string[] = [];
    const ask = async (path: string, body: object | null, cookie: string): Promise<string> => {
      const answer = await send(`${it.url}/auth${path}`, {
        method: body === null ? 'GET' : 'POST',
        headers: { 'content-type': 'application/json', origin: it.url, cookie, ...somewhere() },
        ...(body !== null && { body: JSON.stringify(body) }),
      });
      const { 'set-cookie': set = [], ...headers } = answer.headers;
      seen.push(answer.body, JSON.stringify(headers));
      return [set].flat()[0]?.split(';', 1)[0] ?? cookie;
    };
    let cookie = await ask('/sign-in/email', { email, password: PASSWORD }, '');
    const tokens = [tokenOf(cookie)];
    for (const path of ['/me', '/list-sessions', '/get-session']) await ask(path, null, cookie);
    const newPassword = 'eleven warm qubits';
    cookie = await ask('/change-password', { currentPassword: PASSWORD, newPassword }, cookie);
    tokens.push(tokenOf(cookie));
    cookie = await ask('/two-factor/enable', { password: newPassword }, cookie);
    cookie = await ask('/two-factor/disable', { password: newPassword }, cookie);
    tokens.push(tokenOf(cookie));
    for (const path of ['/revoke-sessions', '/sign-out']) await ask(path, {}, cookie);
    expect(tokens.every((token) => token.length >= 32)).toBe(true);
    for (const token of tokens) expect(seen.join('\n')).not.toContain(token);
    expect(seen.join('\n')).toContain('backupCodes');
  });

  test('of a terminal is given to programs, and to no script of a page', async () => {
    const { cookie } = await somebody();
    for (const headers of [{ origin: it.url }, { cookie }, { 'sec-fetch-site': 'same-origin' }]) {
      const { code } = await allowed(cookie);
      const answer = await send(`${it.url}/auth/device/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(headers as Record<string, string>) },
        body: JSON.stringify({
          grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
          device_code: code,
          client_id: CLIENT,
        }),
      });
      expect([answer.status, answer.body.includes('access_token')]).toEqual([403, false]);
    }
    expect(await statusOf({ authorization: `Bearer ${await terminalOf(cookie)}` })).toBe(200);
  });

  test('is not in PostgreSQL, nor is a code; the hash there is no token', async () => {
    const { email, cookie } = await somebody();
    const { code, userCode } = await allowed(cookie);
    const terminal = await terminalOf(cookie);
    const second = await somebody();
    const enabled = await auth('/two-factor/enable', {
      body: { password: PASSWORD },
      cookie: second.cookie,
    });
    expect(enabled.status).toBe(200);
    const stored = await everythingStored();
    expect(stored).toContain(email);
    for (const secret of [tokenOf(cookie), valueOf(cookie), terminal, code, userCode])
      expect(stored).not.toContain(secret);
    const hashes = await rows('select token from auth.session');
    expect(hashes.length).toBeGreaterThan(2);
    for (const { token } of hashes.slice(0, 5)) {
      expect(await statusOf({ authorization: `Bearer ${String(token)}` })).toBe(401);
      expect(await statusOf({ cookie: cookieWith(String(token)) })).toBe(401);
    }
  });
});

describe('sessions of somebody', () => {
  test('are listed and ended by an id, by themselves only', async () => {
    const { email, cookie } = await somebody();
    const second = await signIn(email);
    const list = async (of: string) =>
      (await auth('/list-sessions', { cookie: of })).body as unknown as {
        id: string;
        isThis: boolean;
      }[];
    const seen = await list(second);
    expect(seen.filter(({ isThis }) => isThis)).toHaveLength(1);
    expect(seen).toHaveLength(2);
    const id = seen.find(({ isThis }) => !isThis)?.id;
    const stranger = await somebody();
    const end = (by: string) => auth('/revoke-session', { body: { id }, cookie: by });
    expect((await end(stranger.cookie)).status).toBe(404);
    expect(await statusOf({ cookie })).toBe(200);
    expect((await end(second)).status).toBe(200);
    expect([await statusOf({ cookie }), await statusOf({ cookie: second })]).toEqual([401, 200]);
  });

  test('all end but one when the password is changed, whatever is asked for: browsers, sockets, terminals and allowed codes', async () => {
    for (const asked of [{}, { revokeOtherSessions: false }]) {
      const { email, cookie } = await somebody();
      const other = await signIn(email);
      const { ended } = await watching(other);
      const terminal = await terminalOf(cookie);
      const { code } = await allowed(cookie);
      const key = (
        await auth('/keys', {
          body: { name: 'k', days: 1, role: 'viewer', projectId: null },
          cookie,
        })
      ).body['key'];
      const changed = await auth('/change-password', {
        body: { currentPassword: PASSWORD, newPassword: 'eleven warm qubits', ...asked },
        cookie,
      });
      expect([changed.status, changed.body]).toEqual([200, {}]);
      expect(await statusOf({ cookie: other })).toBe(401);
      expect(await ended).toContain('UNAUTHENTICATED');
      expect(await statusOf({ authorization: `Bearer ${terminal}` })).toBe(401);
      expect((await redeem(code))['error']).toBe('invalid_grant');
      expect(await statusOf({ cookie: changed.cookie })).toBe(200);
      expect(await statusOf({ authorization: `Bearer ${String(key)}` })).toBe(200);
    }
  });

  test('stay when the password was not changed', async () => {
    const { email, cookie } = await somebody();
    const other = await signIn(email);
    const refused = await auth('/change-password', {
      body: { currentPassword: 'a wrong password', newPassword: 'eleven warm qubits' },
      cookie,
    });
    expect(refused.status).toBe(400);
    expect([await statusOf({ cookie }), await statusOf({ cookie: other })]).toEqual([200, 200]);
  });

  test('end for all by another AUTH_SECRET, in browsers, sockets and terminals; keys stay', async () => {
    const { email, cookie } = await somebody();
    const terminal = await terminalOf(cookie);
    const body = { name: 'k', days: 1, role: 'viewer', projectId: null };
    const key = `Bearer ${String((await auth('/keys', { body, cookie })).body['key'])}`;
    await it.restart({}, { AUTH_SECRET: SECRETS[1] ?? '' });
    expect(await statusOf({ cookie })).toBe(401);
    expect(await statusOf({ cookie: owner })).toBe(401);
    expect(await statusOf({ authorization: `Bearer ${terminal}` })).toBe(401);
    const socket = await openSocket(it.url, { cookie });
    socket.send({ type: 'connection_init', payload: { projectId: 'demo' } });
    expect(await socket.closed).toBe(4403);
    expect(await statusOf({ authorization: key })).toBe(200);
    expect(await statusOf({ cookie: await signIn(email) })).toBe(200);
    // What ended comes back with the old secret only, as long as its week.
    await it.restart({}, { AUTH_SECRET: SECRETS[0] ?? '' });
    expect(await statusOf({ cookie })).toBe(200);
  });
});

test('of better-auth nothing is reached but what is offered', async () => {
  const database = openDatabase(it.environment['DATABASE_URL'] ?? '', { log: createLogger('silent') });
  const signInOf = createSignIn({
    db: database.db,
    secret: SECRETS[0] ?? '',
    publicOrigin: null,
    log: createLogger('silent'),
    events: {},
    withPasswords: true,
    oidc: null,
  });
  const routes = Object.values(signInOf.api).flatMap(({ path, options }) =>
    [options.method].flat().map((method) => `${String(method)} ${String(path).replaceAll(/:\w+/gu, 'x')}`),
  );
  await database.close();
  expect(routes).toContain('POST /sign-up/email');
  const reached: string[] = [];
  for (const route of new Set(routes)) {
    const [method = '', path = ''] = route.split(' ');
    const answer = await send(`${it.url}/auth${path}`, {
      method,
      headers: { 'content-type': 'application/json', origin: it.url, ...somewhere() },
      ...(method !== 'GET' && { body: '{}' }),
    });
    if (answer.status !== 404) reached.push(route);
  }
  expect(reached.toSorted()).toEqual([
    'GET /device',
    'GET /list-sessions',
    'POST /change-password',
    'POST /device/approve',
    'POST /device/code',
    'POST /device/deny',
    'POST /device/token',
    'POST /revoke-session',
    'POST /revoke-sessions',
    'POST /sign-in/email',
    'POST /sign-out',
    'POST /two-factor/disable',
    'POST /two-factor/enable',
    'POST /two-factor/verify-backup-code',
    'POST /two-factor/verify-totp',
  ]);
});

test('better-auth writes into our log, as JSON and without secrets, and nowhere else', async () => {
  const past = [
    ...(['log', 'info', 'warn', 'error', 'debug'] as const).map((name) => jest.spyOn(console, name)),
    jest.spyOn(process.stdout, 'write'),
    jest.spyOn(process.stderr, 'write'),
  ];
  lines.length = 0;
  const password = 'a wrong password, twice';
  const tries: (readonly [path: string, body: object])[] = [
    ['/sign-in/email', { email: 'owner@lab.example', password }],
    ['/sign-in/email', { email: 'x', password }],
    ['/change-password', { currentPassword: password, newPassword: 'eleven warm qubits' }],
    ['/two-factor/verify-totp', { code: '000000' }],
    ['/two-factor/verify-backup-code', { code: 'x' }],
    ['/two-factor/enable', { password }],
    ['/device/approve', { userCode: 'ABCDEFGH' }],
    ['/device/code', { client_id: 'nobody' }],
  ];
  for (const [path, body] of tries) {
    const { status } = await auth(path, { body });
    expect(status).toBeGreaterThanOrEqual(400);
  }
  // An error that is nobody's fault: the table of sessions is away.
  await rows('alter table auth.session rename to away');
  const { cookie } = await auth('/sign-in/email', {
    body: { email: 'owner@lab.example', password: PASSWORD },
  });
  await rows('alter table auth.away rename to session');
  expect(cookie).toBe('');
  const written = past.flatMap((spy) => spy.mock.calls.map((call) => String(call[0])));
  for (const spy of past) spy.mockRestore();
  expect(written).toEqual([]);
  expect(lines.length).toBeGreaterThan(0);
  const entries = lines.map((line) => JSON.parse(line) as { readonly msg?: string; readonly level: number });
  expect(entries.some(({ msg, level }) => level >= 50 && msg === 'a request for sign-in failed')).toBe(true);
  expect(lines.join('\n')).not.toContain(password);
});
