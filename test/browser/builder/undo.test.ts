/** Undoing an older turn of the builder: what was written since stays, or is named and asked about. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';
import { seriousFindings, whole } from '../app/browser.ts';
import { describeWithChromium } from '../chromium.ts';
import { startCopilotBrowser, type CopilotBrowser } from '../copilot/copilot-browser.ts';
import { becomes, until } from '../until.ts';

describeWithChromium('undoing an older turn of the builder', () => {
  let chromium: CopilotBrowser;
  let context: BrowserContext;
  let page: Page;
  beforeAll(async () => {
    chromium = await startCopilotBrowser({ demo: true });
    context = await chromium.browser.newContext({ viewport: { width: 1280, height: 860 }, locale: 'en-US' });
    page = await chromium.open('/jobs/new?expert=researcher', { context });
    await whole(page);
  });
  afterAll(() => chromium.close());

  const panel = () => page.getByRole('region', { name: 'Builder', exact: true });
  const turns = () => panel().getByRole('article');
  const description = () => page.getByRole('textbox', { name: 'Short description' });
  const temperature = () => page.getByRole('textbox', { name: 'Temperature as a number' });
  const instructions = () => page.locator('.cm-content').first();
  const text = async () => (await page.locator('.cm-content .cm-line').allInnerTexts()).join('\n');
  const says = (part: string) => becomes(text, expect.stringContaining(part));
  const undo = (turn: number) => turns().nth(turn).getByRole('button', { name: 'Undo this turn' });
  const dialog = () => page.getByRole('dialog', { name: 'Later changes would go, too' });
  const chipsOf = async (turn: number) =>
    (await turns().nth(turn).locator('li:has(> [data-tone])').allInnerTexts()).map((text) =>
      text.replaceAll(/\s+/gu, ' '),
    );
  const tell = async (message: string): Promise<void> => {
    const before = await turns().count();
    const field = panel().getByRole('textbox', { name: 'Message to the builder' });
    await field.fill(message);
    await field.press('Enter');
    await until(async () => (await turns().count()) > before, { what: 'the turn' });
    await until(async () => (await turns().last().getAttribute('aria-busy')) === 'false', {
      what: 'the end of the turn',
    });
  };
  const typeAtEnd = async (line: string): Promise<void> => {
    await instructions().press('Control+End');
    await page.keyboard.type(`\n${line}`);
    await says(line);
  };

  test('keeps the lines that the user typed and what the next turn wrote', async () => {
    await tell('Describe it as By the first turn. Add a section about outliers.');
    await says('Outliers');
    await typeAtEnd('My own line');
    await tell('Set temperature to 0.4. Add a section about drift.');
    await says('My own line');
    await undo(0).click();
    await becomes(() => description().inputValue(), '');
    await becomes(text, expect.not.stringContaining('Outliers'));
    await says('My own line');
    await says('Drift');
    expect(await temperature().inputValue()).toBe('0.4');
    await becomes(() => chipsOf(0), [expect.stringMatching(/undone/u), expect.stringMatching(/undone/u)]);
    expect((await chipsOf(1)).join()).not.toMatch(/undone/u);
    expect(await undo(0).count()).toBe(0);
    expect(await undo(1).count()).toBe(1);
    await panel().getByRole('button', { name: 'Revisions' }).click();
    await page.getByRole('dialog').getByText('You (undid a turn)').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  test('names what lies in the same place, and does nothing unless that is chosen', async () => {
    await temperature().fill('0.9');
    await undo(1).click();
    await dialog().getByText('llm.temperature').waitFor();
    await dialog().locator('del', { hasText: '0.9' }).waitFor();
    await chromium.picture(page, 'builder-overlap');
    expect(await seriousFindings(page)).toEqual([]);
    await dialog().getByRole('button', { name: 'Undo nothing' }).click();
    await dialog().waitFor({ state: 'detached' });
    await says('Drift');
    expect(await temperature().inputValue()).toBe('0.9');
    await undo(1).click();
    await dialog().getByRole('button', { name: 'Undo only the rest' }).click();
    await becomes(text, expect.not.stringContaining('Drift'));
    expect(await temperature().inputValue()).toBe('0.9');
    await says('My own line');
  });

  test('a reviewed turn says how each of its changes was decided about, and is undone too', async () => {
    await panel().getByRole('switch', { name: 'Review changes' }).click();
    await tell('Describe it as Proposed. Add a section about review.');
    const proposal = panel().getByRole('region', { name: 'Proposed changes' });
    await proposal.waitFor();
    await becomes(() => chipsOf(2), [expect.stringMatching(/proposed/u), expect.stringMatching(/proposed/u)]);
    expect(await undo(2).count()).toBe(0);
    await proposal.getByRole('listitem').first().focus();
    await page.keyboard.press('a');
    await until(async () => (await proposal.getByRole('listitem').count()) === 1, { what: 'one part' });
    await page.keyboard.press('r');
    await proposal.waitFor({ state: 'detached' });
    await becomes(async () => (await chipsOf(2)).join(), expect.stringMatching(/accepted/u));
    expect((await chipsOf(2)).join()).toMatch(/rejected/u);
    await becomes(() => description().inputValue(), 'Proposed');
    await undo(2).click();
    await becomes(() => description().inputValue(), '');
    await becomes(async () => (await chipsOf(2)).join(), expect.stringMatching(/undone/u));
    await says('My own line');
  });

  test('says the same in Japanese', async () => {
    const japanese = await chromium.browser.newContext({
      viewport: { width: 1280, height: 860 },
      locale: 'ja-JP',
      storageState: await context.storageState(),
    });
    const other = await chromium.open('/jobs/new?expert=researcher', { context: japanese });
    await other.getByText('取り消し済み').first().waitFor();
    await other.getByText('却下済み').first().waitFor();
    await japanese.close();
    expect(chromium.complaints).toEqual([]);
  });
});
