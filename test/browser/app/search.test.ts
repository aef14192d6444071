/** Finding things in a browser: from the palette to the very answer, step and record, by addresses that keep. */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { v4 as uuid } from 'uuid';
import type { Browser, Page } from 'playwright-core';
import type { AnswerTurn } from '../../../src/agent/turn-run.ts';
import { completed, text, toolEnd, toolStart } from '../../support/activities.ts';
import { builtClient } from '../../support/built-client.ts';
import { createTestApp, type TestApp } from '../../support/create-test-app.ts';
import { post } from '../../support/graphql-client.ts';
import { describeWithChromium, openBrowser } from '../chromium.ts';
import { becomes, until } from '../until.ts';
import { openTab, seriousFindings, whole } from './browser.ts';

const answerTurn: AnswerTurn = async ({ question, emit }) => {
  emit(toolStart('looked'));
  emit(toolEnd('looked'));
  emit(text(`re: ${question.text}\n\n${'One line of many.\n\n'.repeat(12)}`));
  return completed;
};

describeWithChromium('search', () => {
  let app: TestApp;
  let browser: Browser;
  let sessionId: string | null = null;
  beforeAll(async () => {
    const client = await builtClient();
    [app, browser] = await Promise.all([createTestApp({ demo: true, client, answerTurn }), openBrowser()]);
    // More turns than a page of a conversation has.
    for (let turn = 0; turn < 18; turn += 1) {
      await ask(turn === 1 ? 'Is <b>Q27</b> 緩和 usable?' : `Question ${turn} of many`);
    }
  });
  afterEach(() => Promise.all(browser.contexts().map((context) => context.close())));
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
  });

  const run = async (query: string, variables: object): Promise<unknown> => {
    const { data, errors } = await post(app.url, query, { variables });
    expect(errors).toEqual([]);
    return Object.values(data ?? {})[0];
  };

  /** Asks in the one conversation, and waits for the answer. */
  async function ask(content: string): Promise<void> {
    const sent = (await run(
      `mutation ($input: SendMessageInput!) { sendMessage(input: $input) { ... on SendMessagePayload { session { id } turn { id } } } }`,
      { input: { content, clientMessageId: uuid(), sessionId } },
    )) as { session: { id: string }; turn: { id: string } };
    sessionId = sent.session.id;
    const { id } = sent.turn;
    const status = async () =>
      (
        (await run('query ($id: ID!) { node(id: $id) { ... on Turn { status } } }', { id })) as {
          status: string;
        }
      ).status;
    await until(async () => (await status()) === 'COMPLETED', { what: 'the answer' });
  }

  const open = async (path: string, options = {}) => {
    const tab = await openTab(browser, app.url + path, options);
    await whole(tab.page);
    return tab;
  };
  const focused = (page: Page): Promise<unknown> =>
    page.evaluate('document.activeElement.closest("article")?.getAttribute("aria-label") ?? null');

  test('a name and Enter at once lead to the qubit, though the qubits are still on their way', async () => {
    const { page } = await open('/settings');
    const held = Promise.withResolvers<void>();
    await page.route('**/graphql', async (route, request) => {
      if (request.postData()?.includes('"chipId":"demo-64"')) await held.promise;
      await route.continue();
    });
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Go to' }).waitFor();
    await page.keyboard.type('q27');
    await page.getByRole('option', { name: 'Search all for “q27”' }).waitFor();
    await page.keyboard.press('Enter');
    held.resolve();
    await page.waitForURL('**/chips/demo-64/qubits/27');
  });

  test('from the palette to the very answer, however long ago it was, and back by its link', async () => {
    const { page, complaints } = await open('/chips/demo-64', {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Go to' }).waitFor();
    await page.keyboard.type('q027 緩和');
    await page.getByRole('option', { name: 'Search all for “q027 緩和”' }).waitFor();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/search?q=q027+*');
    const hits = page.getByRole('region', { name: 'Conversations, jobs and boards' }).getByRole('listitem');
    await becomes(() => hits.first().locator('mark').allTextContents(), ['Q27', '緩和']);
    expect(await hits.filter({ hasText: 'Is <b>Q27</b> 緩和 usable?' }).count()).toBeGreaterThan(0); // as it was written
    await whole(page);
    expect(await seriousFindings(page)).toEqual([]);
    await hits.filter({ hasText: 'Is <b>' }).getByRole('link').first().click();
    await page.waitForURL(`**/copilot/${sessionId}?turn=*`);
    await becomes(() => focused(page), 'Is <b>Q27</b> 緩和 usable?');
    const turn = page.getByRole('article', { name: 'Is <b>Q27</b>' });
    await becomes(async () => {
      const box = await turn.boundingBox();
      return box !== null && box.y > 0 && box.y < 400;
    }, true);
    expect(await seriousFindings(page)).toEqual([]);

    await turn.getByRole('button', { name: 'Copy a link to this' }).last().click();
    await becomes(() => page.evaluate('navigator.clipboard.readText()'), page.url());
    await turn.getByRole('button', { name: '1 step' }).click();
    await turn.getByRole('listitem').getByRole('button', { name: 'Copy a link to this' }).click();
    await becomes(() => page.evaluate('navigator.clipboard.readText()'), `${page.url()}&step=looked`);
    await page.goto(`${page.url()}&step=looked`);
    await turn.getByRole('region', { name: 'Arguments' }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('what is looked for stands in the address, and comes from there', async () => {
    const { page, complaints } = await open('/search?q=many&kind=question&until=2999-01-01');
    const kinds = () => page.locator('main li .mantine-Badge-root').allTextContents();
    await becomes(async () => new Set(await kinds()), new Set(['Question']));
    expect(await kinds()).toHaveLength(17);
    await page.getByRole('searchbox', { name: 'Words to find' }).fill('nowhere at all');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/search?q=nowhere+at+all&kind=question&until=2999-01-01');
    await page.getByText('Nothing was found.').waitFor();
    await page.goto(`${app.url}/search?q=many&kind=answer`);
    await becomes(async () => new Set(await kinds()), new Set(['Answer']));
    expect(complaints).toEqual([]);
  });

  test('a record is found, and its address leads to it on the page of its qubit', async () => {
    const { page, complaints } = await open('/search?q=CheckT1+Q27&kind=result', { locale: 'ja' });
    const hits = page.getByRole('region', { name: 'ラボのノートと測定結果' }).getByRole('link');
    await becomes(async () => (await hits.count()) > 2, true);
    await hits.nth(2).click();
    await page.waitForURL('**/chips/demo-64/qubits/27?record=*');
    await page.getByRole('region', { name: 'リンクの記録' }).getByText('CheckT1', { exact: true }).waitFor();
    await whole(page);
    expect(await seriousFindings(page)).toEqual([]);
    await page.goto(`${app.url}/records/none-such`);
    await page.getByRole('heading', { name: 'この記録はありません' }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('a board, and what was said to the builder, open where they are', async () => {
    const board = (await run(
      `mutation ($input: CreateBoardInput!) { createBoard(input: $input) { ... on CreateBoardPayload { board { id } } } }`,
      { input: { title: 'Thulium corner' } },
    )) as { board: { id: string } };
    await run(
      `mutation ($input: SendBuilderMessageInput!) { sendBuilderMessage(input: $input) { ... on SendBuilderMessagePayload { session { id } } } }`,
      {
        input: {
          content: 'Mention thulium first',
          clientMessageId: uuid(),
          artifacts: { instructions: 'Measure.', config: {} },
        },
      },
    );
    const { page, complaints } = await open('/search?q=thulium');
    const hits = page.getByRole('region', { name: 'Conversations, jobs and boards' });
    await hits.getByRole('link', { name: 'Thulium corner' }).click();
    await page.waitForURL(`**/boards/${board.board.id}`);
    await page.getByRole('heading', { name: 'Thulium corner' }).waitFor();
    await page.goto(`${app.url}/search?q=thulium&kind=builder`);
    await hits.getByRole('link').first().click();
    await page.waitForURL('**/jobs/new?builder=*');
    await page.getByText('Mention thulium first').first().waitFor();
    expect(complaints).toEqual([]);
  });
});
