/** Pages at a fraction of the machine's speed. What fails in them fails some day on a busy machine. */
import type { Browser, BrowserContext, Page } from 'playwright-core';

/** How many times as slow all pages are made: `QPILOT_SLOWER`, 1 unless it is given. */
const EVERYWHERE = Number(process.env['QPILOT_SLOWER'] ?? 1);

/** When Chromium forgets how slow a page is to be: when a document of it leaves. */
const LEAVINGS = ['framenavigated', 'domcontentloaded', 'load'] as const;

/** Makes every page that a browser opens, and every page that those open, as slow as `QPILOT_SLOWER` wants them. */
export function slowDownPages(browser: Browser): void {
  if (EVERYWHERE === 1) return;
  browser.on('context', (context: BrowserContext) => {
    context.on('page', (page) => void slowDown(page, EVERYWHERE));
  });
}

/** Makes a page `times` as slow as it would be, whatever it loads, until what is returned is called. */
export function slowDown(page: Page, times: number): () => Promise<void> {
  const session = page.context().newCDPSession(page);
  const set = async (rate: number): Promise<void> => {
    // A page that was closed needs no speed.
    await session.then((to) => to.send('Emulation.setCPUThrottlingRate', { rate })).catch(() => undefined);
  };
  const again = (): void => void set(times);
  again();
  for (const leaving of LEAVINGS) page.on(leaving as 'load', again);
  return async () => {
    for (const leaving of LEAVINGS) page.off(leaving as 'load', again);
    await set(EVERYWHERE);
  };
}
