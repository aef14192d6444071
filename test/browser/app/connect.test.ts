/** How somebody lets an assistant in, and ends it. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '@qpilot/test-support';
import type { Browser, Page } from 'playwright-core';
import { builtClient } from '../../support/built-client.ts';
import { createTestApp, type TestApp } from '../../support/create-test-app.ts';
import { mcp } from '../../support/mcp-client.ts';
import { exchangeOf, form, register, requestOf } from '../../support/oauth.ts';
import { becomeOwner, PASSWORD } from '../../support/people.ts';
import { describeWithChromium, openBrowser } from '../chromium.ts';
import { openTab, seriousFindings } from './browser.ts';

const shots = process.env['QPILOT_SHOTS'];
const look = async (page: Page, name: string): Promise<void> => {
  if (shots !== undefined) await page.screenshot({ path: `${shots}/${name}.png`, fullPage: true });
  expect(await seriousFindings(page)).toEqual([]);
};

describeWithChromium('somebody whose assistant asks to be let in', () => {
  let browser: Browser;
  let it: TestApp;
  let program: Server;
  /** What the program heard, and where it listens. */
  const heard: URL[] = [];
  let callback: string;
  beforeAll(async () => {
    browser = await openBrowser();
    it = await createTestApp({
      demo: true,
      projects: ['other'],
      env: { AUTH_MODE: 'accounts' },
      recheckMs: 100,
      client: await builtClient(),
    });
    await becomeOwner(it);
    program = createServer((request, response) => {
      const url = new URL(request.url ?? '', callback);
      if (url.pathname === '/callback') heard.push(url); // and not the icon that browsers ask for
      response.setHeader('content-type', 'text/html').end('<title>Done</title>You can close this window.');
    });
    await new Promise<void>((resolve) => program.listen(0, '127.0.0.1', resolve));
    callback = `http://127.0.0.1:${(program.address() as AddressInfo).port}/callback`;
  });
  afterAll(async () => {
    await browser.close();
    program.closeAllConnections();
    program.close();
    await it.stop();
  });

  const begin = async (name: string) => {
    const { body } = await register(it.url, {
      client_name: name,
      redirect_uris: ['http://127.0.0.1/callback'],
    });
    return requestOf(String(body['client_id']), it.url, { redirect_uri: callback });
  };
  const signIn = async (
    page: Page,
    names: { readonly email: string; readonly password: string; readonly go: string },
  ) => {
    await page.getByLabel(names.email).fill('owner@lab.example');
    await page.getByRole('textbox', { name: names.password }).fill(PASSWORD);
    await page.getByRole('button', { name: names.go, exact: true }).click();
  };
  const ENGLISH = { email: 'E-mail', password: 'Password', go: 'Sign in' };

  test('signs in, sees who asks and where access goes, gives less than was asked, and ends it', async () => {
    const request = await begin('Claude Code');
    const { page, complaints } = await openTab(browser, `${it.url}/connect?${request.query}`, {
      locale: 'en-US',
    });
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await signIn(page, ENGLISH);
    await page.getByRole('heading', { name: 'Connect an assistant' }).waitFor();
    await page.getByText('“Claude Code” asks to use QPilot for you, Olga.').waitFor();
    await page.getByText(`a program on your own computer (${new URL(callback).host})`).waitFor();
    const allow = page.getByRole('button', { name: 'Allow' });
    // Of two projects somebody has to choose.
    expect(await allow.isDisabled()).toBe(true);
    await page.getByRole('combobox', { name: 'In the project' }).click();
    await page.getByRole('option', { name: 'demo' }).click();
    await look(page, 'connect');
    await page.getByLabel('Ask the copilot for you').uncheck();
    await allow.click();
    await page.getByText('You can close this window.').waitFor();
    const back = heard.at(-1)?.searchParams;
    expect(back?.get('state')).toBe('a state of its own');
    const exchange = { ...exchangeOf(request, back?.get('code') ?? ''), redirect_uri: callback };
    const { body } = await form(it.url, 'token', exchange);
    expect(body['scope']).toBe('read');
    const headers = { authorization: `Bearer ${String(body['access_token'])}` };
    expect((await mcp(it.url, 'tools/list', {}, headers)).status).toBe(200);

    await page.goto(`${it.url}/account`);
    const panel = page.getByRole('region', { name: 'Connected assistants' });
    await panel.getByRole('cell', { name: 'Claude Code', exact: true }).waitFor();
    await look(page, 'assistants');
    // Without a project there is no header to go on from.
    await page.getByRole('link', { name: 'Choose a project' }).waitFor();
    await panel.getByRole('button', { name: 'End Claude Code' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End', exact: true }).click();
    await panel.getByText('None.').waitFor();
    await until(async () => (await mcp(it.url, 'tools/list', {}, headers)).status === 401);
    // The browser logs the 401 that comes before the sign-in.
    expect(complaints.filter((each) => !each.includes('status of 401'))).toEqual([]);
  });

  test('refuses in Japanese on a phone, which the program hears', async () => {
    const request = await begin('研究室のアシスタント');
    const { page } = await openTab(browser, `${it.url}/connect?${request.query}`, {
      locale: 'ja',
      viewport: { width: 390, height: 844 },
    });
    await signIn(page, { email: 'メールアドレス', password: 'パスワード', go: 'サインイン' });
    await page.getByRole('heading', { name: 'アシスタントの接続' }).waitFor();
    await look(page, 'connect-ja');
    await page.getByRole('button', { name: '拒否' }).click();
    await page.getByText('You can close this window.').waitFor();
    expect(heard.at(-1)?.searchParams.get('error')).toBe('access_denied');
  });

  test('sees what is wrong with a request, and is redirected nowhere', async () => {
    const { clientId } = await begin('Claude Code');
    const { query } = requestOf(clientId, it.url, { redirect_uri: 'https://evil.example/' });
    const { page } = await openTab(browser, `${it.url}/connect?${query}`, { locale: 'en-US' });
    await signIn(page, ENGLISH);
    await page.getByRole('alert').getByText('redirect_uri').waitFor();
    expect(new URL(page.url()).pathname).toBe('/connect');
    expect(await page.getByRole('button', { name: 'Allow' }).count()).toBe(0);
  });
});
