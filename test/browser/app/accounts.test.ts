/** From the first link to the last sign-out, as people walk it. */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { builtClient } from '../../support/built-client.ts';
import { createTestApp, type TestApp } from '../../support/create-test-app.ts';
import { post } from '../../support/graphql-client.ts';
import { PASSWORD } from '../../support/people.ts';
import { describeWithChromium, openBrowser } from '../chromium.ts';
import { openTab, seriousFindings, type Tab } from './browser.ts';

/** A code of RFC 6238 for a key in base 32. */
function totp(key: string): string {
  const bits = key
    .replaceAll('=', '')
    .split('')
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  const bytes = Buffer.from(bits.match(/.{8}/gu)!.map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
  const mac = createHmac('sha1', bytes).update(counter).digest();
  const number = mac.readUInt32BE(mac.at(-1)! & 15) & 0x7fff_ffff;
  return String(number % 1_000_000).padStart(6, '0');
}

const shots = process.env['QPILOT_SHOTS'];
const look = async (page: Page, name: string): Promise<void> => {
  if (shots !== undefined) await page.screenshot({ path: `${shots}/${name}.png`, fullPage: true });
  expect(await seriousFindings(page)).toEqual([]);
};

describeWithChromium('an installation with accounts', () => {
  let browser: Browser;
  let it: TestApp;
  let olga: Tab;
  beforeAll(async () => {
    browser = await openBrowser();
    it = await createTestApp({
      demo: true,
      env: { AUTH_MODE: 'accounts' },
      recheckMs: 100,
      client: await builtClient(),
    });
    olga = await openTab(browser, it.app.ownerLink ?? '');
  });
  afterAll(async () => {
    await browser.close();
    await it.stop();
  });

  const click = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  const signIn = async (page: Page, email: string): Promise<void> => {
    await page.getByLabel('E-mail').fill(email);
    await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    await click(page, 'Sign in');
  };

  test('its first owner makes an account and gets to the chips', async () => {
    const { page } = olga;
    await page.getByLabel('Name').fill('Olga');
    await page.getByLabel('E-mail').fill('olga@lab.example');
    await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    await look(page, 'welcome');
    await click(page, 'Make account');
    await page.getByText('demo-64').first().waitFor();
  });

  let link = '';
  test('makes a key, which works, and a link for somebody else', async () => {
    const { page } = olga;
    await page.getByRole('link', { name: 'Account' }).click();
    const keys = page.getByRole('region', { name: 'API keys' });
    await keys.getByLabel('Name').fill('nightly');
    await keys.getByRole('button', { name: 'Make key' }).click();
    const key = await keys.getByRole('status').locator('code').textContent();
    const { data } = await post(it.url, '{ viewer { name role } }', {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(data?.['viewer']).toEqual({ name: 'Olga', role: 'viewer' });
    const people = page.getByRole('region', { name: 'People' });
    await people.getByLabel('E-mail').fill('ed@lab.example');
    await people.getByRole('button', { name: 'Invite' }).click();
    link = (await people.getByRole('status').locator('code').textContent()) ?? '';
    await look(page, 'account');
  });

  test('somebody else follows it, and it leads nowhere afterwards', async () => {
    const { page } = await openTab(browser, link);
    await page.getByLabel('Name').fill('Ed');
    expect(await page.getByLabel('E-mail').inputValue()).toBe('ed@lab.example');
    await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    await click(page, 'Make account');
    await page.getByText('demo-64').first().waitFor();
    const late = await openTab(browser, link);
    await late.page.getByRole('alert').getByText('not valid').waitFor();
  });

  test('whoever is not signed in is led to sign in, and back', async () => {
    const { page } = await openTab(browser, `${it.url}/chips/demo-64?x=1`);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.getByLabel('E-mail').fill('ed@lab.example');
    await page.getByRole('textbox', { name: 'Password' }).fill('a wrong password');
    await click(page, 'Sign in');
    await page.getByRole('alert').waitFor();
    await look(page, 'sign-in');
    await signIn(page, 'ed@lab.example');
    await page.waitForURL('**/chips/demo-64?x=1');
    await page.getByRole('heading', { name: 'demo-64' }).waitFor();
  });

  test('is not led to another site', async () => {
    const { page } = await openTab(
      browser,
      `${it.url}/sign-in?next=${encodeURIComponent('//evil.example/x')}`,
    );
    await signIn(page, 'ed@lab.example');
    await page.waitForURL(`${it.url}/projects/demo/chips/demo-64`);
  });

  test('a second factor is turned on, and asked for at the next sign-in', async () => {
    const { page } = olga;
    const panel = page.getByRole('region', { name: 'Second factor' });
    await panel.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    await panel.getByRole('button', { name: 'Turn on' }).click();
    const key = (await panel.locator('code').first().textContent()) ?? '';
    await panel.getByLabel('Code').fill(totp(key));
    await panel.getByRole('button', { name: 'Confirm' }).click();
    await panel.getByText('On: each sign-in').waitFor();
    await click(page, 'Sign out');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await signIn(page, 'olga@lab.example');
    await page.getByLabel('Code').fill('000000');
    await click(page, 'Sign in');
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Code').fill(totp(key));
    await look(page, 'second-factor');
    await click(page, 'Sign in');
    await page.waitForURL(`${it.url}/projects/demo/chips/demo-64`);
  });

  test('pages of a browser that was signed out elsewhere lead to sign in', async () => {
    const context = olga.page.context();
    const other = await context.newPage();
    await other.goto(`${it.url}/account`);
    await click(other, 'Sign out everywhere');
    await other.getByRole('heading', { name: 'Sign in' }).waitFor();
    // This page watches its chips; nobody touches it.
    await olga.page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });
});
