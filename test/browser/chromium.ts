/** The Chromium of the tests, and what its pages complain about. It knows nothing of what they show. */
import { existsSync } from 'node:fs';
import { describe } from '@jest/globals';
import { chromium, type Browser, type Page } from 'playwright-core';
import { slowDownPages } from './slower.ts';

const executablePath = process.env['QPILOT_CHROMIUM'] ?? '/usr/bin/chromium';
const FLAGS =
  '--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync';

/** `describe` that is skipped, and counted as skipped, where there is no Chromium. */
export function describeWithChromium(name: string, body: () => void): void {
  if (existsSync(executablePath)) describe(name, body);
  else
    describe.skip(`${name} (skipped: no ${executablePath}; install chromium or set QPILOT_CHROMIUM)`, body);
}

/**
 * What a page may take for anything before a test gives up. A machine that does much else takes its time: what is
 * quick is told by `npm run bench -- client`, and a test that waits for the right thing is no slower for its patience.
 */
export const PATIENCE_MS = 60_000;

/** Starts a browser; the caller closes it. */
export async function openBrowser(): Promise<Browser> {
  const browser = await chromium.launch({ executablePath, args: FLAGS.split(' ') });
  browser.on('context', (context) => context.setDefaultTimeout(PATIENCE_MS));
  slowDownPages(browser);
  return browser;
}

/** Gathers what a page writes to its console as a warning or an error, and errors that nobody caught. */
export function gatherComplaints(page: Page, complaints: string[]): void {
  page.on('console', (message) => {
    if (['warning', 'error'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.stack ?? error.message));
}
