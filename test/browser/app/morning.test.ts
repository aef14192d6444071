/** The morning screen, by the clock of the server and of the history: what changed, what is known, and keys. */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { builtClient } from '../../support/built-client.ts';
import { createTestApp, type TestApp } from '../../support/create-test-app.ts';
import { describeWithChromium, openBrowser } from '../chromium.ts';
import { openTab, seriousFindings, whole } from './browser.ts';

/** What has no room in the lines of what changed. */
const CUT_OFF = `[...document.querySelectorAll('#changes li > *')]
  .filter((each) => each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).overflow === 'hidden')
  .map(({ textContent }) => textContent)`;

describeWithChromium('the morning screen', () => {
  let app: TestApp;
  let browser: Browser;
  beforeAll(async () => {
    const client = await builtClient();
    [app, browser] = await Promise.all([createTestApp({ demo: true, client }), openBrowser()]);
  });
  afterEach(() => Promise.all(browser.contexts().map((context) => context.close())));
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
  });

  const open = async (path: string) => {
    const tab = await openTab(browser, app.url + path);
    await whole(tab.page);
    return tab;
  };

  // The history ends in May, whatever day the browser believes it is.
  test('says what changed in the last 24 hours of the server, and opens what each line is about', async () => {
    const { page, complaints } = await open('/chips/demo-64');
    expect(await page.getByRole('combobox', { name: 'Since', exact: true }).inputValue()).toBe(
      'In the last 24 hours',
    );
    const panel = page
      .locator('section', { has: page.getByRole('heading', { name: 'What changed' }) })
      .first();
    await panel
      .getByText(/^\d+ values changed: \d+ for the worse, \d+ for the better(, \d+ neither)?\.$/)
      .waitFor();
    await panel.getByText(/^Worse \(\d+\), (none|\d+) by 3 σ or more$/).waitFor();
    await panel.getByText(/^Notes \(\d+\)$/).waitFor();
    await page
      .getByText(/^\d+ hr ago$/)
      .first()
      .waitFor();
    await panel
      .getByRole('button', { name: /^Explain the change of / })
      .first()
      .click();
    const message = page.getByRole('textbox', { name: 'Message' });
    expect(await message.inputValue()).toMatch(/ went from .* to .* since .*\. Why\?$/);
    expect([await seriousFindings(page), complaints]).toEqual([[], []]);
  });

  test('leads from a line to what it rests on: the history of its metric, the record of a failed run', async () => {
    const { page, complaints } = await open('/chips/demo-64?changed=168h');
    const attention = page.getByRole('list', { name: /^Needs attention/ }).getByRole('listitem');
    await attention.filter({ hasText: 'T2 Star' }).getByRole('link', { name: 'Q45' }).click();
    await page.waitForURL('**/qubits/45?parameter=t2_star');
    await page.getByRole('heading', { name: 'T2 Star over time' }).waitFor();
    await page.goBack();
    await whole(page);
    const failed = page
      .getByRole('listitem')
      .filter({ has: page.getByRole('button', { name: /^Explain the failure of / }) });
    await failed.first().getByRole('link').last().click();
    await page.waitForURL(/\?record=/);
    await page.getByRole('region', { name: 'The record of the link' }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('on a phone each line says which metric it is about, and selected parts go into a logbook', async () => {
    const { page, complaints } = await openTab(browser, `${app.url}/chips/demo-64`, {
      viewport: { width: 390, height: 844 },
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await whole(page);
    await page
      .getByRole('button', { name: /^Explain the change of / })
      .first()
      .waitFor();
    expect(await page.evaluate<readonly string[]>(CUT_OFF)).toEqual([]);
    const map = page.getByRole('listbox');
    await map.focus();
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Put into a logbook' }).click();
    await page.getByRole('menuitem', { name: 'Copy as Markdown' }).click();
    await page.getByText('Copied: title, dates').first().waitFor();
    const markdown = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(markdown).toMatch(/^# T1 and ZX90 Gate Fidelity on demo-64\n\n- Chip: demo-64\n/u);
    expect(markdown).toMatch(/\| Q00 \| T1 \| [\d.]+ μs \| Usable \| 2026-05-\d\d \d\d:\d\d \|/u);
    expect(complaints).toEqual([]);
  });

  test('folds what somebody knows to be bad, with the reason, until it is unmuted', async () => {
    const { page, complaints } = await open('/chips/demo-64');
    await page.getByRole('button', { name: 'Mute Q45 T1' }).click();
    await page.getByRole('textbox', { name: 'Why is it known?' }).fill('flux line is broken');
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Mute', exact: true }).click();
    await page.getByText('Known (1)').first().waitFor();
    await page.reload();
    await whole(page);
    await page.getByText('Known (1)').first().click();
    await page.getByText(/^flux line is broken · local · until \w+ \d+, 2026$/).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Unmute Q45 T1' }).click();
    await page.getByRole('button', { name: 'Mute Q45 T1' }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('? lists the keys, and a new conversation begins with questions about the chip', async () => {
    const { page } = await open('/chips/demo-64');
    await page.keyboard.press('Shift+?');
    const keys = page.getByRole('dialog', { name: 'Keys' });
    await keys.getByText('On a map: open the qubit or coupling').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await keys.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Open the copilot' }).click();
    await page
      .getByRole('group', { name: 'Suggested questions' })
      .getByRole('button', { name: 'Is there anything unusual about Q45?' })
      .waitFor();
  });
});
