/** The built web client in a real Chromium, served by the real program. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { builtClient } from '../../support/built-client.ts';
import { createTestApp, type TestApp, type TestAppOptions } from '../../support/create-test-app.ts';
import { gatherComplaints, openBrowser } from '../chromium.ts';

/** A folder for pictures of each state, which only a person can judge. */
const pictures = process.env['QPILOT_PICTURES'];

/** One server and one browser; each test takes a page of its own. */
export type CopilotBrowser = {
  readonly app: TestApp;
  readonly browser: Browser;
  /** Opens a path of `url` (default: the server's own); complaints of the page gather in {@link complaints}. */
  open(path: string, options?: { readonly url?: string; readonly context?: BrowserContext }): Promise<Page>;
  /** What pages wrote to their consoles, and errors that nobody caught. */
  readonly complaints: string[];
  /** Keeps a picture of a page in each width and colour, if pictures are wanted. */
  picture(page: Page, name: string): Promise<void>;
  close(): Promise<void>;
};

/** Builds the client if it is not built yet, and starts everything. */
export async function startCopilotBrowser(options: TestAppOptions = {}): Promise<CopilotBrowser> {
  const client = await builtClient();
  const [app, browser] = await Promise.all([createTestApp({ client, ...options }), openBrowser()]);
  const complaints: string[] = [];
  return {
    app,
    browser,
    complaints,
    async open(path, { url = app.url, context } = {}) {
      const page = await (context ?? browser).newPage(
        context ? {} : { viewport: { width: 1280, height: 860 }, locale: 'en-US' },
      );
      gatherComplaints(page, complaints);
      await page.goto(url + path);
      return page;
    },
    async picture(page, name) {
      if (!pictures) return;
      await mkdir(pictures, { recursive: true });
      for (const colorScheme of ['light', 'dark'] as const) {
        for (const width of [1280, 390]) {
          await page.emulateMedia({ colorScheme });
          await page.setViewportSize({ width, height: 860 });
          await page.waitForTimeout(400);
          await page.screenshot({ path: join(pictures, `${name}-${colorScheme}-${width}.png`) });
        }
      }
      await page.emulateMedia({ colorScheme: 'light' });
      await page.setViewportSize({ width: 1280, height: 860 });
    },
    async close() {
      await browser.close();
      await app.stop();
    },
  };
}

/** Sends a question as a reader does. */
export async function askIn(page: Page, question: string): Promise<void> {
  const field = page.getByRole('textbox', { name: 'Message' });
  await field.fill(question);
  await field.press('Enter');
}
