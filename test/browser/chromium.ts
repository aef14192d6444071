/** The Chromium of the tests, and what its pages complain about. It knows nothing of what they show. */
import { existsSync } from 'node:fs';
import { describe } from '@jest/globals';
import { chromium, type Browser, type Page } from 'playwright-core';

const executablePath = process.env['QPILOT_CHROMIUM'] ?? '/usr/bin/chromium';
const FLAGS =
  '--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync';

/** `describe` that is skipped, and counted as skipped, where there is no Chromium. */
export function describeWithChromium(name: string, body: () => void): void {
  if (existsSync(executablePath)) describe(name, body);
  else
    describe.skip(`${name} (skipped: no ${executablePath}; install chromium or set QPILOT_CHROMIUM)`, body);
}

/** Starts a browser; the caller closes it. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath, args: FLAGS.split(' ') });

/** Gathers what a page writes to its console as a warning or an error, and errors that nobody caught. */
export function gatherComplaints(page: Page, complaints: string[]): void {
  page.on('console', (message) => {
    if (['warning', 'error'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.stack ?? error.message));
}
