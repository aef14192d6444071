/** What somebody shares, as others see it; comments, members, and what a role may not do. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import type { AnswerTurn } from '../../../src/agent/turn-run.ts';
import { completed, text } from '../../support/activities.ts';
import { builtClient } from '../../support/built-client.ts';
import { createTestApp, type TestApp } from '../../support/create-test-app.ts';
import { becomeOwner, join } from '../../support/people.ts';
import { askIn } from '../copilot/copilot-browser.ts';
import { describeWithChromium, openBrowser } from '../chromium.ts';
import { gatherComplaints } from '../chromium.ts';
import { becomes } from '../until.ts';
import { seriousFindings, wearColors } from './browser.ts';

const answerTurn: AnswerTurn = async ({ session, question, emit, signal }) => {
  if (session.kind === 'JOB') await new Promise((_, reject) => signal.addEventListener('abort', reject));
  emit(text(`The median is 42 μs: ${question.text}`));
  return completed;
};

const shots = process.env['QPILOT_SHOTS'];
const look = async (page: Page, name: string): Promise<void> => {
  for (const colors of ['dark', 'light'] as const) {
    await wearColors(page, colors);
    if (shots !== undefined) await page.screenshot({ path: `${shots}/${name}-${colors}.png` });
    expect(await seriousFindings(page)).toEqual([]);
  }
};

describeWithChromium('a project of several people', () => {
  let browser: Browser;
  let it: TestApp;
  const complaints: string[] = [];
  /** A page of each. */
  let olga: Page;
  let edda: Page;
  let vera: Page;
  beforeAll(async () => {
    browser = await openBrowser();
    const client = await builtClient();
    it = await createTestApp({
      demo: true,
      env: { AUTH_MODE: 'accounts' },
      recheckMs: 100,
      client,
      answerTurn,
    });
    const owner = await becomeOwner(it);
    const invited = { projectId: 'demo' };
    const asEdda = await join(it.url, owner, { ...invited, email: 'edda@lab.example', role: 'editor' });
    await join(it.url, owner, { ...invited, email: 'omar@lab.example', role: 'owner' });
    const asVera = await join(it.url, owner, { ...invited, email: 'vera@lab.example', role: 'viewer' });
    [olga, edda, vera] = (await Promise.all([owner, asEdda, asVera].map(pageOf))) as [Page, Page, Page];
  });
  afterAll(async () => {
    await browser.close();
    await it.stop();
  });

  async function pageOf(cookie: string): Promise<Page> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en-US' });
    const cookies = cookie.split('; ').map((each) => {
      const at = each.indexOf('=');
      return { name: each.slice(0, at), value: each.slice(at + 1), url: it.url };
    });
    await context.addCookies(cookies);
    const page = await context.newPage();
    gatherComplaints(page, complaints);
    return page;
  }
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  let sessionPath = '';

  test('reads a conversation that one of them shares, and cannot change it', async () => {
    await olga.goto(`${it.url}/copilot`);
    await askIn(olga, 'How long is T1?');
    await olga.getByText('The median is 42 μs').first().waitFor();
    await button(olga, 'Share').click();
    await olga.getByRole('radio', { name: 'The project' }).click();
    await button(olga, 'Shared with the project').waitFor();
    await look(olga, 'share');
    await olga.keyboard.press('Escape');
    sessionPath = new URL(olga.url()).pathname;

    await vera.goto(`${it.url}/copilot`);
    const shared = vera.getByRole('region', { name: 'Shared with you' }).first();
    await shared.getByRole('button', { name: 'How long is T1?' }).click();
    await vera.getByText('The median is 42 μs').first().waitFor();
    await vera.getByText('Shared by Olga').waitFor();
    await becomes(async () => vera.getByRole('textbox', { name: 'Message' }).count(), 0);
    for (const name of ['Answer again', 'Edit the question', 'Share'])
      expect([name, await button(vera, name).count()]).toEqual([name, 0]);
    await look(vera, 'shared-reading');
  });

  const said = (page: Page) => page.getByRole('list', { name: 'Comments' }).getByText('Is this right, @edda');
  test('comments on an answer, naming somebody whom @ offers, and others see it at once', async () => {
    await button(vera, 'Comment').click();
    const box = vera.getByLabel('Your comment');
    await box.pressSequentially('Is this right, @ed');
    await vera.getByRole('option', { name: 'edda' }).waitFor();
    await vera.keyboard.press('Enter');
    await becomes(() => box.inputValue(), 'Is this right, @edda ');
    await look(vera, 'comment-writing');
    await button(vera, 'Send comment').click();
    await said(olga).waitFor();
    await look(olga, 'comment');

    await edda.goto(`${it.url}/copilot`);
    await edda
      .getByRole('region', { name: 'You were mentioned' })
      .first()
      .getByRole('button')
      .first()
      .click();
    await said(edda).waitFor();
    expect(await button(edda, 'Delete the comment of vera').count()).toBe(0);
    await button(vera, 'Delete the comment of vera').click();
    await vera.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await becomes(() => said(edda).count(), 0);
  });

  test('loses it when its owner makes it private, and gets it back by a link', async () => {
    await button(olga, 'Shared with the project').click();
    await olga.getByRole('radio', { name: 'Only me' }).click();
    await button(olga, 'Share').waitFor();
    await vera.getByText('This conversation is not there').waitFor();
    await olga.getByRole('radio', { name: 'Members with the link' }).click();
    await button(olga, 'Copy link').waitFor();
    const link = await olga.evaluate(
      async (id) => {
        const response = await fetch('/graphql', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ query: `{ copilotSession(id: "${id}") { shareLink } }` }),
        });
        return ((await response.json()) as { data: { copilotSession: { shareLink: string } } }).data
          .copilotSession.shareLink;
      },
      sessionPath.split('/').at(-1) ?? '',
    );
    await vera.goto(it.url + link);
    await vera.waitForURL(`**${sessionPath}`);
    await vera.getByText('The median is 42 μs').first().waitFor();
    await vera.goto(`${it.url}/shared/AAAAAAAAAAAAAAAAAAAAAA`);
    await vera.getByRole('heading', { name: 'This link leads nowhere' }).waitFor();
    await look(vera, 'link-ended');
  });

  test('reads one answer that is shared alone, asks the same, and loses it when it is private again', async () => {
    await olga.goto(`${it.url}/copilot`);
    await askIn(olga, 'A private matter');
    await olga.getByText('The median is 42 μs: A private matter').first().waitFor();
    await askIn(olga, 'For everybody');
    const turn = olga.getByRole('article', { name: 'For everybody' });
    await turn.getByText('The median is 42 μs: For everybody').waitFor();
    await turn.getByRole('button', { name: 'Share this answer' }).click();
    await olga.getByText('Shares this question and its answer alone').waitFor();
    await olga.getByRole('radio', { name: 'The project' }).click();
    const copy = olga.getByRole('dialog').getByRole('button', { name: 'Copy link' });
    await copy.waitFor();
    await look(olga, 'share-answer');

    await vera.goto(`${it.url}/copilot`);
    const shared = vera.getByRole('region', { name: 'Answers shared with you' }).first();
    await shared.getByRole('link', { name: 'For everybody' }).click();
    await vera.getByRole('heading', { name: 'For everybody' }).waitFor();
    await vera.getByText('The median is 42 μs: For everybody').waitFor();
    await vera.getByText('Shared by Olga').waitFor();
    expect(await vera.getByText('A private matter').count()).toBe(0);
    for (const name of ['Answer again', 'Comment', 'Share this answer'])
      expect([name, await button(vera, name).count()]).toEqual([name, 0]);
    await look(vera, 'shared-answer');
    await button(vera, 'Ask about this yourself').click();
    await becomes(() => vera.getByRole('textbox', { name: 'Message' }).inputValue(), 'For everybody');

    await olga.getByRole('radio', { name: 'Only me' }).click();
    await becomes(() => copy.count(), 0);
    await vera.getByRole('heading', { name: 'This link leads nowhere' }).waitFor();
  });

  test('opens a board by its link', async () => {
    await olga.goto(`${it.url}/boards`);
    const ask = (query: string) =>
      olga.evaluate(async (text) => {
        const response = await fetch('/graphql', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ query: text }),
        });
        return ((await response.json()) as { data: unknown }).data;
      }, query);
    const { createBoard } = (await ask(
      'mutation { createBoard(input: { title: "Night shift" }) { ... on CreateBoardPayload { board { id } } } }',
    )) as { createBoard: { board: { id: string } } };
    const { id } = createBoard.board;
    await olga.goto(`${it.url}/boards/${id}`);
    await button(olga, 'Who may read it: Only me').click();
    await olga.getByRole('menuitem', { name: 'Members with the link' }).click();
    await button(olga, 'Who may read it: Members with the link').click();
    await olga.getByRole('menuitem', { name: 'Copy link' }).waitFor();
    const { board } = (await ask(`{ board(id: "${id}") { shareLink } }`)) as { board: { shareLink: string } };
    await vera.goto(`${it.url}/boards/${id}`);
    expect(await vera.getByRole('heading', { name: 'Night shift' }).count()).toBe(0);
    await vera.goto(it.url + board.shareLink);
    await vera.waitForURL(`**/boards/${id}`);
    await vera.getByRole('heading', { name: 'Night shift' }).waitFor();
    await look(vera, 'board-by-link');
  });

  test('shows people with a lower role which actions they lack', async () => {
    await vera.goto(`${it.url}/jobs`);
    await vera.getByText('Your role in this project is viewer').waitFor();
    expect(await vera.getByRole('link', { name: 'New job' }).count()).toBe(0);
    await vera.goto(`${it.url}/jobs/new`);
    await vera.getByText('Your role in this project is viewer').waitFor();
    await vera.goto(`${it.url}/members`);
    await vera.getByText('Only admins and owners of the project manage its members').waitFor();
    await look(vera, 'members-viewer');
  });

  test('has its members managed by their owner', async () => {
    await olga.goto(`${it.url}/settings`);
    await olga.getByRole('link', { name: 'Members' }).click();
    await olga.getByRole('heading', { name: 'Members of demo' }).waitFor();
    const row = (name: string) => olga.getByRole('row').filter({ hasText: name });
    await row('omar').getByText('The last owner stays.').waitFor();
    await olga.getByRole('combobox', { name: 'Role of vera' }).click();
    await olga.getByRole('option', { name: 'Admin' }).click();
    await becomes(() => olga.getByRole('combobox', { name: 'Role of vera' }).inputValue(), 'Admin');
    await olga.getByLabel('E-mail').fill('nina@lab.example');
    await button(olga, 'Invite').click();
    await button(olga, 'Withdraw the invitation of nina@lab.example').waitFor();
    await look(olga, 'members');
    await button(olga, 'Withdraw the invitation of nina@lab.example').click();
    await olga.getByText('None.').waitFor();
    await button(olga, 'Remove vera from the project').click();
    await olga.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await becomes(() => row('vera').count(), 0);
  });

  test('has budgets of a day set by its owner, which members see', async () => {
    await olga.goto(`${it.url}/members`);
    const set = async (owner: string, limits: Readonly<Record<string, string>>) => {
      await olga.getByRole('combobox', { name: 'For' }).click();
      await olga.getByRole('option', { name: owner }).click();
      for (const [name, value] of Object.entries(limits))
        await olga.getByRole('textbox', { name, exact: true }).fill(value);
      await button(olga, 'Set the budget').click();
      await olga
        .getByRole('row')
        .filter({ has: button(olga, `Edit: ${owner}`) })
        .waitFor();
    };
    await set('The whole project', { Tokens: '2500000', Cost: '20' });
    await set('edda', { 'Answers and phases': '3' });
    const row = (owner: string) =>
      olga
        .getByRole('row')
        .filter({ has: button(olga, `Edit: ${owner}`) })
        .getByRole('cell');
    expect((await row('The whole project').allInnerTexts()).slice(0, 4)).toEqual([
      'The whole project',
      '2,500,000',
      '$20',
      'not set',
    ]);
    expect((await row('edda').allInnerTexts()).slice(0, 4)).toEqual(['edda', 'not set', 'not set', '3']);
    await look(olga, 'budgets');
    await edda.goto(`${it.url}/settings`);
    await edda.getByText('0 of 3, until 00:00 UTC').waitFor();
    await button(olga, 'Remove: edda').click();
    await becomes(() => button(olga, 'Remove: edda').count(), 0);
  });

  test('hands a job over', async () => {
    await olga.goto(`${it.url}/jobs/new`);
    await olga.evaluate(async () => {
      await fetch('/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          query:
            'mutation { createJob(input: { description: "Nightly report", instructions: "x", idempotencyKey: "k" }) { __typename } }',
        }),
      });
    });
    await olga.goto(`${it.url}/jobs`);
    await olga.getByRole('link', { name: 'Nightly report' }).click();
    await button(olga, 'Share').click();
    await olga.getByRole('radio', { name: 'The project' }).click();
    await button(olga, 'Shared with the project').waitFor();
    await olga.keyboard.press('Escape');
    await look(olga, 'job');
    await edda.goto(`${it.url}/jobs`);
    await edda
      .getByRole('list', { name: 'Shared with you' })
      .getByRole('link', { name: 'Nightly report' })
      .click();
    await edda.getByText('Shared by Olga').waitFor();
    expect([await button(edda, 'Cancel').count(), await button(edda, 'Delete').count()]).toEqual([0, 0]);
    await button(olga, 'Hand over').click();
    const dialog = olga.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'To' }).click();
    await olga.getByRole('option', { name: 'edda' }).click();
    await dialog.getByRole('button', { name: 'Hand over' }).click();
    await olga.waitForURL('**/jobs');
    await edda.goto(`${it.url}/jobs`);
    await edda.getByRole('link', { name: 'Nightly report' }).click();
    await button(edda, 'Hand over').waitFor();
    expect(complaints).toEqual([]);
  });
});
