/** The pages of those who sign in elsewhere: at a provider of OpenID Connect, and with the token of a QDash. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { builtClient } from '../../support/built-client.ts';
import { createTestApp, type TestApp } from '../../support/create-test-app.ts';
import { freePort } from '../../support/free-port.ts';
import { describeWithChromium, openBrowser } from '../chromium.ts';
import { openTab, seriousFindings } from './browser.ts';

const PROVIDER = fileURLToPath(new URL('../../support/oidc-server.js', import.meta.url));

const shots = process.env['QPILOT_SHOTS'];
const look = async (page: Page, name: string): Promise<void> => {
  if (shots !== undefined) await page.screenshot({ path: `${shots}/${name}.png`, fullPage: true });
  expect(await seriousFindings(page)).toEqual([]);
};

describeWithChromium('the page to sign in', () => {
  let browser: Browser;
  let provider: ChildProcess;
  let oidc: TestApp;
  let qdash: TestApp;
  beforeAll(async () => {
    browser = await openBrowser();
    const client = await builtClient();
    const issuer = `http://127.0.0.1:${await freePort()}`;
    [oidc, qdash] = await Promise.all([
      createTestApp({
        client,
        env: {
          AUTH_MODE: 'oidc',
          OIDC_ISSUER: issuer,
          OIDC_CLIENT_ID: 'qpilot',
          OIDC_CLIENT_SECRET: 'of the client',
          OIDC_NAME: 'the university',
        },
      }),
      createTestApp({
        client,
        demo: true,
        env: { AUTH_MODE: 'qdash' },
        documents: {
          user: [
            { user_id: 'usr_1', username: 'rin', access_token: 'rin-of-the-lab-0123456789', disabled: false },
          ],
          project_membership: [
            { project_id: 'demo', user_id: 'usr_1', username: 'rin', role: 'editor', status: 'active' },
          ],
        },
      }),
    ]);
    const args = [PROVIDER, new URL(issuer).port, `${oidc.url}/auth/callback/oidc`];
    provider = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
    await once(provider.stdout!, 'data');
  });
  afterAll(async () => {
    await browser.close();
    const ended = once(provider, 'exit');
    provider.kill('SIGTERM');
    await Promise.all([ended, oidc.stop(), qdash.stop()]);
  });

  test('of a provider leads there and back, and says in Japanese that it did not let somebody in', async () => {
    const { page, complaints } = await openTab(browser, `${oidc.url}/sign-in?next=/account`);
    const go = page.getByRole('button', { name: 'Sign in with the university' });
    await go.waitFor();
    await look(page, 'oidc');
    await go.click();
    await page.waitForURL(/127\.0\.0\.1:\d+\/interaction/u);
    await page.locator('[name=login]').fill('rin+lab');
    await page.locator('[name=password]').fill('x');
    await page.locator('[type=submit]').click();
    await page.locator('[type=submit]').click();
    await page.getByRole('heading', { name: 'rin', level: 1 }).waitFor();
    await look(page, 'oidc-account');
    expect(complaints.filter((each) => each.includes(oidc.url))).toEqual([]);

    const refused = await openTab(browser, `${oidc.url}/sign-in?error=access_denied`, { locale: 'ja-JP' });
    await refused.page.getByText('the university でサインインできませんでした').waitFor();
    await look(refused.page, 'oidc-refused-ja');
  });

  test('of a QDash takes its token, and refuses another in the language of the page', async () => {
    const { page } = await openTab(browser, `${qdash.url}/sign-in`, { locale: 'ja-JP' });
    const token = page.getByLabel('QDash のアクセストークン').first();
    await token.fill('not-a-token-of-anybody');
    await page.getByRole('button', { name: 'サインイン', exact: true }).click();
    await page.getByText('QDash にこのトークンがない').waitFor();
    await look(page, 'qdash-refused-ja');
    await token.fill('rin-of-the-lab-0123456789');
    await page.getByRole('button', { name: 'サインイン', exact: true }).click();
    await page.getByText('demo-64').first().waitFor();
    await page.goto(`${qdash.url}/account`);
    await page.getByRole('heading', { name: 'rin', level: 1 }).waitFor();
    await look(page, 'qdash-account-ja');
  });
});
