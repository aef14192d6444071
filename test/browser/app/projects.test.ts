/** Two people in two projects, one in both and one in one of them, as they choose, change and follow each other's links. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { builtClient } from '../../support/built-client.ts';
import { createTestApp, type TestApp } from '../../support/create-test-app.ts';
import { becomeOwner, join, PASSWORD } from '../../support/people.ts';
import { chipDocument, entityDocument, parameter, t1Result } from '../../support/qdash-database.ts';
import { completed, text } from '../../support/activities.ts';
import { askIn } from '../copilot/copilot-browser.ts';
import { describeWithChromium, gatherComplaints, openBrowser } from '../chromium.ts';
import { becomes } from '../until.ts';
import { seriousFindings, whole } from './browser.ts';

const IN = (project_id: string) => ({ project_id });
const OF_FAB = {
  chip: ['second', 'third'].map((id) => chipDocument(id === 'second' ? 'C1' : 'secret', IN(id))),
  qubit: ['0', '1'].map((qid) => entityDocument('C1', qid, { t1: parameter(40) }, IN('second'))),
  task_result_history: [t1Result('C1', '0', '2026-05-19T20:00:00Z', 40, IN('second'))],
};
const NAMES = { demo: 'Demonstration', second: '超伝導量子ビット試作ライン', third: 'Secret works' };

const shots = process.env['QPILOT_SHOTS'];
const look = async (page: Page, name: string): Promise<void> => {
  expect(await seriousFindings(page)).toEqual([]);
  if (shots !== undefined) await page.screenshot({ path: `${shots}/projects-${name}.png` });
};

describeWithChromium('two people in two projects', () => {
  let browser: Browser;
  let it: TestApp;
  const complaints: string[] = [];
  /** Bea is in both projects, Carl in the second alone. */
  let bea: BrowserContext;
  let page: Page;
  let carl: Page;
  beforeAll(async () => {
    browser = await openBrowser();
    it = await createTestApp({
      demo: true,
      projects: ['second', 'third'],
      documents: OF_FAB,
      env: { AUTH_MODE: 'accounts' },
      recheckMs: 100,
      client: await builtClient(),
      answerTurn: async ({ emit }) => {
        emit(text('The median is 42 μs.'));
        return completed;
      },
    });
    await nameProjects(it);
    const owner = await becomeOwner(it);
    const invite = (email: string, projectId: string) =>
      join(it.url, owner, { email, projectId, role: 'editor' });
    const asBea = await invite('bea@lab.example', 'demo');
    const asCarl = await invite('carl@lab.example', 'second');
    await addMember(owner, 'second', asBea);
    bea = await contextOf(asBea);
    page = await tabOf(bea);
    carl = await tabOf(await contextOf(asCarl));
  });
  afterAll(async () => {
    await browser?.close();
    await it?.stop();
  });

  async function contextOf(cookie: string, options = {}): Promise<BrowserContext> {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 900 },
      locale: 'en-US',
      ...options,
    });
    const cookies = cookie.split('; ').map((each) => {
      const at = each.indexOf('=');
      return { name: each.slice(0, at), value: each.slice(at + 1), url: it.url };
    });
    await context.addCookies(cookies);
    return context;
  }
  async function tabOf(context: BrowserContext): Promise<Page> {
    const tab = await context.newPage();
    gatherComplaints(tab, complaints);
    return tab;
  }
  async function addMember(owner: string, project: string, cookie: string): Promise<void> {
    const me = await fetch(`${it.url}/auth/me`, { headers: { cookie } });
    const { person } = (await me.json()) as { person: { id: string } };
    const answer = await fetch(`${it.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: owner, 'x-project-id': project, origin: it.url },
      body: JSON.stringify({
        query: `mutation { setMember(input: { userId: "${person.id}", role: VIEWER }) { __typename } }`,
      }),
    });
    expect(await answer.json()).toEqual({ data: { setMember: { __typename: 'SetMemberPayload' } } });
  }
  const pathOf = (tab: Page): string => new URL(tab.url()).pathname;
  /** Whether the header names the project, all of it is within the screen, and each of its links on one line. */
  const headerOf = (tab: Page) =>
    tab.evaluate(`(() => {
      const boxes = [...document.querySelectorAll('header a, header button')]
        .map((each) => each.getBoundingClientRect()).filter(({ width }) => width > 0);
      const menu = document.querySelector('header button[aria-haspopup=menu]');
      return { isNamed: innerWidth < 368 || menu.getBoundingClientRect().width >= 84, isWhole: boxes.every(({ left, right }) => left >= 0 && right <= innerWidth),
        lines: Math.ceil(Math.max(...boxes.map(({ height }) => height)) / 40) };
    })()`);
  const menu = (tab: Page) => tab.getByRole('banner').getByRole('button', { name: /Project: / });
  const heading = (tab: Page, name: string | RegExp) => tab.getByRole('heading', { name }).first().waitFor();

  test('the first time somebody with two is asked, by their names, and those of others are not named', async () => {
    await page.goto(it.url);
    await heading(page, 'Choose a project');
    await look(page, 'chooser');
    expect(await page.getByRole('main').getByRole('link').allTextContents()).toEqual([
      'QPilot',
      NAMES.demo,
      NAMES.second,
    ]);
    await page.getByRole('link', { name: NAMES.demo }).click();
    await page.waitForURL('**/projects/demo/chips/demo-64');
    await heading(page, 'demo-64');
    await becomes(() => menu(page).textContent(), NAMES.demo);
    await whole(page);
    await look(page, 'header');
  });

  test('somebody with one is not asked, and sees its name', async () => {
    await carl.goto(it.url);
    await carl.waitForURL('**/projects/second/chips/C1');
    await carl.getByRole('banner').getByText(NAMES.second).waitFor();
    expect(await menu(carl).count()).toBe(0);
  });

  test('the header changes the project, and another tab stays in its own', async () => {
    const other = await tabOf(bea);
    await other.goto(page.url());
    await heading(other, 'demo-64');
    await page.goto(`${it.url}/projects/demo/boards`);
    await menu(page).click();
    await page.getByRole('menuitem', { name: NAMES.second }).waitFor();
    await look(page, 'menu');
    await page.getByRole('menuitem', { name: NAMES.second }).click();
    await page.waitForURL('**/projects/second/boards');
    await page.getByRole('banner').getByRole('link', { name: 'Chips' }).click();
    await page.waitForURL('**/projects/second/chips/C1');
    await heading(page, 'C1');
    expect(await page.getByText('demo-64').count()).toBe(0);

    await other.getByRole('banner').getByRole('link', { name: 'Chips' }).click();
    await heading(other, 'demo-64');
    await other.reload();
    await heading(other, 'demo-64');
    await becomes(() => menu(other).textContent(), NAMES.demo);
    await other.close();
  });

  test('what is written and was looked at last is of its project', async () => {
    await page.goto(`${it.url}/projects/second/copilot`);
    const box = page.getByRole('textbox', { name: 'Message' });
    await box.fill('About the second');
    await page.goto(`${it.url}/projects/demo/copilot`);
    await becomes(() => box.inputValue(), '');
    await box.fill('About the demo');
    await page.goto(`${it.url}/projects/second/copilot`);
    await becomes(() => box.inputValue(), 'About the second');
    await box.fill('');
    await page.goto(`${it.url}/projects/second/chips/C1`);
    await heading(page, 'C1');
    await page.goto(`${it.url}/projects/demo/jobs/new`);
    await whole(page);
    await becomes(() => page.getByRole('combobox', { name: 'Chip' }).inputValue(), 'demo-64');
  });

  let conversation = '';
  test('answers come in the project of their tab, though another tab works in another', async () => {
    const second = await tabOf(bea);
    await second.goto(`${it.url}/projects/second/copilot`);
    await page.goto(`${it.url}/projects/demo/copilot`);
    for (const tab of [page, second]) {
      await askIn(tab, 'How long is T1?');
      await tab.getByText('The median is 42 μs.').first().waitFor();
    }
    expect(pathOf(page)).toMatch(/^\/projects\/demo\/copilot\/./u);
    conversation = pathOf(second).slice('/projects/second'.length);
    await bea.grantPermissions(['clipboard-read', 'clipboard-write']);
    await second.getByRole('button', { name: 'Copy a link to this' }).first().click();
    await becomes(
      async () => String(await second.evaluate('navigator.clipboard.readText()')).split('?')[0],
      `${it.url}/projects/second${conversation}`,
    );
    await second.close();
  });

  test('a link of a colleague opens in its project, and the header follows', async () => {
    await carl.getByRole('banner').getByRole('link', { name: 'Chips' }).click();
    await carl.goto(`${it.url}/projects/second/chips/C1/qubits/1`);
    await heading(carl, /1/u);
    await page.goto(`${it.url}/projects/demo/chips`);
    await page.goto(carl.url());
    await heading(page, /1/u);
    await becomes(() => menu(page).textContent(), NAMES.second);
    expect(await page.getByText('not found').count()).toBe(0);
  });

  test.each([
    ['a chip', '/chips/C1', '/projects/second/chips/C1'],
    ['a qubit', '/chips/C1/qubits/1?parameter=t1', '/projects/second/chips/C1/qubits/1'],
    ['a page of all projects', '/alerts', '/projects/demo/alerts'],
    ['what is nowhere', '/chips/nothing', '/projects/demo/chips/nothing'],
  ])('an old link to %s opens where that is, else in the project of last time', async (_what, old, found) => {
    await page.goto(`${it.url}/projects/demo/settings`);
    await heading(page, 'Settings');
    await page.goto(it.url + old);
    await page.waitForURL(`**${found}*`);
    await whole(page);
  });

  test('an old link to a conversation opens where that is', async () => {
    await page.goto(`${it.url}/projects/demo/settings`);
    await heading(page, 'Settings');
    await page.goto(it.url + conversation);
    await page.waitForURL(`**/projects/second${conversation}`);
    await page.getByText('The median is 42 μs.').first().waitFor();
  });

  test('one of a project that is not theirs says so, and not whether there is one', async () => {
    const said: string[] = [];
    for (const project of ['third', 'nowhere']) {
      await page.goto(`${it.url}/projects/${project}/chips/secret`);
      await heading(page, 'Not one of your projects');
      said.push(String(await page.getByRole('main').textContent()).replaceAll(project, 'X'));
    }
    expect(said[0]).toBe(said[1]);
    expect(said[0]).not.toContain(NAMES.third);
    await look(page, 'not-mine');
    await page.getByRole('link', { name: NAMES.second }).click();
    await page.waitForURL('**/projects/second/chips/C1');
  });

  test('whoever signs out and in again is where they were; others begin with their own', async () => {
    await page.goto(`${it.url}/projects/second/account`);
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.waitForURL('**/sign-in');
    const signIn = async (email: string): Promise<void> => {
      await page.getByLabel('E-mail').fill(email);
      await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    };
    await signIn('bea@lab.example');
    await page.waitForURL('**/projects/second/chips/C1');
    await page.goto(`${it.url}/projects/demo/chips`);
    await heading(page, 'demo-64');
    await page.goto(`${it.url}/projects/demo/account`);
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.waitForURL('**/sign-in');
    await page.goto(`${it.url}/projects/demo/chips/demo-64`);
    await signIn('carl@lab.example');
    await heading(page, 'Not one of your projects');
    expect(await page.getByText(NAMES.demo).count()).toBe(0);
  });

  test('a phone and a reader of Japanese see the same', async () => {
    const small = await browser.newContext({
      viewport: { width: 390, height: 844 },
      locale: 'ja-JP',
      isMobile: true,
    });
    const phone = await tabOf(small);
    await phone.goto(it.url);
    await phone.getByLabel('メールアドレス').fill('bea@lab.example');
    await phone.getByRole('textbox', { name: 'パスワード' }).fill(PASSWORD);
    await phone.getByRole('button', { name: 'サインイン', exact: true }).click();
    await heading(phone, 'プロジェクトを選んでください');
    await look(phone, 'chooser-phone-ja');
    await phone.getByRole('link', { name: NAMES.second }).click();
    await phone.waitForURL('**/projects/second/chips/C1');
    await whole(phone);
    expect(await headerOf(phone)).toEqual({ isNamed: true, isWhole: true, lines: 1 });
    await look(phone, 'header-phone-ja');
    await phone.goto(`${it.url}/projects/third/chips`);
    await heading(phone, '参加していないプロジェクトです');
    await look(phone, 'not-mine-phone-ja');
    await phone.setViewportSize({ width: 1280, height: 900 });
    await phone.goto(`${it.url}/projects/second/alerts`);
    await whole(phone);
    await look(phone, 'header-ja');
    for (const width of [320, 800, 1000, 1200]) {
      await phone.setViewportSize({ width, height: 900 });
      await look(phone, `header-${width}-ja`);
      expect([width, await headerOf(phone)]).toEqual([width, { isNamed: true, isWhole: true, lines: 1 }]);
    }
    expect(complaints).toEqual([]);
  });
});

/** As a lab names its projects. */
async function nameProjects({ environment }: TestApp): Promise<void> {
  const client = await MongoClient.connect(environment['MONGODB_URI'] ?? '');
  try {
    for (const [project_id, name] of Object.entries(NAMES))
      await client
        .db(environment['MONGODB_DB'])
        .collection('project')
        .updateOne({ project_id }, { $set: { name } });
  } finally {
    await client.close();
  }
}
