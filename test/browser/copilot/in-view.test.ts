/** What must be in view: the numbers of every list, and the composer under whatever stands above it. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { AnswerTurn } from '../../../src/agent/turn-run.ts';
import { completed, text } from '../../support/activities.ts';
import { describeWithChromium } from '../chromium.ts';
import { becomes, until } from '../until.ts';
import { askIn, startCopilotBrowser, type CopilotBrowser } from './copilot-browser.ts';

const numbered = (from: number, count: number, indent = '') =>
  Array.from({ length: count }, (_, at) => `${indent}${from + at}. item`).join('\n');

const LISTS = [
  numbered(1, 12),
  numbered(95, 12),
  numbered(998, 5),
  numbered(1, 1_000),
  numbered(999_999_990, 9),
  `8. outer\n9. outer\n10. outer\n\n${numbered(98, 4, '    ')}\n\n    - deep\n\n      ${numbered(1, 10, '      ').trim()}\n11. outer`,
  `- bullet\n\n  ${numbered(99, 3, '  ').trim()}`,
  `> ${numbered(9, 3).replaceAll('\n', '\n> ')}`,
].join('\n\n<!-- -->\n\n');

/** Numbers of lists whose left edge is cut off by something around them; they are as wide as their text. */
const CUT = `(() => {
  const ruler = document.body.appendChild(document.createElement('span'));
  ruler.style.cssText = 'position:absolute;visibility:hidden;white-space:pre';
  const cut = [];
  let seen = 0;
  for (const list of document.querySelectorAll('article ol')) {
    [...list.children].filter((item) => item.tagName === 'LI').forEach((item, at) => {
      const number = (list.start || 1) + at;
      const style = getComputedStyle(item);
      // The shorthand is empty where a part of it is set by itself.
      for (const part of ['fontFamily', 'fontSize', 'fontWeight', 'fontStyle', 'fontVariantNumeric'])
        ruler.style[part] = style[part];
      ruler.textContent = number + '. ';
      const left = item.getBoundingClientRect().left - ruler.getBoundingClientRect().width;
      for (let around = item.parentElement; around; around = around.parentElement) {
        const { overflowX, contentVisibility, contain } = getComputedStyle(around);
        const clips = overflowX !== 'visible' || contentVisibility !== 'visible' || /paint|strict|content/.test(contain);
        const edge = clips ? around.getBoundingClientRect().left : around.tagName === 'BODY' ? 0 : -Infinity;
        if (left < edge - 0.5) { cut.push(number + ' by ' + Math.round(edge - left)); break; }
      }
      seen += 1;
    });
  }
  ruler.remove();
  return { cut, seen };
})()`;

/** How much of the composer's field is in the window, from 0 to 1, and whether it is what one would touch there. */
const inView = (page: Page) =>
  page.getByRole('textbox', { name: 'Message' }).evaluate((field) => {
    const { top, bottom, left, width } = field.getBoundingClientRect();
    const shown = Math.max(0, Math.min(bottom, innerHeight) - Math.max(top, 0)) / (bottom - top);
    const at = document.elementFromPoint(
      left + width / 2,
      (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2,
    );
    return {
      shown: Math.round(shown * 100) / 100,
      isTouched: at !== null && field.closest('section')!.contains(at),
    };
  });

const seenAs = async (page: Page, name: string): Promise<void> => {
  const folder = process.env['QPILOT_SEEN'];
  if (folder) await page.screenshot({ path: `${folder}/${name}.png` });
};

const answerTurn: AnswerTurn = async ({ emit }) => {
  emit(text(LISTS));
  return completed;
};

const SIZES = [
  [1280, 860],
  [1280, 400],
  [390, 844],
  [390, 480],
  [844, 390],
] as const;

describeWithChromium('in view', () => {
  let chromium: CopilotBrowser;
  let page: Page;
  beforeAll(async () => {
    chromium = await startCopilotBrowser({ demo: true, answerTurn });
    page = await chromium.open('/copilot');
    await askIn(page, 'Lists');
    await page.getByRole('article').last().getByText('item').first().waitFor();
    await until(async () => (await page.locator('article ol').count()) >= 8, { what: 'the lists' });
  });
  afterAll(() => chromium.close());

  test.each([
    [1280, 860],
    [390, 844],
  ])('numbers of lists are whole, however long, at %i × %i', async (width, height) => {
    await page.setViewportSize({ width, height });
    const { cut, seen } = await page.evaluate<{ cut: string[]; seen: number }>(CUT);
    expect([cut, seen > 1_000]).toEqual([[], true]);
    await page.locator('article ol').nth(2).scrollIntoViewIfNeeded();
    await seenAs(page, `lists-${width}`);
  });

  test.each(SIZES)('the composer is in view without a network, at %i × %i', async (width, height) => {
    await page.setViewportSize({ width, height });
    await page.context().setOffline(true);
    await page.getByText('You are offline').first().waitFor();
    await becomes(() => inView(page), { shown: 1, isTouched: true });
    await seenAs(page, `offline-${width}x${height}`);
    // A banner of any height: words as long as another language or a larger type makes them.
    const banner = page.getByRole('alert').filter({ hasText: 'You are offline' });
    const words = banner.getByText('You are offline');
    await words.evaluate((element) => (element.style.height = '900px'));
    await becomes(() => inView(page), { shown: 1, isTouched: true });
    await seenAs(page, `offline-tall-${width}x${height}`);
    await page.context().setOffline(false);
    await banner.waitFor({ state: 'detached' });
    await becomes(() => inView(page), { shown: 1, isTouched: true });
  });

  test('the composer of the builder and of the panel stay in view, too', async () => {
    await page.setViewportSize({ width: 1280, height: 700 });
    await page.goto(`${chromium.app.url}/jobs/new?expert=researcher`);
    const field = page.getByRole('textbox', { name: 'Message to the builder' });
    await field.waitFor();
    await page.context().setOffline(true);
    await page.getByText('You are offline').first().waitFor();
    await becomes(
      () => field.evaluate((element) => element.getBoundingClientRect().bottom <= innerHeight),
      true,
    );
    await seenAs(page, 'builder-offline');
    await page.context().setOffline(false);
  });
});
