/** A page of another origin beside the real program, built and served by Vite, in a real Chromium. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { build, mergeConfig, preview } from 'vite';
import { besideQPilot } from '../../../examples/proxy.ts';
import { createTestApp, type TestApp, type TestAppOptions } from '../../support/create-test-app.ts';
import { freePort } from '../../support/free-port.ts';
import { gatherComplaints, openBrowser } from '../chromium.ts';

/** One server, one front end of it, and one browser. */
export type FrontEnd = {
  readonly app: TestApp;
  readonly browser: Browser;
  readonly url: string;
  /** What pages wrote to their consoles, and errors that nobody caught. */
  readonly complaints: string[];
  open(): Promise<Page>;
  close(): Promise<void>;
};

/** Builds the page of a folder, with React as its developers see it, and starts everything. */
export async function startFrontEnd(root: string, options: TestAppOptions): Promise<FrontEnd> {
  const outDir = await mkdtemp(join(tmpdir(), 'qpilot-front-end-'));
  const [app, browser, port] = await Promise.all([createTestApp(options), openBrowser(), freePort()]);
  const config = mergeConfig(besideQPilot(app.url), {
    configFile: false,
    root,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"development"' },
    build: { outDir, emptyOutDir: true },
    preview: { port, strictPort: true, host: '127.0.0.1' },
  });
  await build(config);
  const server = await preview(config);
  const url = `http://127.0.0.1:${port}/`;
  const complaints: string[] = [];
  return {
    app,
    browser,
    url,
    complaints,
    async open() {
      const page = await browser.newPage();
      gatherComplaints(page, complaints);
      await page.goto(url);
      return page;
    },
    async close() {
      await browser.close();
      await server.close();
      await app.stop();
      await rm(outDir, { recursive: true, force: true });
    },
  };
}
