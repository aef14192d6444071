import { createServer } from 'node:http';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '@qpilot/test-support';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { createTestApp, type TestApp } from '../support/create-test-app.ts';
import { post, sse } from '../support/graphql-client.ts';
import { mcp } from '../support/mcp-client.ts';
import { bearer, connect, form, renewal } from '../support/oauth.ts';
import { auth } from '../support/people.ts';

const ME = '{ viewer { name role projectId } }';

/** The shipped settings, with groups that may do something. */
const SETTINGS = new URL('../../config/qpilot.yaml', import.meta.url);
const withGroups = async (folder: string): Promise<string> => {
  const file = join(folder, 'qpilot.yaml');
  const access = `access:\n  adminGroups: [chiefs]\n  groups:\n    - { group: lab, project: demo, role: editor }\n    - { group: lab, project: other, role: viewer }\n    - { group: heads, project: demo, role: owner }\n`;
  const shipped = (await readFile(SETTINGS, 'utf8')).replace(/^access:\n(?: .*\n|#.*\n)*/mu, '');
  await writeFile(file, `${shipped}\n${access}`);
  return file;
};

const start = async (folder: string, env: Record<string, string>): Promise<TestApp> =>
  createTestApp({
    demo: true,
    projects: ['other'],
    recheckMs: 50,
    env: { AUTH_MODE: 'proxy', QPILOT_CONFIG: await withGroups(folder), ...env },
  });

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'qpilot-proxy-mode-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('plain headers', () => {
  let it: TestApp;
  beforeAll(async () => {
    it = await start(folder, { TRUSTED_PROXIES: '127.0.0.1' });
  });
  afterAll(() => it.stop());

  const me = (headers: Record<string, string>, project = 'demo') =>
    post(it.url, ME, { headers: { 'x-project-id': project, ...headers } });

  test('of a trusted proxy say who somebody is, and their groups what they may do', async () => {
    const lab = { 'x-forwarded-user': 'rin', 'x-forwarded-groups': 'lab,guests' };
    expect((await me(lab)).data?.['viewer']).toEqual({ name: 'rin', role: 'editor', projectId: 'demo' });
    expect((await me(lab, 'other')).data?.['viewer']).toMatchObject({ role: 'viewer' });
    const both = { 'x-forwarded-user': 'ann', 'x-forwarded-groups': 'lab,heads' };
    expect((await me(both)).data?.['viewer']).toMatchObject({ role: 'owner' });
    const chief = { 'x-forwarded-user': 'oda', 'x-forwarded-groups': 'chiefs' };
    expect((await auth(it.url, '/people', { headers: chief })).status).toBe(200);
    expect((await auth(it.url, '/people', { headers: both })).status).toBe(403);
  });

  test('name groups with commas between them, and with nothing else', async () => {
    const isChief = async (groups: string) => {
      const headers = { 'x-forwarded-user': 'gil', 'x-forwarded-groups': groups };
      return (await auth(it.url, '/people', { headers })).status === 200;
    };
    for (const groups of ['x|chiefs', 'x;chiefs', 'x chiefs', 'chiefs|x', 'x\tchiefs'])
      expect(await isChief(groups)).toBe(false);
    for (const groups of ['chiefs', 'x,chiefs', 'x , chiefs']) expect(await isChief(groups)).toBe(true);
  });

  test('without a group are of nobody who may anything', async () => {
    const { errors } = await me({ 'x-forwarded-user': 'guest' });
    expect(errors[0]?.message).toBe('you have no project demo; yours: none');
  });

  test('that are missing, empty or doubled are of nobody', async () => {
    for (const user of ['', ' ', 'rin, eve'])
      expect((await me({ 'x-forwarded-user': user })).status).toBe(401);
    expect(
      (await me({ 'x-forwarded-email': 'rin@lab.example', 'x-forwarded-groups': 'chiefs' })).status,
    ).toBe(401);
  });

  test('lose what a group gave when the group is gone', async () => {
    const rin = { 'x-forwarded-user': 'mia', 'x-forwarded-groups': 'lab' };
    expect((await me(rin)).status).toBe(200);
    expect((await me({ 'x-forwarded-user': 'mia' })).data).toBeNull();
  });

  test('cannot sign anybody in by password, or for a device', async () => {
    for (const path of ['/sign-in/email', '/device/code', '/sign-out']) {
      expect((await auth(it.url, path, { body: {} })).status).toBe(404);
    }
  });

  test('let somebody connect an assistant, which then comes without them, with the groups of the last visit', async () => {
    const rin = { 'x-forwarded-user': 'rin', 'x-forwarded-groups': 'lab' };
    expect((await me(rin)).status).toBe(200);
    const connected = await connect(it.url, '', { projectId: 'demo' }, rin);
    expect((await mcp(it.url, 'tools/list', {}, bearer(connected))).status).toBe(200);
    expect((await form(it.url, 'token', renewal(connected))).status).toBe(200);
    expect((await me({ 'x-forwarded-user': 'rin' })).data).toBeNull();
    await until(async () => (await mcp(it.url, 'tools/list', {}, bearer(connected))).status === 403);
  });

  test('of somebody who was disabled here open no door, and end their streams', async () => {
    const headers = { 'x-forwarded-user': 'sol', 'x-forwarded-groups': 'lab', 'x-project-id': 'demo' };
    const chief = { 'x-forwarded-user': 'oda', 'x-forwarded-groups': 'chiefs' };
    expect((await me(headers)).status).toBe(200);
    const ended = (async () => {
      const watch = 'subscription { chipUpdated(chipId: "demo-64") { __typename } }';
      for await (const { errors } of sse(it.url, watch, {}, headers))
        for (const { extensions } of errors) return extensions['code'];
      return null;
    })();
    const people = (await auth(it.url, '/people', { headers: chief })).body as unknown as {
      id: string;
      name: string;
    }[];
    const id = people.find(({ name }) => name === 'sol')?.id;
    const disabled = await auth(it.url, '/people', { headers: chief, body: { id, disabled: true } });
    expect(disabled.status).toBe(200);
    expect(await ended).toBe('UNAUTHENTICATED');
    expect((await me(headers)).status).toBe(401);
  });
});

