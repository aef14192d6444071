/** Pages with lists when the server refuses them or is away, in both languages, and lists that others change. */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { builtClient } from '../../support/built-client.ts';
import { createTestApp, type TestApp } from '../../support/create-test-app.ts';
import { post } from '../../support/graphql-client.ts';
import { becomeOwner, join } from '../../support/people.ts';
import { describeWithChromium, openBrowser } from '../chromium.ts';
import { becomes } from '../until.ts';
import { seriousFindings, whole } from './browser.ts';

const PAGES = [
  '/chips',
  '/alerts',
  '/boards',
  '/jobs',
  '/copilot',
  '/members',
  '/settings',
  '/settings/audit',
  '/search?q=T1',
  '/import',
  '/compare',
];
const ROLE = 'this needs the role admin in the project, and yours is viewer; an admin or owner can change it';
const REFUSED = { data: null, errors: [{ message: ROLE, extensions: { code: 'FORBIDDEN' } }] };
const WORDS = {
  'en-US': { refused: 'Your role does not include this', away: 'The server is not responding' },
  'ja-JP': { refused: 'この内容を見る権限がありません', away: 'サーバー' },
} as const;

describeWithChromium('a page with lists', () => {
  let browser: Browser;
  let it: TestApp;
  let owner: string;
  let vera: string;
  beforeAll(async () => {
    browser = await openBrowser();
    it = await createTestApp({ demo: true, env: { AUTH_MODE: 'accounts' }, client: await builtClient() });
    owner = await becomeOwner(it);
    vera = await join(it.url, owner, { email: 'vera@lab.example', projectId: 'demo', role: 'viewer' });
  });
  afterEach(() => Promise.all(browser.contexts().map((context) => context.close())));
  afterAll(async () => {
    await browser?.close();
    await it?.stop();
  });

  /** A page of somebody, and every error that nobody caught on it. */
  async function pageOf(cookie: string, locale: string): Promise<{ page: Page; thrown: string[] }> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale });
    await context.addCookies(
      cookie.split('; ').map((each) => {
        const at = each.indexOf('=');
        return { name: each.slice(0, at), value: each.slice(at + 1), url: it.url };
      }),
    );
    const page = await context.newPage();
    const thrown: string[] = [];
    page.on('pageerror', (error) => thrown.push(error.stack ?? error.message));
    return { page, thrown };
  }

  test.each(['en-US', 'ja-JP'] as const)(
    'says in words of %s that it is refused, or not there',
    async (locale) => {
      const { page, thrown } = await pageOf(vera, locale);
      let answer: object | null = REFUSED;
      await page.route('**/graphql', (route) =>
        answer === null ? route.abort() : route.fulfill({ json: answer }),
      );
      for (const kind of ['refused', 'away'] as const) {
        answer = kind === 'refused' ? REFUSED : null;
        for (const path of PAGES) {
          await page.goto(`${it.url}/projects/demo${path}`);
          const alert = page.locator('main').getByRole('alert').filter({ hasText: WORDS[locale][kind] });
          await alert.first().waitFor();
          await becomes(() => page.locator('main [aria-busy=true], main .mantine-Skeleton-root').count(), 0);
          const words = (await page.locator('main').getByRole('alert').allTextContents()).join('\n');
          if (locale === 'ja-JP')
            expect([path, kind, words]).toEqual([
              path,
              kind,
              expect.not.stringMatching(/[a-z]+ [a-z]+ [a-z]+/u),
            ]);
        }
      }
      expect(thrown).toEqual([]);
    },
  );

  test('the audit tells a viewer which role it needs', async () => {
    const { page, thrown } = await pageOf(vera, 'ja-JP');
    await page.goto(`${it.url}/projects/demo/settings/audit`);
    await page.getByText('プロジェクトでの権限「管理者」が必要です。あなたの権限は「閲覧者」で').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    if (process.env['QPILOT_SHOTS'])
      await page.screenshot({ path: `${process.env['QPILOT_SHOTS']}/audit-refused-ja.png` });
    expect(thrown).toEqual([]);
  });

  test.each<[string, string, () => Promise<unknown>, string]>([
    [
      'a rule of alerts',
      '/alerts',
      () =>
        post(
          it.url,
          'mutation { saveAlertRule(input: { text: "t1 of any qubit on demo-64 below 2 us", destinationIds: [] }) { __typename } }',
          { headers: { cookie: owner, origin: it.url } },
        ),
      't1 of any qubit on demo-64 below 2 μs',
    ],
    [
      'a board',
      '/boards',
      async () => {
        const made = await post(
          it.url,
          'mutation { createBoard(input: { title: "Morning round" }) { ... on CreateBoardPayload { board { id version } } } }',
          { headers: { cookie: owner, origin: it.url } },
        );
        const { id, version } = (made.data as { createBoard: { board: { id: string; version: number } } })
          .createBoard.board;
        return post(
          it.url,
          'mutation ($input: SaveBoardInput!) { saveBoard(input: $input) { __typename } }',
          {
            variables: {
              input: { boardId: id, version, title: 'Morning round', visibility: 'PROJECT', items: [] },
            },
            headers: { cookie: owner, origin: it.url },
          },
        );
      },
      'Morning round',
    ],
  ])('shows %s that somebody else made, without a reload', async (_what, path, make, shown) => {
    const { page } = await pageOf(vera, 'en-US');
    await page.clock.install();
    await page.goto(`${it.url}/projects/demo${path}`);
    await whole(page);
    expect(await page.getByText(shown).count()).toBe(0);
    await make();
    await page.clock.fastForward(61_000);
    await page.getByText(shown).first().waitFor();
  });
});
