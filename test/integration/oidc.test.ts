import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { v4 as uuid } from 'uuid';
import { createTestApp, type TestApp, type TestAppOptions } from '../support/create-test-app.ts';
import { freePort } from '../support/free-port.ts';
import { post } from '../support/graphql-client.ts';
import { mcp } from '../support/mcp-client.ts';
import { connect } from '../support/oauth.ts';
import { auth, becomeOwner, join as joinLab, PASSWORD } from '../support/people.ts';
import { tell, text } from '../support/activities.ts';

const ME = '{ viewer { name role } }';
const SCRIPT = fileURLToPath(new URL('../support/oidc-server.js', import.meta.url));
const SETTINGS = new URL('../../config/qpilot.yaml', import.meta.url);

/** A browser without pages: it keeps cookies by host, and follows redirects where it is told to. */
function createBrowser() {
  const jars = new Map<string, Map<string, string>>();
  const go = async (
    url: string,
    form?: Record<string, string>,
  ): Promise<{ status: number; to: string | null }> => {
    const { host } = new URL(url);
    const jar = jars.get(host) ?? new Map<string, string>();
    jars.set(host, jar);
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    await response.arrayBuffer();
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';', 1);
      const at = pair.indexOf('=');
      if (pair.slice(at + 1) === '') jar.delete(pair.slice(0, at));
      else jar.set(pair.slice(0, at), pair.slice(at + 1));
    }
    const to = response.headers.get('location');
    return { status: response.status, to: to === null ? null : new URL(to, url).href };
  };
  const cookies = (url: string) =>
    [...(jars.get(new URL(url).host) ?? [])].map(([name, value]) => `${name}=${value}`).join('; ');
  const keep = (url: string, cookie: string) =>
    jars.set(
      new URL(url).host,
      new Map(
        cookie
          .split('; ')
          .map((each) => [each.slice(0, each.indexOf('=')), each.slice(each.indexOf('=') + 1)]),
      ),
    );
  return { go, cookies, keep };
}

type Begun = { readonly browser: ReturnType<typeof createBrowser>; readonly url: string };

let browsers = 0;

/** Begins a sign-in in a browser at an address of its own: tries are limited by address. */
async function beginAt(url: string, next = '/chips'): Promise<Begun> {
  const browser = createBrowser();
  browsers += 1;
  const headers = { 'x-forwarded-for': `10.0.${browsers >> 8}.${browsers & 255}` };
  const { status, body, cookie } = await auth(url, '/sign-in/social', { body: { next }, headers });
  expect(status).toBe(200);
  browser.keep(url, cookie);
  return { browser, url: String(body['url']) };
}

/** Signs in at the provider and consents; returns the address that it sends people back to. */
async function atProvider({ browser, url }: Begun, who: string): Promise<string> {
  let { to } = await browser.go(url);
  for (const form of [{ prompt: 'login', login: who, password: 'x' }, { prompt: 'consent' }]) {
    ({ to } = await browser.go(to ?? '', form));
    ({ to } = await browser.go(to ?? ''));
  }
  return to ?? '';
}

type Claims = {
  readonly sub: string;
  readonly name?: string;
  readonly email?: string;
  readonly groups?: unknown;
  readonly userinfo?: object;
};

/** Signs somebody in from a browser of their own. */
async function signIn(url: string, claims: Claims): Promise<{ cookie: string; to: string | null }> {
  const begun = await beginAt(url);
  const { to } = await begun.browser.go(await atProvider(begun, JSON.stringify(claims)));
  return { cookie: begun.browser.cookies(url), to };
}

/** Starts a provider that leads back to a server; `claims-in-id-token`: which asks for them nowhere else. */
async function startProvider(issuer: string, url: string, ...options: string[]): Promise<ChildProcess> {
  const args = [SCRIPT, new URL(issuer).port, `${url}/auth/callback/oidc`, ...options];
  const provider = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  await once(provider.stdout, 'data');
  return provider;
}

async function stopProvider(provider: ChildProcess): Promise<void> {
  const ended = once(provider, 'exit');
  provider.kill('SIGTERM');
  await ended;
}

