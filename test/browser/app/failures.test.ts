/** What a reader sees while the server is slow, away, or back again: the way to it is really cut. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { builtClient } from '../../support/built-client.ts';
import { createTestApp, type TestApp } from '../../support/create-test-app.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';
import { describeWithChromium, openBrowser } from '../chromium.ts';
import { openTab, seriousFindings, whole } from './browser.ts';
import { becomes } from '../until.ts';

describeWithChromium('pages without their server', () => {
  let app: TestApp;
  let browser: Browser;
  let way: TcpProxy;
  let page: Page;
  beforeAll(async () => {
    const client = await builtClient();
    [app, browser] = await Promise.all([createTestApp({ demo: true, client }), openBrowser()]);
    way = await startTcpProxy(app.url);
    ({ page } = await openTab(browser, `${way.url}/chips/demo-64/qubits/12`, { locale: 'en-US' }));
    await whole(page);
  });
  beforeEach(async () => {
    way.mend();
    await page.goto(`${way.url}/chips/demo-64`);
    await whole(page);
  });
  afterAll(async () => {
    await browser?.close();
    await way?.close();
    await app?.stop();
  });

  const link = (name: string) => page.getByRole('link', { name, exact: true }).first();
  const alert = (of = page.getByRole('main')) => of.getByRole('alert');
  const noAnswer = 'The server is not responding';

  test('a slow one: the page stands in outline at once, and fills when it answers', async () => {
    way.hold();
    await link('Q45').click();
    await page.waitForURL('**/qubits/45*');
    await page.locator('main [aria-busy=true] .mantine-Skeleton-root').first().waitFor();
    await becomes(() => page.title(), '45 · demo-64 · QPilot');
    way.mend();
    await page.getByRole('heading', { level: 1, name: 'Q45' }).waitFor();
    await whole(page);
  });

  test('one that is away: the page says so under its own name, and can be tried again', async () => {
    way.cut();
    await link('Q45').click();
    await page.getByRole('heading', { level: 1, name: 'demo-64' }).waitFor();
    await alert().getByText(noAnswer).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    way.mend();
    await alert().getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { level: 1, name: 'Q45' }).waitFor();
  });

  test('a panel that could not be read says so alone, and is tried again alone', async () => {
    const panel = page.locator('section', { hasText: 'Distribution' });
    way.cut();
    await page.getByText('Average', { exact: true }).click();
    await alert().getByText(noAnswer).first().waitFor();
    await becomes(() => page.getByRole('region', { name: 'demo-64 Qubits' }).isVisible(), true);
    way.mend();
    await alert().getByRole('button', { name: 'Try again' }).first().click();
    await panel.locator('.js-plotly-plot').waitFor();
    await becomes(() => alert().count(), 0);
  });

  test('what was read before stays to be read', async () => {
    await link('Settings').click();
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    way.cut();
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'demo-64' }).waitFor();
    await page.getByText('Needs attention').waitFor();
  });

  test('a page whose code does not come says that the server is away, and comes when it is back', async () => {
    way.cut();
    await link('Jobs').click();
    await page.getByRole('heading', { level: 1, name: 'This could not be loaded' }).waitFor();
    await alert().getByText(noAnswer).waitFor();
    way.mend();
    await alert().getByRole('button', { name: 'Reload' }).click();
    await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor();
  });
});
