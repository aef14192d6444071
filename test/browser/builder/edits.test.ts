/**
 * What a user sees of edits that the builder makes: here the offline builder, which does what it is told word by
 * word.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';
import { becomes, until } from '../until.ts';
import { describeWithChromium } from '../chromium.ts';
import { seriousFindings, whole } from '../app/browser.ts';
import { startCopilotBrowser, type CopilotBrowser } from '../copilot/copilot-browser.ts';

describeWithChromium('the builder beside the form', () => {
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

  const panel = (of = page) => of.getByRole('region', { name: 'Builder', exact: true });
  const turns = (of = page) => panel(of).getByRole('article');
  const description = (of = page) => of.getByRole('textbox', { name: 'Short description' });
  const instructions = (of = page) => of.locator('.cm-content').first();
  const isDescribed = (words: string, of = page) =>
    until(async () => (await description(of).inputValue()) === words, { what: `the description ${words}` });
  /** Sends a message and waits for the end of its turn. */
  const tell = async (message: string, of = page): Promise<void> => {
    const before = await turns(of).count();
    const field = panel(of).getByRole('textbox', { name: 'Message to the builder' });
    await field.fill(message);
    await field.press('Enter');
    await until(async () => (await turns(of).count()) > before, { what: 'the turn' });
    await until(async () => (await turns(of).last().getAttribute('aria-busy')) === 'false', {
      what: 'the end of the turn',
    });
  };

  test('says what it is for, and whether it may ask the web', async () => {
    await panel().getByText('Web research is off:').waitFor();
    await chromium.picture(page, 'builder-empty');
  });

  test('takes several lines before Enter sends them', async () => {
    const field = panel().getByRole('textbox', { name: 'Message to the builder' });
    const heightOf = async () => (await field.boundingBox())!.height;
    const before = await heightOf();
    await field.focus();
    for (const line of ['Hello', 'and', 'thanks']) {
      await page.keyboard.type(line);
      if (line !== 'thanks') await page.keyboard.press('Shift+Enter');
    }
    await becomes(() => field.inputValue(), 'Hello\nand\nthanks');
    await until(async () => (await heightOf()) > before, { what: 'the higher field' });
    expect(await turns().count()).toBe(0);
    await field.fill('');
  });

  test('every edit is seen where it happens, and said in the conversation', async () => {
    await tell(
      'Describe it as Drift of T1. Set temperature to 0.2. Add a section about outliers. Remove "no such words".',
    );
    await isDescribed('Drift of T1');
    const chips = turns()
      .last()
      .getByRole('listitem')
      .filter({ hasText: /Instructions|Settings|Description/ });
    await until(async () => (await chips.count()) >= 4, { what: 'the chips' });
    await becomes(() => turns().last().innerText(), expect.stringMatching(/text not found/));
    await instructions().getByText('Outliers').waitFor();
    await page.locator('.cm-changedLine').first().waitFor();
    await becomes(() => page.getByRole('button', { name: /^AI/ }).count(), 3);
    await page.getByRole('button', { name: /^AI/ }).last().click();
    await page.getByText('Changed by the builder. Before:').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('Changed by the builder. Before:').waitFor({ state: 'detached' });
    await chromium.picture(page, 'builder-edits');
    expect([await seriousFindings(page), chromium.complaints]).toEqual([[], []]);
  });

  test('marks go one by one, by key and by click', async () => {
    const marks = page.getByRole('button', { name: /^AI/ });
    await marks.last().focus();
    await page.keyboard.press('Escape');
    await until(async () => (await marks.count()) === 2, { what: 'one mark less' });
    await marks.first().click();
    await page.getByRole('button', { name: 'Hide this mark' }).click();
    await until(async () => (await marks.count()) === 1, { what: 'the mark of the instructions' });
  });

  test('what the user types is not marked as a change of the builder', async () => {
    const marks = page.getByRole('button', { name: /^AI/ });
    await description().fill('Typed by hand');
    await page.getByRole('textbox', { name: 'Temperature as a number' }).fill('0.3');
    await instructions().press('Control+Home');
    await page.keyboard.type('Typed by hand.\n');
    await instructions().getByText('Typed by hand.').waitFor();
    expect(await page.locator('.cm-changedLine', { hasText: 'Typed' }).count()).toBe(0);
    await instructions().press('Control+End');
    await becomes(() => page.locator('.cm-changedLine', { hasText: 'Outliers' }).count(), 1);
    expect(await marks.count()).toBe(1);
  });

  test('a chip opens what it changed', async () => {
    await turns()
      .last()
      .getByRole('button', { name: /Settings/ })
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.locator('ins', { hasText: '0.2' }).waitFor();
    await chromium.picture(page, 'builder-diff');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  test('an edit by hand goes along with the next message, and any revision can be gone back to', async () => {
    await description().fill('By hand');
    await tell('Set temperature to 0.5');
    await panel().getByRole('button', { name: 'Revisions' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Builder').first().waitFor();
    await dialog.getByRole('radio', { name: 'From: Revision 1' }).check();
    await dialog.locator('ins', { hasText: 'By hand' }).waitFor();
    await chromium.picture(page, 'builder-revisions');
    await dialog.getByRole('button', { name: /^Restore revision 4$/ }).click();
    await dialog.waitFor({ state: 'detached' });
    await isDescribed('Drift of T1');
    // Going back is the user's doing, too.
    await becomes(() => page.getByRole('button', { name: /^AI/ }).count(), 0);
  });

  test('a turn is undone as a whole, and what was edited by hand since is a revision of its own', async () => {
    await tell('Describe it as Undo me. Set temperature to 0.9.');
    await isDescribed('Undo me');
    await description().fill('Undo me, edited');
    await turns().last().getByRole('button', { name: 'Undo this turn' }).click();
    // The user's words lie on those of the turn: they are named before they go.
    const asked = page.getByRole('dialog', { name: 'Later changes would go, too' });
    await asked.locator('del', { hasText: 'edited' }).first().waitFor();
    await asked.getByRole('button', { name: 'Undo all, and lose these changes' }).click();
    await isDescribed('Drift of T1');
    await panel().getByRole('button', { name: 'Revisions' }).click();
    await page.getByRole('dialog').getByText('You (restored)').first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  test('in review mode each change waits, and is accepted or rejected by key', async () => {
    await panel().getByRole('switch', { name: 'Review changes' }).click();
    await tell('Describe it as Proposed. Set temperature to 0.7. Add a section about review.');
    const proposal = panel().getByRole('region', { name: 'Proposed changes' });
    await proposal.waitFor();
    await becomes(() => description().inputValue(), 'Drift of T1');
    await chromium.picture(page, 'builder-review');
    expect(await seriousFindings(page)).toEqual([]);
    await proposal.getByRole('listitem').first().focus();
    await page.keyboard.press('a');
    await isDescribed('Proposed');
    await until(async () => (await proposal.getByRole('listitem').count()) === 2, { what: 'two parts' });
    await proposal.locator('li:first-child:focus').waitFor();
    await page.keyboard.press('r');
    await until(async () => (await proposal.getByRole('listitem').count()) === 1, { what: 'one part' });
    await proposal.getByRole('button', { name: 'Accept', exact: true }).click();
    await proposal.waitFor({ state: 'detached' });
    expect(await instructions().innerText()).not.toContain('Review');
    await panel().getByRole('switch', { name: 'Review changes' }).click();
  });

  test('form and session that both moved on: the user chooses, and sees the difference', async () => {
    const other = await chromium.open('/jobs/new', { context });
    await whole(other);
    await isDescribed('Proposed', other);
    await until(async () => (await turns(other).count()) === (await turns().count()), {
      what: 'the same turns',
    });
    await description(other).fill('Edited in the other tab');
    await tell('Describe it as Written by the builder');
    const dialog = other.getByRole('dialog', { name: 'The form and the builder have both changed' });
    await dialog.waitFor();
    await dialog.locator('ins', { hasText: 'Edited' }).waitFor();
    await chromium.picture(other, 'builder-stale');
    expect(await seriousFindings(other)).toEqual([]);
    await dialog.getByRole('button', { name: 'Keep mine' }).click();
    await becomes(() => description(other).inputValue(), 'Edited in the other tab');
    await tell('Set temperature to 0.3', other);
    await becomes(() => description(other).inputValue(), 'Edited in the other tab');
    await isDescribed('Edited in the other tab');
    await other.close();
  });

  test('an earlier session is gone on with', async () => {
    await panel().getByRole('button', { name: 'New session' }).click();
    await panel().getByText('Describe what the job should do').waitFor();
    await becomes(() => description().inputValue(), 'Edited in the other tab');
    await panel().getByRole('button', { name: 'Earlier sessions' }).click();
    await page.getByRole('menuitem', { name: /Describe it as Drift of T1/ }).click();
    await until(async () => (await turns().count()) > 3, { what: 'the earlier turns' });
  });

  test('the job is made with the session, which then waits for another job', async () => {
    await page.getByRole('button', { name: 'Start the job' }).click();
    await page.waitForURL(/\/jobs\/(?!new)/);
    await page.goto(
      `${new URL(page.url()).origin}/jobs/new?from=${new URL(page.url()).pathname.split('/').pop()}`,
    );
    await panel()
      .getByRole('button', { name: /Continue this job’s session/ })
      .click();
    await panel().getByText('A job was created from this session.').waitFor();
    await panel().getByRole('button', { name: 'Continue for another job' }).click();
    await panel().getByText('A job was created from this session.').waitFor({ state: 'detached' });
    await description().fill('Edited in the copy');
    await tell('Set temperature to 0.8. Describe it as Written in the copy.');
    await isDescribed('Written in the copy');
    await becomes(() => page.getByRole('textbox', { name: 'Temperature as a number' }).inputValue(), '0.8');
    expect(chromium.complaints).toEqual([]);
  });
});
