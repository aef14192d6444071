/** Turns of the builder that take their time: who is locked out meanwhile, and what frees the form. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';
import { startModelServer, type ModelServer, type Reply } from '../../support/model-server.ts';
import { startTcpProxy } from '../../support/tcp-proxy.ts';
import { becomes, until } from '../until.ts';
import { bodyOf, type Said } from '../../support/wire-bodies.ts';
import { describeWithChromium } from '../chromium.ts';
import { seriousFindings, whole } from '../app/browser.ts';
import { startCopilotBrowser, type CopilotBrowser } from '../copilot/copilot-browser.ts';

/** A response that says its parts and then nothing more, without an end. */
function stalls(...parts: readonly Said[]): Reply {
  const body = bodyOf('responses', [...parts, { text: 'never said' }]);
  return { body, cut: { at: body.slice(0, body.indexOf('never said')).lastIndexOf('data: '), how: 'stall' } };
}
/** Answers as a model does that cannot call tools. */
const talks = (request: Readonly<Record<string, unknown>> | undefined): Reply =>
  request?.['tools'] === undefined
    ? { body: bodyOf('responses', [{ text: 'I can change nothing here.' }]) }
    : { status: 400, error: { message: 'any-model does not support tools' } };
const describe = (content: string): Said => ({
  call: ['c_1', 'update_description', JSON.stringify({ content })],
});

/** Whether a page asks for the session of its form, and not for more. */
const isSessionRead = (body: string | null): boolean => body?.includes('"jobId":null') === true;

