/** What a reader gets of a question to the offline analyst about the demo chip. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { words as englishWords } from '../../../client/lib/i18n/en/words.ts';
import { words as japaneseWords } from '../../../client/lib/i18n/ja/words.ts';
import { textsOf } from '../../support/catalogue-words.ts';
import { becomes, until } from '../until.ts';
import { seriousFindings } from '../app/browser.ts';
import { describeWithChromium } from '../chromium.ts';
import { askIn, startCopilotBrowser, type CopilotBrowser } from './copilot-browser.ts';

describeWithChromium('the copilot in a browser', () => {
  let copilot: CopilotBrowser;
  let page: Page;
  beforeAll(async () => {
    copilot = await startCopilotBrowser({ demo: true });
    page = await copilot.open('/copilot');
  });
  afterAll(() => copilot?.close());

  const answers = () => page.getByRole('article');

  test('greets, suggests, and has nothing that shuts people out', async () => {
    await page.getByRole('heading', { name: 'What would you like to know?' }).waitFor();
    await copilot.picture(page, 'greeting');
    await page.getByRole('group', { name: 'Suggested questions' }).getByRole('button').nth(2).waitFor();
  });

  test('answers with text, steps, a chart, a table, sources and freshness', async () => {
    await askIn(page, 'Show a heatmap of T1 on demo-64');
    const answer = answers().last();
    await answer.getByRole('button', { name: 'Answer again' }).waitFor();
    await answer.locator('section').first().scrollIntoViewIfNeeded(); // it is drawn when it is looked at
    await answer.locator('.js-plotly-plot').first().waitFor();
    await copilot.picture(page, 'answer');
    expect(page.url()).toMatch(/\/copilot\/[\w-]+$/);
    await becomes(() => answer.innerText(), expect.stringMatching(/stored results: /));
    const steps = answer.getByRole('button', { name: /step/ });
    expect(await steps.innerText()).toMatch(/^\d steps? · [\d.]+m?s$/u);
    await steps.click();
    const step = answer.getByRole('listitem').first();

    await step.getByRole('img', { name: 'Done' }).waitFor();
    await becomes(
      () => step.innerText(),
      expect.stringMatching(
        /^Generating chip heatmap\nstored results\n[\d.]+m?s\s+t1 over demo-64\s+T1 of 64 of 64 qubits/u,
      ),
    );
    await answer.getByRole('button', { name: 'Show arguments and result' }).first().click();
    await answer.getByRole('region', { name: 'Result' }).getByText('t1').first().waitFor();
    await copilot.picture(page, 'steps');
    await answer.locator('[data-number]').first().focus();
    await becomes(
      () => page.getByRole('tooltip').first().innerText(),
      expect.stringMatching(/result|from you/),
    );
  });

  test('looks the same after a reload', async () => {
    const look = async () => {
      const answer = answers().last();
      await answer.getByRole('button', { name: 'Answer again' }).waitFor();
      await answer.locator('section').first().scrollIntoViewIfNeeded();
      await answer.locator('.js-plotly-plot').first().waitFor();
      const steps = answer.getByRole('button', { name: /step/ });
      if ((await steps.getAttribute('aria-expanded')) === 'true') {
        await steps.click();
        await answer
          .getByText(/rguments and result/)
          .first()
          .waitFor({ state: 'hidden' });
      }
      return (await answer.innerText()).replaceAll(/\s+/g, ' ');
    };
    const before = await look();
    await page.reload();
    const steps = page.getByRole('button', { name: /step/ });
    await becomes(() => steps.last().getAttribute('aria-expanded'), 'false');
    expect(await look()).toBe(before);
  });

  test('edits a question beside the old one, and switches between them', async () => {
    await page.getByRole('button', { name: 'Edit the question' }).last().click();
    await page
      .getByRole('textbox', { name: 'Edit the question' })
      .fill('Which qubits of demo-64 have the best T1?');
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.getByText('2 of 2').waitFor();
    await page.getByRole('button', { name: 'Answer again' }).last().waitFor();
    await copilot.picture(page, 'branch');
    await page.getByRole('button', { name: 'Earlier version' }).click();
    await page.getByText('1 of 2').waitFor();
    await page.getByText('Show a heatmap of T1 on demo-64').first().waitFor();
  });

  test('retries, disputes and rates', async () => {
    await page.getByRole('button', { name: 'Answer again' }).last().click();
    await page.getByText('3 of 3').waitFor();
    await page.getByRole('button', { name: 'These numbers look wrong' }).last().click();
    await page.getByRole('button', { name: 'Compare with live values' }).click();
    await page.getByText('Numbers questioned').waitFor();
    await until(async () => (await page.getByRole('button', { name: 'Answer again' }).count()) === 2, {
      what: 'the dispute',
    });
    await copilot.picture(page, 'dispute');
    const stars = await page.getByRole('radio', { name: '4 stars' }).last().getAttribute('id');
    await page.locator(`label[for="${stars}"]`).last().click();
    await page.getByText('Would you like to say why?').waitFor();
    await copilot.picture(page, 'rating');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.reload();
    await until(async () => page.getByRole('radio', { name: '4 stars' }).last().isChecked(), {
      what: 'the rating',
    });
  });

  test('sorts a table and finds a conversation again', async () => {
    await page.getByRole('button', { name: 'New conversation' }).click();
    await page.getByRole('heading', { name: 'What would you like to know?' }).waitFor();
    await askIn(page, 'Rank the qubits of demo-64 by T1');
    await page.getByRole('button', { name: 'Answer again' }).waitFor();
    await page.getByRole('button', { name: / as a table$/ }).click();
    const heading = page.getByRole('columnheader').nth(1);
    await heading.getByRole('button').click();
    await becomes(() => heading.getAttribute('aria-sort'), 'ascending');
    await copilot.picture(page, 'table');
    await page.getByRole('textbox', { name: 'Search conversations' }).fill('heatmap');
    await until(
      async () =>
        (await page.getByRole('navigation', { name: 'Conversations' }).getByRole('listitem').count()) === 1,
      { what: 'one conversation' },
    );
  });

  test('is asked, looked into, doubted, rated and asked differently by keyboard alone', async () => {
    await page.goto(`${copilot.app.url}/copilot`);
    const press = (key: string) => page.keyboard.press(key);
    const focused = () =>
      page.evaluate<string>(`(({ ariaLabel, textContent, ariaDescription }) =>
        [ariaLabel || textContent, ariaDescription].join(' '))(document.activeElement)`);
    /** Goes on with the Tab key until the focus is on something that is called so. */
    const tabTo = async (name: RegExp, key = 'Tab'): Promise<void> => {
      for (let presses = 0; presses < 150; presses += 1) {
        await press(key);
        if (name.test(await focused())) return;
      }
      throw new Error(`${key} leads to nothing called ${String(name)}`);
    };
    const retry = () => answers().last().getByRole('button', { name: 'Answer again' });
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    await tabTo(/^Message/);
    await page.keyboard.type('What is the median T1 of demo-64?');
    await press('Enter');
    await retry().waitFor();

    await page.getByRole('region', { name: 'Conversation' }).last().focus();
    await tabTo(/step/);
    await press('Enter');
    await tabTo(/^Show arguments and result/);
    await press('Space');
    await answers().last().getByRole('region', { name: 'Result' }).waitFor();
    await tabTo(/from a result/);
    await page.getByRole('tooltip').first().waitFor();
    await copilot.picture(page, 'source');
    expect(await seriousFindings(page)).toEqual([]);
    await tabTo(/^Answer again/);
    await press('Enter');
    await page.getByText('2 of 2').waitFor();
    await retry().waitFor();

    await tabTo(/^(?!.*step).*(star|Rate)/i);
    await press('ArrowRight');
    await press('Space');
    await page.getByText('Would you like to say why?').waitFor();
    await press('Escape');
    await page.getByRole('region', { name: 'Conversation' }).last().focus();
    await tabTo(/^Edit the question/);
    await press('Enter');
    await page.keyboard.type(' And its spread?');
    await press('Enter');
    await page.getByText('3 of 3').waitFor();
    await retry().waitFor();
    await becomes(
      () => answers().last().getAttribute('aria-label'),
      expect.stringMatching(/\? And its spread\?$/),
    );
  });

  test('drafts a job that the form opens with, and that nobody else starts', async () => {
    const asking = await copilot.open('/copilot');
    await askIn(asking, 'Write a report about T1 of Q12 on demo-64');
    await asking.getByRole('button', { name: 'Answer again' }).waitFor();
    await asking.getByRole('link', { name: /^Open the drafted job/ }).click();
    await asking.waitForURL('**/jobs/new?draft=*');
    const description = asking.getByRole('textbox', { name: 'Short description' });
    await until(async () => (await description.inputValue()).includes('Q12'), {
      what: 'the task in the form',
    });
    await asking.goto(`${copilot.app.url}/jobs`);
    await asking.getByRole('heading', { name: 'Jobs', exact: true }).waitFor();
    await becomes(() => asking.getByText(/Write a report about/).count(), 0);
    await asking.close();
  });

  test('has no English words of its own left where it speaks Japanese', async () => {
    const context = await copilot.browser.newContext({ locale: 'ja-JP' });
    const japanese = await copilot.open(new URL(page.url()).pathname, { context });
    const answer = japanese.getByRole('article').last();
    await answer.getByRole('button', { name: japaneseWords.copilot.retry }).waitFor();
    await answer.getByRole('button', { name: /ステップ/ }).click();
    await japanese.getByPlaceholder(japaneseWords.copilot.placeholder).waitFor();
    const shown = await japanese.evaluate<readonly string[]>(`[
      ...[...document.querySelectorAll('body :not(table *, svg *)')].flatMap((element) => [
        ...[...element.childNodes].filter(({ nodeType }) => nodeType === 3).map(({ data }) => data.trim()),
        ...['aria-label', 'title', 'placeholder', 'alt'].map((name) => element.getAttribute(name)),
      ]),
    ].filter(Boolean)`);
    const translated = new Map(textsOf(japaneseWords));
    const english = textsOf(englishWords).filter(([path, words]) => translated.get(path) !== words);
    // What charts and tables hold is the server's.
    expect(english.filter(([, words]) => shown.includes(words))).toEqual([]);
    await copilot.picture(japanese, 'japanese');
    await context.close();
  });

  test('hinders nobody, and nothing complained', async () => {
    expect(await seriousFindings(page)).toEqual([]);
    expect(copilot.complaints).toEqual([]);
  });
});
