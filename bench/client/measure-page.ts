/** The speed of a page as the browser itself reports it. */
import type { Browser, BrowserContext, Page } from 'playwright-core';

/** How long a first visit takes, in milliseconds from the beginning of the navigation. */
export type FirstVisit = { readonly firstPaintMs: number; readonly firstNumbersMs: number };

/** What a reader felt of a page while an answer came in. */
export type StreamFeel = {
  /**
   * Of each key that was pressed, until the picture after it; those below 16 ms, which are not reported, count as 16.
   */
  readonly keyMs: readonly number[];
  /** Of the tasks that held the page for more than 50 ms. */
  readonly longTaskMs: readonly number[];
  /** Sum of all layout shifts that no input explains. */
  readonly layoutShift: number;
};

/** Shortest time that browsers report of an event. */
const LEAST_MS = 16;

/** A paint is reported late; on a busy machine, after its text was already read. */
const WATCH_PAINT = `globalThis.firstPaintMs = new Promise((resolve) => {
  new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntriesByName('first-contentful-paint')) resolve(startTime);
  }).observe({ type: 'paint', buffered: true });
})`;

const WATCH_NUMBERS = `globalThis.firstNumbersMs = new Promise((resolve) => {
  const look = () => {
    if (/\\d ?(μs|%)/.test(document.querySelector('main')?.innerText ?? '')) resolve(performance.now());
    else requestAnimationFrame(look);
  };
  look();
})`;

/** Opens a page with an empty cache and waits for its first paint and for the first value with a unit. */
export async function visitFirst(browser: Browser, url: string): Promise<FirstVisit> {
  const context = await newContext(browser);
  try {
    const page = await context.newPage();
    await page.addInitScript(WATCH_PAINT);
    await page.addInitScript(WATCH_NUMBERS);
    await page.goto(url);
    return await page.evaluate<FirstVisit>(`Promise.all([firstPaintMs, firstNumbersMs]).then(
      ([firstPaintMs, firstNumbersMs]) => ({ firstPaintMs, firstNumbersMs }),
    )`);
  } finally {
    await context.close();
  }
}

const WATCH_FEEL = `(() => {
  globalThis.feel = { keys: 0, keyMs: [], longTaskMs: [], layoutShift: 0 };
  const watch = (type, take, options = {}) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, ...options });
  addEventListener('keydown', () => { feel.keys += 1 }, { capture: true });
  watch('event', ({ name, duration }) => name === 'keydown' && feel.keyMs.push(duration), { durationThreshold: ${LEAST_MS} });
  watch('longtask', ({ duration }) => feel.longTaskMs.push(duration));
  watch('layout-shift', ({ value, hadRecentInput }) => { if (!hadRecentInput) feel.layoutShift += value });
})()`;

/** Measures a page while `act` runs. */
export async function feelWhile(page: Page, act: () => Promise<void>): Promise<StreamFeel> {
  await page.evaluate(WATCH_FEEL);
  await act();
  const feel = await page.evaluate<StreamFeel & { readonly keys: number }>('feel');
  const unreported = Array.from({ length: Math.max(0, feel.keys - feel.keyMs.length) }, () => LEAST_MS);
  return { ...feel, keyMs: [...feel.keyMs, ...unreported] };
}

/** A reader with a laptop who was never here. */
export const newContext = (browser: Browser): Promise<BrowserContext> =>
  browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-US' });
