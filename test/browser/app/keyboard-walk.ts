import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';

/** Where the Tab key led. All lists are empty where a page can be used by keyboard alone. */
export type KeyboardWalk = {
  /** How many controls were reached. */
  readonly stops: number;
  /** Controls that were there when the way led past them, and were not reached. */
  readonly unreached: readonly string[];
  /** Controls that came before one that stands above them in the document. */
  readonly outOfOrder: readonly string[];
  /** Controls that look the same with and without the focus. */
  readonly unseen: readonly string[];
};

const MOST_STOPS = 500;
/** Presses between two questions of whether the way is over. */
const PRESSES = 10;

/** Goes through a page with the Tab key, from its beginning until it leaves the page. */
export async function walkByTab(page: Page): Promise<KeyboardWalk> {
  await page.evaluate(await readFile(new URL('keyboard-walk.js', import.meta.url), 'utf8'));
  await page.evaluate('qpilotWalk.begin()');
  for (let presses = 0; presses < MOST_STOPS; presses += PRESSES) {
    for (let press = 0; press < PRESSES; press += 1) await page.keyboard.press('Tab');
    if (await page.evaluate<boolean>('qpilotWalk.isOver()')) break;
  }
  return page.evaluate<KeyboardWalk>('qpilotWalk.end()');
}