/** A server of a provider whose groups may do something. */
async function startFor(folder: string, issuer: string, options: TestAppOptions = {}): Promise<TestApp> {
  const file = join(folder, 'qpilot.yaml');
  const access =
    'access:\n  adminGroups: [chiefs]\n  groups: [{ group: lab, project: demo, role: editor }]\n';
  const shipped = (await readFile(SETTINGS, 'utf8')).replace(/^access:\n(?: .*\n)*/mu, access);
  await writeFile(file, shipped);
  return createTestApp({
    ...options,
    env: {
      AUTH_MODE: 'oidc',
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: 'qpilot',
      OIDC_CLIENT_SECRET: 'of the client',
      OIDC_NAME: 'the university',
      QPILOT_CONFIG: file,
      TRUSTED_PROXIES: '127.0.0.1',
    },
  });
}

describe('people of an OpenID Connect provider', () => {
  let it: TestApp;
  let folder: string;
  let provider: ChildProcess | undefined;
  let issuer: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'qpilot-oidc-'));
    issuer = `http://127.0.0.1:${await freePort()}`;
    it = await startFor(folder, issuer);
  });
  afterAll(async () => {
    if (provider) await stopProvider(provider);
    await it.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const begin = (next?: string): Promise<Begun> => beginAt(it.url, next);
  const me = (cookie: string) => post(it.url, ME, { headers: { cookie, 'x-project-id': 'demo' } });

  test('are asked to wait while it is away', async () => {
    const answer = await auth(it.url, '/sign-in/social', { body: { next: '/' } });
    expect([answer.status, answer.body['code']]).toEqual([503, 'PROVIDER_AWAY']);
    provider = await startProvider(issuer, it.url);
    expect((await auth(it.url, '/me')).body).toEqual({
      mode: 'oidc',
      provider: 'the university',
      person: null,
      projects: [],
      usual: null,
    });
  });

  test('sign in with PKCE, state and nonce, and do what their groups may', async () => {
    const begun = await begin('/jobs');
    const asked = new URL(begun.url).searchParams;
    expect(asked.get('code_challenge_method')).toBe('S256');
    for (const name of ['state', 'nonce', 'code_challenge']) expect(asked.get(name)).toMatch(/^.{20,}$/u);
    const back = await atProvider(begun, 'rin+lab');
    const { to } = await begun.browser.go(back);
    expect(to).toBe(`${it.url}/jobs`);
    const cookie = begun.browser.cookies(it.url);
    expect(await me(cookie)).toMatchObject({ errors: [], data: { viewer: { name: 'rin', role: 'editor' } } });
    // A code is used once.
    const again = createBrowser();
    expect((await again.go(back)).to).toContain('error=');
    expect(again.cookies(it.url)).not.toContain('session_token');
  });

  test('lose what a group gave at their next sign-in without it; administrators are named by group', async () => {
    const without = await begin();
    await without.browser.go(await atProvider(without, 'rin'));
    expect((await me(without.browser.cookies(it.url))).errors[0]?.message).toBe(
      'you have no project demo; yours: none',
    );
    const chief = await begin();
    await chief.browser.go(await atProvider(chief, 'oda+chiefs'));
    const cookie = chief.browser.cookies(it.url);
    expect((await me(cookie)).data?.['viewer']).toMatchObject({ role: 'owner' });
    expect((await auth(it.url, '/people', { cookie })).status).toBe(200);
  });

  test('connect assistants, within their session', async () => {
    const begun = await begin('/connect?client_id=x');
    const { to } = await begun.browser.go(await atProvider(begun, 'rin+lab'));
    expect(to).toBe(`${it.url}/connect?client_id=x`);
    const connected = await connect(it.url, begun.browser.cookies(it.url));
    const headers = { authorization: `Bearer ${connected.access}` };
    expect((await mcp(it.url, 'tools/list', {}, headers)).status).toBe(200);
    expect((await me(begun.browser.cookies(it.url))).data?.['viewer']).toMatchObject({ name: 'rin' });
  });

  test('cannot finish what another browser began', async () => {
    const begun = await begin();
    const back = await atProvider(begun, 'eve+lab');
    const other = createBrowser();
    expect((await other.go(back)).to).toContain('error=');
    expect(other.cookies(it.url)).not.toContain('session_token');
  });

  test('are led to pages of this server only', async () => {
    for (const next of ['https://evil.example', '//evil.example', '/\\evil.example', 'javascript:alert(1)']) {
      expect((await auth(it.url, '/sign-in/social', { body: { next } })).status).toBe(400);
    }
    const body = { next: '/', idToken: { token: 'x' }, provider: 'google' };
    expect((await auth(it.url, '/sign-in/social', { body })).status).toBe(400);
  });

  test('have no passwords here', async () => {
    const body = { email: 'rin@lab.example', password: 'x'.repeat(12) };
    expect((await auth(it.url, '/sign-in/email', { body })).status).toBe(404);
  });
});

