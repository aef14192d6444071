/**
 * Every page in its looks: both languages, both colours, a laptop and a phone. What a machine can judge is asserted;
 * the rest is for eyes: `QPILOT_PICTURES=folder npm run test:browser -- test/browser/pictures` goes through all eight
 * looks and keeps a picture of each; without it the two that have nothing in common have to do.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { words as en } from '../../client/lib/i18n/en/words.ts';
import { words as ja } from '../../client/lib/i18n/ja/words.ts';
import type { Locale } from '../../client/lib/i18n/locale.ts';
import { builtClient } from '../support/built-client.ts';
import { createTestApp, type TestApp } from '../support/create-test-app.ts';
import { DEMO_NOW } from '../support/demo-database.ts';
import { until } from '@qpilot/test-support';
import { openTab, seriousFindings, wearColors, whole } from './app/browser.ts';
import { DEMO_STATES, type DemoState } from './app/demo-states.ts';
import { describeWithChromium, openBrowser } from './chromium.ts';

/** Where the pictures go; none are kept without it. */
const pictures = process.env['QPILOT_PICTURES'];

const WORDS = { en, ja };
const WIDTHS = { wide: 1440, narrow: 390 } as const;
const HEIGHT_PX = 900;
const HIGHEST_PX = 4_000;

type Look = {
  readonly locale: Locale;
  readonly scheme: 'light' | 'dark';
  readonly width: keyof typeof WIDTHS;
};

const ALL_LOOKS: readonly Look[] = (['en', 'ja'] as const).flatMap((locale) =>
  (['light', 'dark'] as const).flatMap((scheme) =>
    (['wide', 'narrow'] as const).map((width) => ({ locale, scheme, width })),
  ),
);

const LOOKS: readonly Look[] = pictures
  ? ALL_LOOKS
  : [
      { locale: 'en', scheme: 'light', width: 'wide' },
      { locale: 'ja', scheme: 'dark', width: 'narrow' },
    ];

describeWithChromium('every page in its looks', () => {
  let app: TestApp;
  let browser: Browser;
  beforeAll(async () => {
    const client = await builtClient();
    [app, browser] = await Promise.all([createTestApp({ demo: true, client }), openBrowser()]);
    if (pictures) await mkdir(pictures, { recursive: true });
  });
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
  });

  test.each(DEMO_STATES.map((state) => [state.name, state] as const))('%s', async (_name, state) => {
    const { page, complaints } = await openTab(browser, app.url + state.path, {
      locale: 'en-US',
      reducedMotion: 'reduce',
    });
    // The demo ends on its own day, from which ages are to be told.
    if (pictures) await page.clock.setFixedTime(DEMO_NOW);
    await whole(page);
    await state.fill?.(page);
    const faults: unknown[] = [];
    for (const look of LOOKS) {
      await wear(page, state, look);
      const [serious, outside] = [await seriousFindings(page), await page.evaluate<number>(OUTSIDE)];
      if (serious.length > 0 || outside > 0) faults.push({ look, serious, outside });
      if (pictures) await takePicture(page, join(pictures, nameOf(state, look)), WIDTHS[look.width]);
    }
    expect({ faults, complaints }).toEqual({ faults: [], complaints: [] });
    await page.context().close();
  });
});

const nameOf = ({ name }: DemoState, { scheme, width, locale }: Look): string =>
  `${name}-${scheme}-${width}-${locale}.png`;

/** Brings a page into a look: the language with a new load, everything else as it stands. */
async function wear(page: Page, state: DemoState, { locale, scheme, width }: Look): Promise<void> {
  if ((await page.getAttribute('html', 'lang')) !== locale || scheme + width === 'lightwide') {
    await page.setViewportSize({ width: WIDTHS.wide, height: HEIGHT_PX });
    await page.evaluate(`localStorage.setItem('qpilot.locale', '${locale}')`);
    await page.reload();
    await page.locator(`html[lang=${locale}]`).waitFor();
    await whole(page);
    await state.open?.(page, WORDS[locale]);
  }
  await page.setViewportSize({ width: WIDTHS[width], height: HEIGHT_PX });
  await wearColors(page, scheme);
  await whole(page);
  await until(async () => (await page.evaluate<number>(OUTSIDE)) === 0, {
    what: 'nothing reaching out',
  }).catch(() => undefined);
}

const OUTSIDE = 'document.documentElement.scrollWidth - innerWidth';

/**
 * The whole page in one picture: in a window as high as it, since what sticks to a window's edge would lie in its
 * middle.
 */
async function takePicture(page: Page, path: string, width: number): Promise<void> {
  const height = await page.evaluate<number>('document.documentElement.scrollHeight');
  if (height > HEIGHT_PX) await page.setViewportSize({ width, height: Math.min(height, HIGHEST_PX) });
  await page.mouse.move(0, 0);
  await page.evaluate('document.activeElement?.blur()');
  await whole(page);
  await page.screenshot({ path });
}
