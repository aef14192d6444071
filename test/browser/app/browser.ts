/** Pages of the built client in a real Chromium, and everything that they complained about. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { until } from '@qpilot/test-support';
import { gatherComplaints } from '../chromium.ts';

/** A tab, with what its console and its security policy said. */
export type Tab = { readonly page: Page; readonly complaints: readonly string[] };

/** Opens a tab at `url`, with storage of its own; closing the browser closes it. */
export async function openTab(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Tab> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  gatherComplaints(page, complaints);
  await page.exposeFunction('tellViolation', (what: string) => complaints.push(what));
  await page.addInitScript(
    `document.addEventListener('securitypolicyviolation', (event) =>
       tellViolation(event.effectiveDirective + ' ' + event.sourceFile + ' ' + event.blockedURI))`,
  );
  await page.goto(url);
  return { page, complaints };
}

const TWO_FRAMES = 'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))';

/** Waits until a page is drawn in the colours of `scheme`. */
export async function wearColors(page: Page, scheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme });
  await page.locator(`html[data-mantine-color-scheme=${scheme}]`).waitFor();
  await page.evaluate(TWO_FRAMES);
}

const WHOLE =
  'document.querySelector("main h1") !== null && document.querySelector("[aria-busy=true], .mantine-Skeleton-root") === null';

/** Waits until nothing on the page is still on its way. */
export const whole = (page: Page): Promise<boolean> =>
  until(async () => page.evaluate<boolean>(WHOLE), {
    what: `everything of ${page.url()}`,
  });

type Violation = {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string }[];
};

/** Waits for what fades in and out; what turns as long as something is awaited goes on. */
const STILL = `${TWO_FRAMES}.then(() => Promise.allSettled(document.getAnimations()
  .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity).map(({ finished }) => finished))).then(() => null)`;

/** What axe finds serious or critical in a page that stands still, a line each. */
export async function seriousFindings(page: Page): Promise<readonly string[]> {
  await page.evaluate(STILL);
  const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  // As a script of the tool and not of the page, whose policy would refuse it.
  await page.evaluate(axe);
  const { violations } = (await page.evaluate(`axe.run({ resultTypes: ['violations'] })`)) as {
    readonly violations: readonly Violation[];
  };
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}