describe('somebody is the issuer and subject that signed in', () => {
  const ADDRESS = 'aoi@lab.example';
  const AOI = { sub: 's-1', name: 'Aoi', email: ADDRESS, groups: ['lab'] };
  const SEND = 'mutation ($input: SendMessageInput!) { sendMessage(input: $input) { __typename } }';
  const CONVERSATIONS = '{ viewer { id } copilotSessions(first: 5) { edges { node { id } } } }';
  let it: TestApp;
  let folder: string;
  const issuers: string[] = [];
  const providers: ChildProcess[] = [];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'qpilot-subjects-'));
    issuers.push(`http://127.0.0.1:${await freePort()}`);
    it = await startFor(folder, issuers[0]!, { answerTurn: tell(text('There it is.')) });
    providers.push(await startProvider(issuers[0]!, it.url));
    issuers.push(`http://127.0.0.1:${await freePort()}`);
    providers.push(await startProvider(issuers[1]!, it.url, 'claims-in-id-token'));
  });
  afterAll(async () => {
    for (const each of providers) await stopProvider(each);
    await it.stop();
    await rm(folder, { recursive: true, force: true });
  });

  type Person = {
    readonly id: string;
    readonly name: string;
    readonly email: string | null;
    readonly isAdmin: boolean;
  };
  const personOf = async (cookie: string): Promise<Person> => {
    const { body } = await auth(it.url, '/me', { cookie });
    expect(body['person']).not.toBeNull();
    return body['person'] as Person;
  };
  const personBy = async (claims: Claims): Promise<Person> => personOf((await signIn(it.url, claims)).cookie);
  const conversations = async (cookie: string): Promise<readonly unknown[]> => {
    const { data, errors } = await post(it.url, CONVERSATIONS, {
      headers: { cookie, 'x-project-id': 'demo' },
    });
    expect(errors).toEqual([]);
    return (data as { copilotSessions: { edges: unknown[] } }).copilotSessions.edges;
  };

  test('another subject with the same verified address is somebody else, and sees nothing of the first', async () => {
    const aoi = await signIn(it.url, AOI);
    const first = await personOf(aoi.cookie);
    const headers = { cookie: aoi.cookie, 'x-project-id': 'demo' };
    const input = { content: 'hello', clientMessageId: uuid() };
    expect((await post(it.url, SEND, { variables: { input }, headers })).errors).toEqual([]);
    const key = { name: 'mine', days: 1, role: 'viewer', projectId: null };
    expect((await auth(it.url, '/keys', { body: key, cookie: aoi.cookie })).status).toBe(200);
    expect(await conversations(aoi.cookie)).toHaveLength(1);

    const other = await signIn(it.url, { ...AOI, sub: 's-2' });
    const second = await personOf(other.cookie);
    expect(second).toMatchObject({ name: 'Aoi', email: ADDRESS });
    expect(second.id).not.toBe(first.id);
    expect(await conversations(other.cookie)).toEqual([]);
    expect((await auth(it.url, '/keys', { cookie: other.cookie })).body).toEqual([]);

    const again = await signIn(it.url, AOI);
    expect((await personOf(again.cookie)).id).toBe(first.id);
    expect(await conversations(again.cookie)).toHaveLength(1);
  });

  test('who gets another address, or none, stays who they are', async () => {
    const { id } = await personBy(AOI);
    expect(await personBy({ ...AOI, email: 'new@lab.example' })).toMatchObject({
      id,
      email: 'new@lab.example',
    });
    const { email: _email, ...without } = AOI;
    expect(await personBy(without)).toMatchObject({ id, email: null });
    expect(await personBy(AOI)).toMatchObject({ id, email: ADDRESS });
  });

  test('subjects that differ in case, in spaces, or by looking like an address are different people', async () => {
    const subjects = [
      'Kim',
      'kim',
      'KIM',
      'k im',
      ADDRESS,
      ADDRESS.toUpperCase(),
      's-1@oidc.invalid',
      '["s-1"]',
    ];
    const ids: string[] = [];
    for (const sub of subjects) ids.push((await personBy({ sub })).id);
    expect(new Set([...ids, (await personBy(AOI)).id]).size).toBe(subjects.length + 1);
    for (const [index, sub] of subjects.entries()) expect((await personBy({ sub })).id).toBe(ids[index]);
  });

  test('two who come at once for the first time are one person', async () => {
    const ways = await Promise.all([1, 2, 3].map(() => signIn(it.url, { sub: 'twice', email: ADDRESS })));
    const last = await personBy({ sub: 'twice', email: ADDRESS });
    for (const { cookie } of ways)
      if (cookie.includes('session_token')) expect((await personOf(cookie)).id).toBe(last.id);
    const { rows } = await query(
      'select count(*)::int as count from auth.account where "accountId" like $1',
      ['%"twice"]'],
    );
    expect(rows).toEqual([{ count: 1 }]);
  });

  const query = async (sql: string, values: readonly unknown[] = []) => {
    const client = new Client({ connectionString: it.environment['DATABASE_URL'] });
    await client.connect();
    try {
      return await client.query(sql, [...values]);
    } finally {
      await client.end();
    }
  };

  test('claims about another subject than that of the ID token sign nobody in', async () => {
    const { cookie, to } = await signIn(it.url, { sub: 'liar', userinfo: { sub: 's-1' } });
    expect(to).toContain('error=');
    expect(cookie).not.toContain('session_token');
  });

  test('the same subject of another issuer is somebody else, with the same address or not', async () => {
    const { id } = await personBy(AOI);
    await it.restart({}, { OIDC_ISSUER: issuers[1]! });
    const there = await personBy(AOI);
    expect(there).toMatchObject({ name: 'Aoi', email: ADDRESS });
    expect(there.id).not.toBe(id);
    expect((await personBy({ ...AOI, email: 'else@lab.example' })).id).toBe(there.id);
    await it.restart({}, { OIDC_ISSUER: issuers[0]! });
    expect((await personBy(AOI)).id).toBe(id);
  });

  test('accounts with a password and those of the provider never become each other', async () => {
    const { id } = await personBy(AOI);
    await it.restart({}, { AUTH_MODE: 'accounts' });
    const owner = await becomeOwner(it, 'owner@lab.example');
    const joined = await personOf(
      await joinLab(it.url, owner, { email: ADDRESS, projectId: 'demo', role: 'viewer' }),
    );
    expect(joined).toMatchObject({ name: 'aoi', email: ADDRESS });
    expect(joined.id).not.toBe(id);
    await it.restart({}, { AUTH_MODE: 'oidc' });
    expect(await personBy(AOI)).toMatchObject({ id, name: 'Aoi' });
    const late = await personBy({ sub: 'late', email: 'owner@lab.example' });
    expect(late).toMatchObject({ isAdmin: false, email: 'owner@lab.example' });
    await it.restart({}, { AUTH_MODE: 'accounts' });
    const { cookie } = await auth(it.url, '/sign-in/email', { body: { email: ADDRESS, password: PASSWORD } });
    expect(await personOf(cookie)).toEqual(joined);
    await it.restart({}, { AUTH_MODE: 'oidc' });
  });

  test('groups are the elements of a list, or of a text with commas, and no part of either', async () => {
    const isChief = async (groups: unknown) => (await personBy({ sub: 'grouped', groups })).isAdmin;
    for (const groups of [
      'x|chiefs',
      'x;chiefs',
      'x chiefs',
      'chiefs|x',
      ['x|chiefs'],
      ['x,chiefs'],
      [['chiefs']],
    ])
      expect(await isChief(groups)).toBe(false);
    for (const groups of [['x', 'chiefs'], 'x, chiefs', 'chiefs']) expect(await isChief(groups)).toBe(true);
  });

  test('nothing that the provider gave for a sign-in is kept', async () => {
    const { rows } = await query(
      'select count(*)::int as kept from auth.account where coalesce("idToken", "accessToken", "refreshToken") is not null',
    );
    expect(rows).toEqual([{ kept: 0 }]);
  });
});