describe('plain headers of anybody else', () => {
  test('are not believed', async () => {
    const it = await start(folder, { TRUSTED_PROXIES: '10.9.8.7' });
    const headers = {
      'x-forwarded-user': 'rin',
      'x-forwarded-groups': 'chiefs',
      'x-forwarded-for': '10.9.8.7',
    };
    expect((await post(it.url, ME, { headers: { ...headers, 'x-project-id': 'demo' } })).status).toBe(401);
    await it.stop();
  });

  test('cannot be allowed by mistake', async () => {
    await expect(start(folder, {})).rejects.toThrow('AUTH_MODE=proxy needs TRUSTED_PROXIES');
    await expect(start(folder, { PROXY_JWKS_URL: 'http://127.0.0.1:1/keys' })).rejects.toThrow(
      'needs all of',
    );
  });
});

describe('a signed assertion', () => {
  const claims = { sub: 'u-1', name: 'Rin', email: 'rin@lab.example', groups: ['lab'] };
  let it: TestApp;
  let sign: (
    payload: object,
    options?: { audience?: string; issuer?: string; expires?: string },
  ) => Promise<string>;
  let signOther: typeof sign;
  const keys = createServer();
  beforeAll(async () => {
    const [ours, other] = await Promise.all([generateKeyPair('ES256'), generateKeyPair('ES256')]);
    const jwk = { ...(await exportJWK(ours.publicKey)), kid: 'one', alg: 'ES256' };
    keys.on('request', (_request, response) =>
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: [jwk] })),
    );
    await new Promise<void>((resolve) => keys.listen(0, '127.0.0.1', resolve));
    const { port } = keys.address() as { port: number };
    const signer =
      (key: CryptoKey): typeof sign =>
      (payload, { audience = 'qpilot', issuer = 'https://edge.example', expires = '1m' } = {}) =>
        new SignJWT({ ...payload })
          .setProtectedHeader({ alg: 'ES256', kid: 'one' })
          .setAudience(audience)
          .setIssuer(issuer)
          .setExpirationTime(expires)
          .sign(key);
    sign = signer(ours.privateKey);
    signOther = signer(other.privateKey);
    it = await start(folder, {
      TRUSTED_PROXIES: '127.0.0.1',
      PROXY_ASSERTION_HEADER: 'x-edge-assertion',
      PROXY_JWKS_URL: `http://127.0.0.1:${port}/keys`,
      PROXY_ISSUER: 'https://edge.example',
      PROXY_AUDIENCE: 'qpilot',
    });
  });
  afterAll(async () => {
    await it.stop();
    keys.closeAllConnections();
    await new Promise((resolve) => keys.close(resolve));
  });

  const me = (headers: Record<string, string>) =>
    post(it.url, ME, { headers: { 'x-project-id': 'demo', ...headers } });

  test('says who somebody is', async () => {
    const answer = await me({ 'x-edge-assertion': await sign(claims) });
    expect(answer.data?.['viewer']).toEqual({ name: 'Rin', role: 'editor', projectId: 'demo' });
  });

  test('subjects of one issuer are nobody of another one, nor of plain headers, and addresses make nobody anybody', async () => {
    const idBy = async (headers: Record<string, string>): Promise<string> => {
      const { body } = await auth(it.url, '/me', { headers });
      return (body['person'] as { id: string }).id;
    };
    const by = async (more: object, issuer?: string) =>
      idBy({ 'x-edge-assertion': await sign({ ...claims, ...more }, { ...(issuer && { issuer }) }) });
    const first = await by({});
    const ids = [first, await by({ sub: 'U-1' }), await by({ sub: 'u-2' }), await by({ sub: claims.email })];
    await it.restart({}, { PROXY_ISSUER: 'https://other.example' });
    ids.push(await by({}, 'https://other.example'));
    const assertion = { ...it.environment };
    for (const name of Object.keys(assertion)) if (name.startsWith('PROXY_')) delete it.environment[name];
    await it.restart();
    ids.push(await idBy({ 'x-forwarded-user': 'u-1', 'x-forwarded-email': claims.email }));
    await it.restart({}, { ...assertion, PROXY_ISSUER: 'https://edge.example' });
    expect(new Set(ids).size).toBe(ids.length);
    expect(await by({ name: 'Renamed', email: 'new@lab.example' })).toBe(first);
  });

  test('of another key, issuer, audience or time is of nobody; so are plain headers, and unsigned ones', async () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const unsigned = `${part({ alg: 'none' })}.${part({ ...claims, aud: 'qpilot', iss: 'https://edge.example', exp: 9e9 })}.`;
    for (const token of [
      await signOther(claims),
      await sign(claims, { audience: 'other' }),
      await sign(claims, { issuer: 'https://evil.example' }),
      await sign(claims, { expires: '-1m' }),
      await sign({ name: 'nobody' }),
      unsigned,
      'no token',
    ]) {
      expect((await me({ 'x-edge-assertion': token })).status).toBe(401);
    }
    expect((await me({ 'x-forwarded-user': 'rin', 'x-forwarded-groups': 'chiefs' })).status).toBe(401);
  });
});
