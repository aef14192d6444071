/** An app with the demo chip and a browser for the tests of one `describe`. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { builtClient } from '../../support/built-client.ts';
import { createTestApp, type TestApp, type TestAppOptions } from '../../support/create-test-app.ts';
import { openBrowser } from '../chromium.ts';
import { openTab, whole, type Tab } from './browser.ts';

/** A folder that pictures of pages are kept in; none are kept without it. */
const pictures = process.env['QPILOT_PICTURES'];

export type DemoPages = {
  /** Once the tests run. */
  readonly app: TestApp;
  /** Opens a path in a tab of its own, which is closed after the test, and waits until all of it is there. */
  readonly open: (path: string, options?: BrowserContextOptions) => Promise<Tab>;
  /** Keeps a picture of the whole page, where pictures are wanted. */
  readonly picture: (page: Page, name: string) => Promise<void>;
};

/** Starts both before the tests of the `describe` around it, and stops them afterwards. */
export function demoPages(options: TestAppOptions = {}): DemoPages {
  let app: TestApp;
  let browser: Browser;
  beforeAll(async () => {
    const client = await builtClient();
    [app, browser] = await Promise.all([createTestApp({ demo: true, client, ...options }), openBrowser()]);
  });
  // A page that is left open works on, and takes its time from the next.
  afterEach(() => Promise.all(browser.contexts().map((context) => context.close())));
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
  });
  return {
    get app() {
      return app;
    },
    open: async (path, given) => {
      const tab = await openTab(browser, app.url + path, given);
      await whole(tab.page);
      return tab;
    },
    picture: async (page, name) => {
      if (!pictures) return;
      await mkdir(pictures, { recursive: true });
      await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
    },
  };
}
