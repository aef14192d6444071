import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join as joinPath, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startChild } from '@qpilot/test-support';
import { createTestApp, type TestApp } from '../support/create-test-app.ts';
import { post } from '../support/graphql-client.ts';
import { auth, becomeOwner, join } from '../support/people.ts';

describe('npm run login', () => {
  let it: TestApp;
  let folder: string;
  let owner: string;
  beforeAll(async () => {
    folder = await mkdtemp(joinPath(tmpdir(), 'qpilot-login-'));
    it = await createTestApp({ env: { AUTH_MODE: 'accounts' } });
    owner = await becomeOwner(it);
  });
  afterAll(async () => {
    await it.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const start = (...args: string[]) => {
    const env = { ...process.env, XDG_CONFIG_HOME: folder, QPILOT_TOKEN: '' };
    return startChild(resolve('client/terminal/login.ts'), ['--url', it.url, ...args], { env });
  };
  const codeOf = async (child: ReturnType<typeof start>): Promise<string> => {
    const address = (await child.nextLine()).replace(/^Open /u, '');
    expect(address).toMatch(new RegExp(`^${it.url}/device\\?user_code=`, 'u'));
    const code = new URL(address).searchParams.get('user_code') ?? '';
    expect(await child.nextLine()).toContain(code);
    return code;
  };
  const tokens = async () =>
    JSON.parse(await readFile(joinPath(folder, 'qpilot/tokens.json'), 'utf8')) as Record<string, string>;
  const me = async () => {
    const token = (await tokens())[it.url];
    return post(it.url, '{ viewer { name } }', { headers: { authorization: `Bearer ${token}` } });
  };

  test('shows a code, and is whoever allows it, until it signs out', async () => {
    const child = start();
    const code = await codeOf(child);
    await auth(it.url, `/device?user_code=${code}`, { cookie: owner });
    expect((await auth(it.url, '/device/approve', { body: { userCode: code }, cookie: owner })).status).toBe(
      200,
    );
    expect(await child.nextLine()).toContain('Signed in.');
    expect((await stat(joinPath(folder, 'qpilot/tokens.json'))).mode & 0o777).toBe(0o600);
    expect((await me()).data?.['viewer']).toEqual({ name: 'Olga' });
    const used = (await tokens())[it.url];
    expect(await start('--out').nextLine()).toContain('Signed out');
    expect(await tokens()).toEqual({});
    const late = await post(it.url, '{ viewer { name } }', { headers: { authorization: `Bearer ${used}` } });
    expect(late.status).toBe(401);
  });

  test('is nobody when it is refused, or when nobody is signed in to allow it', async () => {
    const child = start();
    const code = await codeOf(child);
    expect((await auth(it.url, '/device/approve', { body: { userCode: code } })).status).toBe(401);
    const ed = await join(it.url, owner, { email: 'ed@lab.example', projectId: 'demo', role: 'viewer' });
    await auth(it.url, `/device?user_code=${code}`, { cookie: ed });
    // Once somebody has opened the page with the code, nobody else decides.
    expect((await auth(it.url, '/device/approve', { body: { userCode: code }, cookie: owner })).status).toBe(
      403,
    );
    expect((await auth(it.url, '/device/deny', { body: { userCode: code }, cookie: ed })).status).toBe(200);
    await expect(child.nextLine()).rejects.toThrow('refused in the browser');
  });
});