describeWithChromium('a turn of the builder that takes its time', () => {
  let model: ModelServer;
  let hasTools = true;
  let chromium: CopilotBrowser;
  let context: BrowserContext;
  let page: Page;
  beforeAll(async () => {
    model = await startModelServer((index) =>
      hasTools
        ? stalls({ text: 'Let me **see**. ' }, describe('Written slowly'))
        : talks(model.requests[index]),
    );
    chromium = await startCopilotBrowser({
      demo: true,
      env: { OPENAI_BASE_URL: model.baseUrl, OPENAI_API: 'responses', BUILDER_MODEL: 'any-model' },
    });
  });
  beforeEach(async () => {
    hasTools = true;
    context = await chromium.browser.newContext({
      viewport: { width: 1280, height: 860 },
      locale: 'en-US',
      reducedMotion: 'reduce',
    });
    page = await open();
  });
  afterEach(() => context.close());
  afterAll(async () => {
    await chromium.close();
    await model.close();
  });

  const open = async (): Promise<Page> => {
    const opened = await chromium.open('/jobs/new', { context });
    await whole(opened);
    return opened;
  };
  const panel = (of: Page) => of.getByRole('region', { name: 'Builder', exact: true });
  const field = (of: Page) => panel(of).getByRole('textbox', { name: 'Message to the builder' });
  const description = (of: Page) => of.getByRole('textbox', { name: 'Short description' });
  const isDescribed = (of: Page, words: string) =>
    until(async () => (await description(of).inputValue()) === words, {
      what: words,
    });
  const isLocked = (of: Page, locked: boolean) =>
    until(async () => (await description(of).isEditable()) !== locked, {
      what: `locked: ${locked}`,
    });
  const begin = async (): Promise<void> => {
    await description(page).fill('By hand');
    await field(page).fill('Write it slowly');
    await field(page).press('Enter');
    await isDescribed(page, 'Written slowly');
  };
  const stop = (of: Page) => panel(of).getByRole('button', { name: 'Stop the builder' }).click();

  test('shows its words and edits at once, and locks the form in every tab until it is stopped', async () => {
    await begin();
    await panel(page).locator('strong', { hasText: 'see' }).waitFor();
    const other = await chromium.open('/jobs/new', { context });
    await isDescribed(other, 'Written slowly');
    await Promise.all([isLocked(page, true), isLocked(other, true)]);
    await field(other).fill('Typed meanwhile');
    await field(other).press('Enter');
    await becomes(() => field(other).inputValue(), 'Typed meanwhile');
    await becomes(() => page.getByRole('button', { name: 'Start the job' }).isDisabled(), true);
    await chromium.picture(page, 'builder-locked');
    expect(await seriousFindings(page)).toEqual([]);
    await stop(other);
    await Promise.all([isLocked(page, false), isLocked(other, false)]);
    await panel(page).getByText('Stopped.', { exact: true }).waitFor();
    await isDescribed(page, 'Written slowly');
    await panel(page).getByRole('button', { name: 'Undo this turn' }).click();
    await isDescribed(page, 'By hand');
  });

  test('goes on after a reload in its middle, with the same words, edits, marks and lock', async () => {
    await begin();
    await page.reload();
    await panel(page).locator('strong', { hasText: 'see' }).waitFor();
    await panel(page)
      .getByRole('button', { name: /Description.*revision 1 → 2/ })
      .waitFor();
    await becomes(() => panel(page).getByRole('article').count(), 1);
    await isLocked(page, true);
    await isDescribed(page, 'Written slowly');
    await page.getByRole('button', { name: /^AI/ }).click();
    await page.locator('del', { hasText: 'hand' }).waitFor();
    await page.keyboard.press('Escape');
    await stop(page);
    await isLocked(page, false);
  });

  test('goes on when its connection was cut, which is said meanwhile', async () => {
    const proxy = await startTcpProxy(chromium.app.url);
    try {
      const cut = await chromium.open('/jobs/new', { context, url: proxy.url });
      await whole(cut);
      await field(cut).fill('Write it slowly');
      await field(cut).press('Enter');
      await isDescribed(cut, 'Written slowly');
      proxy.cut();
      await panel(cut).getByText('Reconnecting').waitFor();
      await field(cut).fill('Typed without a connection');
      proxy.mend();
      await panel(cut).getByText('Reconnecting').waitFor({ state: 'detached' });
      await isLocked(cut, true);
      await stop(cut);
      await isLocked(cut, false);
      await becomes(() => field(cut).inputValue(), 'Typed without a connection');
      await isDescribed(cut, 'Written slowly');
    } finally {
      await proxy.close();
    }
  });

  test('leaves each of two tabs what was typed in it, also over a reload', async () => {
    const other = await open();
    await description(page).fill('Typed here');
    await description(other).fill('Typed there');
    await Promise.all([page.reload(), other.reload()]);
    await Promise.all([isDescribed(page, 'Typed here'), isDescribed(other, 'Typed there')]);
  });

  test('is followed by a tab that was opened while the session went on, with nothing to choose', async () => {
    await begin();
    await stop(page);
    await isLocked(page, false);
    const other = await context.newPage();
    const asked = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    await other.route('**/graphql', async (route) => {
      if (isSessionRead(route.request().postData())) {
        asked.resolve();
        await held.promise;
      }
      await route.continue();
    });
    await other.goto(page.url());
    await asked.promise;
    await isDescribed(other, 'Written slowly');
    await panel(page).getByRole('button', { name: 'Undo this turn' }).click();
    await isDescribed(page, 'By hand');
    held.resolve();
    await isDescribed(other, 'By hand');
    await becomes(() => other.getByRole('dialog').count(), 0);
  });

  test('talks where its model cannot call tools, and says so, also after a reload', async () => {
    hasTools = false;
    await field(page).fill('Set the temperature to 0.2');
    await field(page).press('Enter');
    const notices = panel(page).getByRole('list', { name: 'How this answer was produced' });
    await becomes(
      () => notices.allInnerTexts(),
      [
        'any-model cannot call tools; choose a model that can; until then it answers from what it knows by itself',
      ],
    );
    await panel(page).getByRole('article').getByText('I can change nothing here.').waitFor();
    await isLocked(page, false);
    await page.reload();
    await notices.waitFor();
  });

  test('frees the form when the server restarts in its middle', async () => {
    await begin();
    await chromium.app.restart();
    await isLocked(page, false);
    await panel(page).getByText('The answer was cut off').waitFor();
    await isDescribed(page, 'Written slowly');
  });
});
