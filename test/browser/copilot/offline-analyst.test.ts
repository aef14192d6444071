/** What a reader gets of a question to the offline analyst about the demo chip. */
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { until } from '../../support/until.ts';
import { seriousFindings } from '../app/browser.ts';
import { describeWithChromium } from '../chromium.ts';
import { askIn, startCopilotBrowser, type CopilotBrowser } from './copilot-browser.ts';

jest.setTimeout(60_000);

describeWithChromium('the copilot in a browser', () => {
  let copilot: CopilotBrowser;
  let page: Page;
  beforeAll(async () => {
    copilot = await startCopilotBrowser({ demo: true });
    page = await copilot.open('/copilot');
  }, 60_000);
  afterAll(() => copilot.close());

  const answers = () => page.getByRole('article');

  test('greets, suggests, and has nothing that shuts people out', async () => {
    await page.getByRole('heading', { name: 'What would you like to know?' }).waitFor();
    await copilot.picture(page, 'greeting');
    expect(
      await page.getByRole('group', { name: 'Questions to start with' }).getByRole('button').count(),
    ).toBeGreaterThan(2);
  });

  test('answers with text, steps, a chart, a table, sources and freshness', async () => {
    await askIn(page, 'Show a heatmap of T1 on demo-64');
    const answer = answers().last();
    await answer.getByRole('button', { name: 'Answer again' }).waitFor();
    await answer.locator('section').first().scrollIntoViewIfNeeded(); // it is drawn when it is looked at
    await answer.locator('.js-plotly-plot').first().waitFor();
    await copilot.picture(page, 'answer');
    expect(page.url()).toMatch(/\/copilot\/[\w-]+$/);
    expect(await answer.innerText()).toMatch(/stored results: /);
    await answer.getByRole('button', { name: /step/ }).click();
    expect(await answer.getByRole('listitem').count()).toBeGreaterThan(0);
    await answer.getByRole('button', { name: 'Arguments and result' }).first().click();
    await answer.getByRole('region', { name: 'Result' }).getByText('t1').first().waitFor();
    await copilot.picture(page, 'steps');
    await answer.locator('[data-number]').first().focus();
    expect(await page.getByRole('tooltip').first().innerText()).toMatch(/result|from you/);
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
    expect(await steps.last().getAttribute('aria-expanded')).toBe('false');
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
    await page.getByText('Numbers doubted').waitFor();
    await until(async () => (await page.getByRole('button', { name: 'Answer again' }).count()) === 2, {
      what: 'the dispute',
    });
    await copilot.picture(page, 'dispute');
    const stars = await page.getByRole('radio', { name: '4 stars' }).last().getAttribute('id');
    await page.locator(`label[for="${stars}"]`).last().click();
    await page.getByText('Would you say why?').waitFor();
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
    const heading = page.getByRole('columnheader').nth(1);
    await heading.getByRole('button').click();
    expect(await heading.getAttribute('aria-sort')).toBe('ascending');
    await copilot.picture(page, 'table');
    await page.getByRole('textbox', { name: 'Search conversations' }).fill('heatmap');
    await until(
      async () =>
        (await page.getByRole('navigation', { name: 'Conversations' }).getByRole('listitem').count()) === 1,
      { what: 'one conversation' },
    );
  });

  test('hinders nobody, and nothing complained', async () => {
    expect(await seriousFindings(page)).toEqual([]);
    expect(copilot.complaints).toEqual([]);
  });
});
