/** Every page of the client as the demo fills it, and how a reader brings it there. The offline analyst answers. */
import type { Page } from 'playwright-core';
import { words as english } from '../../../client/lib/i18n/en/words.ts';
import type { Words } from '../../../client/lib/i18n/words.ts';
import { until } from '@qpilot/test-support';
import { askIn } from '../copilot/copilot-browser.ts';

/** A page in a state worth looking at. */
export type DemoState = {
  /** Of its picture. */
  readonly name: string;
  readonly path: string;
  /** Done once, in English: what the page is to show is asked for, written or worked out. */
  readonly fill?: (page: Page) => Promise<void>;
  /** Done after each load: opens what a reader opens. */
  readonly open?: (page: Page, words: Words) => Promise<void>;
};

const QUESTION = 'Show a heatmap of T1 on demo-64';
const TASK = 'Why did T1 of Q27 fall?';
const EDITS =
  'Describe it as Drift of T1. Set temperature to 0.2. Add a section about outliers. Remove "no such words".';

/** The states; each has a page of its own and keeps it from look to look. */
export const DEMO_STATES: readonly DemoState[] = [
  { name: 'chip', path: '/chips/demo-64?qubits=0,27,45' },
  { name: 'qubit', path: '/chips/demo-64/qubits/27' },
  { name: 'coupling', path: '/chips/demo-64/couplings/27-26' },
  { name: 'qubit-panel', path: '/chips/demo-64/qubits/27', fill: askBeside },
  { name: 'copilot', path: '/copilot' },
  { name: 'answer', path: '/copilot', fill: ask, open: openSteps },
  { name: 'new-job', path: '/jobs/new?expert=researcher', fill: writeWithBuilder },
  { name: 'job', path: '/jobs/new?expert=researcher', fill: makeJob },
  { name: 'jobs', path: '/jobs' },
  { name: 'settings', path: '/settings' },
];

async function ask(page: Page): Promise<void> {
  await askIn(page, QUESTION);
  await page.getByRole('button', { name: english.copilot.retry }).waitFor();
  await page.waitForURL(/copilot\/./);
}

async function askBeside(page: Page): Promise<void> {
  await page.getByRole('button', { name: english.qubit.ask, exact: true }).click();
  await page.getByRole('textbox', { name: english.copilot.message }).press('Enter');
  await page.getByRole('button', { name: english.copilot.retry }).waitFor();
}

async function openSteps(page: Page, { copilot }: Words): Promise<void> {
  const answer = page.getByRole('article').last();
  await answer.getByRole('button', { name: copilot.steps(1) }).click();
  await answer.getByRole('button', { name: copilot.showRecord }).first().click();
  await answer.getByRole('region', { name: copilot.result }).getByText('t1').first().waitFor();
  await answer.locator('section').first().scrollIntoViewIfNeeded(); // a chart is drawn when it is looked at
  await answer.locator('.js-plotly-plot').first().waitFor();
}

async function writeWithBuilder(page: Page): Promise<void> {
  const field = page.getByRole('textbox', { name: english.builder.message });
  await field.fill(EDITS);
  await field.press('Enter');
  const description = page.getByRole('textbox', { name: english.newJob.description });
  await until(async () => (await description.inputValue()) === 'Drift of T1', { what: 'the description' });
  await page.locator('.cm-changedLine').first().waitFor();
}

async function makeJob(page: Page): Promise<void> {
  await page.getByLabel(english.newJob.chip, { exact: true }).first().click();
  await page.getByRole('option', { name: 'demo-64' }).click();
  await page.getByRole('textbox', { name: english.newJob.description }).fill(TASK);
  await page.getByRole('button', { name: english.newJob.submit }).click();
  await page.getByText(english.jobs.status.COMPLETED, { exact: true }).first().waitFor();
}
