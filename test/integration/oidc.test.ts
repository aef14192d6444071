import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTestApp, type TestApp } from '../support/create-test-app.ts';
import { freePort } from '../support/free-port.ts';
import { post } from '../support/graphql-client.ts';
import { mcp } from '../support/mcp-client.ts';
import { connect } from '../support/oauth.ts';
import { auth } from '../support/people.ts';

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

describe('people of an OpenID Connect provider', () => {
  let it: TestApp;
  let folder: string;
  let provider: ChildProcess | undefined;
  let issuer: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'qpilot-oidc-'));
    const file = join(folder, 'qpilot.yaml');
    const access =
      'access:\n  adminGroups: [chiefs]\n  groups: [{ group: lab, project: demo, role: editor }]\n';
    const shipped = (await readFile(SETTINGS, 'utf8')).replace(/^access:\n(?: .*\n)*/mu, access);
    await writeFile(file, shipped);
    issuer = `http://127.0.0.1:${await freePort()}`;
    it = await createTestApp({
      env: {
        AUTH_MODE: 'oidc',
        OIDC_ISSUER: issuer,
        OIDC_CLIENT_ID: 'qpilot',
        OIDC_CLIENT_SECRET: 'of the client',
        OIDC_NAME: 'the university',
        QPILOT_CONFIG: file,
      },
    });
  });
  afterAll(async () => {
    if (provider) {
      const ended = once(provider, 'exit');
      provider.kill('SIGTERM');
      await ended;
    }
    await it.stop();
    await rm(folder, { recursive: true, force: true });
  });

  type Begun = { readonly browser: ReturnType<typeof createBrowser>; readonly url: string };
  const begin = async (next = '/chips'): Promise<Begun> => {
    const browser = createBrowser();
    const { status, body, cookie } = await auth(it.url, '/sign-in/social', { body: { next } });
    expect(status).toBe(200);
    browser.keep(it.url, cookie);
    return { browser, url: String(body['url']) };
  };
  /** Signs in at the provider and consents; returns the address that it sends people back to. */
  const atProvider = async ({ browser, url }: Begun, who: string): Promise<string> => {
    let { to } = await browser.go(url);
    for (const form of [{ prompt: 'login', login: who, password: 'x' }, { prompt: 'consent' }]) {
      ({ to } = await browser.go(to ?? '', form));
      ({ to } = await browser.go(to ?? ''));
    }
    return to ?? '';
  };
  const me = (cookie: string) => post(it.url, ME, { headers: { cookie, 'x-project-id': 'demo' } });

  test('are asked to wait while it is away', async () => {
    const answer = await auth(it.url, '/sign-in/social', { body: { next: '/' } });
    expect([answer.status, answer.body['code']]).toEqual([503, 'PROVIDER_AWAY']);
    provider = spawn(process.execPath, [SCRIPT, new URL(issuer).port, `${it.url}/auth/callback/oidc`], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await once(provider.stdout!, 'data');
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
