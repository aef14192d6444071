/** Every page, in both colours and from a phone to a wall: nothing shuts anybody out. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import type { AnswerTurn } from '../../../src/agent/turn-run.ts';
import type { TurnActivity } from '../../../src/domain/conversation/turn-activity.ts';
import type { ChartSpec } from '../../../src/domain/visuals.ts';
import { completed, text, toolEnd, toolStart } from '../../support/activities.ts';
import { builtClient } from '../../support/built-client.ts';
import { createTestApp, type TestApp } from '../../support/create-test-app.ts';
import { becomes, until } from '../until.ts';
import { describeWithChromium, openBrowser } from '../chromium.ts';
import { askIn } from '../copilot/copilot-browser.ts';
import { openTab, seriousFindings, wearColors, whole } from './browser.ts';
import { walkByTab } from './keyboard-walk.ts';

const ANSWER =
  '## What was found\n\nThe median is 42 μs.\n\n- one\n- two\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n';

/** As a model may write it: Plotly draws cells without gaps as a picture, and boxes by a way of their own. */
const figureOf = (kind: 'HEATMAP' | 'BOX', trace: object): ChartSpec => ({
  type: 'chart',
  title: `A ${kind} of the model`,
  kind,
  data: [trace as ChartSpec['data'][number]],
  layout: {},
});
const FIGURES = [
  figureOf('HEATMAP', {
    type: 'heatmap',
    z: [
      [40, 50],
      [60, null],
    ],
  }),
  figureOf('BOX', { type: 'box', y: [40, 50, 60, 45] }),
];

const ended = (): TurnActivity => {
  const end = toolEnd('a');
  return end.type === 'tool-finished' ? { ...end, call: { ...end.call, visuals: FIGURES } } : end;
};

const answerTurn: AnswerTurn = async ({ question, emit, signal }) => {
  emit(toolStart('a'));
  if (question.text === 'be slow') {
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    signal.throwIfAborted();
  }
  if (question.text === 'fail') {
    const error = { code: 'MODEL_ERROR', message: 'The model is not there.', retryable: true } as const;
    return { ...completed, status: 'FAILED', error };
  }
  emit(ended());
  emit(text(ANSWER));
  return completed;
};

/** Brings a page from its address to the state that is looked at. */
type Prepare = (page: Page) => Promise<void>;

const nothing: Prepare = async () => undefined;
const answered: Prepare = async (page) => {
  await askIn(page, 'answer');
  await page.getByRole('button', { name: 'Answer again' }).waitFor();
  const answer = page.getByRole('article').last();
  await answer.getByRole('button', { name: /^Evidence: / }).click();
  const figures = answer.locator('section');
  for (const figure of await figures.all()) await figure.scrollIntoViewIfNeeded(); // they are drawn when they are looked at
  await until(async () => (await figures.locator('.js-plotly-plot').count()) === FIGURES.length, {
    what: 'all figures',
  });
};
const running: Prepare = async (page) => {
  await askIn(page, 'be slow');
  await page.getByRole('button', { name: 'Stop' }).waitFor();
  await page.getByRole('listitem').filter({ hasText: 'Looking' }).waitFor();
};
const failed: Prepare = async (page) => {
  await askIn(page, 'fail');
  await page.getByText('The model is not there.').first().waitFor();
};
const withPanel: Prepare = async (page) => {
  await page.getByRole('button', { name: 'Ask about this', exact: true }).click();
  await page.getByRole('textbox', { name: 'Message' }).waitFor();
};

const PAGES: readonly (readonly [string, string, string, Prepare])[] = [
  ['the chip', '/chips/demo-64?qubits=0,3', 'demo-64', nothing],
  ['a qubit', '/chips/demo-64/qubits/12', 'Q12', nothing],
  ['a qubit with the copilot beside it', '/chips/demo-64/qubits/12', 'Q12', withPanel],
  ['the copilot before a question', '/copilot', 'Copilot', nothing],
  ['the copilot with an answer', '/copilot', 'Copilot', answered],
  ['the copilot while it answers', '/copilot', 'Copilot', running],
  ['the copilot where an answer failed', '/copilot', 'Copilot', failed],
  ['the jobs', '/jobs', 'Jobs', nothing],
  ['a new job', '/jobs/new', 'New job', nothing],
  ['the settings', '/settings', 'Settings', nothing],
  ['no page', '/nowhere', 'Page not found', nothing],
  ['no chip', '/chips/nothing', 'Chip nothing not found', nothing],
  ['no qubit', '/chips/demo-64/qubits/999', 'Qubit 999 not found on demo-64', nothing],
];

/** Levels of the headings that are shown, in their order. */
const LEVELS = `[...document.querySelectorAll('h1, h2, h3, h4, h5, h6')]
  .filter((heading) => heading.checkVisibility()).map(({ tagName }) => Number(tagName[1]))`;
const SCROLL_WIDTH = 'document.documentElement.scrollWidth';
const RUNNING_ANIMATIONS = `document.getAnimations().filter(({ playState }) => playState === 'running').length`;

describeWithChromium('access', () => {
  let app: TestApp;
  let browser: Browser;
  beforeAll(async () => {
    const client = await builtClient();
    [app, browser] = await Promise.all([createTestApp({ demo: true, client, answerTurn }), openBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
  });

  test.each(PAGES)('%s', async (_name, path, title, prepare) => {
    const { page, complaints } = await openTab(browser, app.url + path, { reducedMotion: 'reduce' });
    const settled = (): Promise<unknown> => (prepare === running ? page.waitForLoadState() : whole(page));
    await prepare(page);
    await settled();
    await becomes(() => page.locator('h1').allTextContents(), [title]);
    await becomes(() => page.getAttribute('html', 'lang'), 'en');
    const levels = await page.evaluate<readonly number[]>(LEVELS);
    expect(levels.filter((level, at) => level > (levels[at - 1] ?? 0) + 1)).toEqual([]);
    await becomes(() => page.evaluate(RUNNING_ANIMATIONS), 0);

    for (const width of [1920, 1280, 390]) {
      await page.setViewportSize({ width, height: 844 });
      await settled();
      await until(async () => (await page.evaluate(SCROLL_WIDTH)) === width, {
        what: `nothing reaching out of ${width} px`,
      });
      if (width === 1280) expect(await seriousFindings(page)).toEqual([]);
      if (width === 1920) continue;
      const { stops, ...faults } = await walkByTab(page);
      expect(stops).toBeGreaterThan(4);
      expect({ width, ...faults }).toEqual({ width, unreached: [], outOfOrder: [], unseen: [] });
    }
    await wearColors(page, 'dark');
    await settled();
    expect([await seriousFindings(page), complaints]).toEqual([[], []]);
    await page.context().close();
  });
});
