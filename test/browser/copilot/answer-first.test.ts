/** How an answer is laid out: its words first, one picture beside them, everything else folded. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import type { AnswerTurn } from '../../../src/agent/turn-run.ts';
import type { TurnActivity } from '../../../src/domain/conversation/turn-activity.ts';
import type { ChartSpec, TableSpec } from '../../../src/domain/visuals.ts';
import { completed, text, toolEnd, toolStart } from '../../support/activities.ts';
import { becomes, until } from '../until.ts';
import { seriousFindings } from '../app/browser.ts';
import { describeWithChromium } from '../chromium.ts';
import { askIn, startCopilotBrowser, type CopilotBrowser } from './copilot-browser.ts';

const bars = (title: string): ChartSpec => ({
  type: 'chart',
  title,
  kind: 'BAR',
  data: [{ type: 'bar', x: ['Q0', 'Q1'], y: [40, 50] }],
  layout: {},
});
const table = (title: string): TableSpec => ({
  type: 'table',
  title,
  columns: [{ key: 'q', label: 'Qubit', unit: null, format: 'text' }],
  rows: Array.from({ length: 40 }, (_, row) => ({ q: `Q${row}` })),
});
const measured = (
  callId: string,
  ...visuals: readonly (ChartSpec | TableSpec)[]
): readonly TurnActivity[] => {
  const end = toolEnd(callId, false);
  return end.type === 'tool-finished' ? [toolStart(callId), { ...end, call: { ...end.call, visuals } }] : [];
};

const WORDS = 'Q0 has the shortest T1.';
const EVIDENCE = [
  ...measured('a', bars('T1, lowest first'), table('T1, lowest first')),
  ...measured('b', bars('T2'), table('T2'), table('Failed runs')),
];
const TECHNICAL = String.raw`The decay is $e^{-t/T_1}$, so \(T_2 \le 2 T_1\), and

\[ \frac{1}{T_2} = \frac{1}{2 T_1} + \frac{1}{T_\varphi} \]

It costs $5 and $10. A formula that is none: $\frac{$ stays.

~~~python
def fit(times):  # seconds
    return "T1", 2 * len(times)
~~~
`;
const LINES = 300;

let proceed = Promise.withResolvers<void>();
const answerTurn: AnswerTurn = async ({ question, emit }) => {
  if (question.text === 'explain') emit(text(TECHNICAL));
  else for (const activity of EVIDENCE) emit(activity);
  if (question.text.startsWith('at length')) {
    emit(text(`${WORDS}\n\n`));
    await proceed.promise;
    for (let line = 0; line < LINES; line += 1) {
      emit(text(`- Q${line} has **${line}.5 μs**, which is \`measured\`.\n`));
      if (line % 4 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    }
  } else if (question.text !== 'explain') emit(text(WORDS));
  return completed;
};

/** Gathers in `shifts` what moved by itself, and in `longTasks` how long the page's thread was held. */
const WATCH = `globalThis.shifts = []; globalThis.longTasks = [];
  new PerformanceObserver((list) => shifts.push(...list.getEntries().filter(({ hadRecentInput }) => !hadRecentInput)
    .map(({ value, sources }) => [value, ...sources.map(({ node }) => node?.outerHTML?.slice(0, 80) ?? node?.data)])))
    .observe({ type: 'layout-shift' });
  new PerformanceObserver((list) => longTasks.push(...list.getEntries().map(({ duration }) => duration)))
    .observe({ type: 'longtask' });`;

describeWithChromium('an answer', () => {
  let copilot: CopilotBrowser;
  let page: Page;
  beforeAll(async () => {
    copilot = await startCopilotBrowser({ answerTurn });
    page = await copilot.open('/copilot');
    await askIn(page, 'Which qubits have the shortest T1?');
    await last().getByRole('button', { name: 'Answer again' }).waitFor();
  });
  afterAll(() => copilot?.close());

  const last = () => page.getByRole('article').last();
  const evidence = () => last().getByRole('button', { name: /^Evidence/ });
  const topOf = async (part: Locator): Promise<number> => (await part.boundingBox())!.y;
  const words = () => last().getByText(WORDS);
  const picture = () => last().getByRole('region', { name: 'T1, lowest first' });

  test('begins with its words, right below the question, and has one picture beside them', async () => {
    await picture().locator('.js-plotly-plot').waitFor();
    const question = (await last().getByRole('heading', { level: 2 }).boundingBox())!;
    expect((await topOf(words())) - (question.y + question.height)).toBeLessThan(120);
    expect(Math.abs((await topOf(words())) - (await topOf(picture())))).toBeLessThan(20);
    expect((await picture().boundingBox())!.x).toBeGreaterThan((await words().boundingBox())!.x + 300);
    expect(await last().locator('.js-plotly-plot').count()).toBe(1);
    expect(await topOf(evidence())).toBeGreaterThan(await topOf(words()));
  });

  test('has its picture below its words on a phone, and its evidence below that', async () => {
    await page.setViewportSize({ width: 390, height: 860 });
    await until(async () => (await topOf(picture())) > (await topOf(words())), { what: 'words above' });
    expect(await topOf(evidence())).toBeGreaterThan(await topOf(picture()));
    await copilot.picture(page, 'answer-first');
    await page.setViewportSize({ width: 1280, height: 860 });
  });

  test('counts what is folded, and unfolds it', async () => {
    await becomes(() => evidence().innerText(), 'Evidence: 1 chart, 1 table');
    expect(await last().getByRole('region', { name: 'Failed runs' }).count()).toBe(0);
    await evidence().click();
    await last().getByRole('region', { name: 'Failed runs' }).first().waitFor();
    await last().getByRole('region', { name: 'T2' }).locator('.js-plotly-plot').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
  });

  test('turns a chart into the table of its values and back by keyboard', async () => {
    const press = async (name: string) => {
      const button = last().getByRole('button', { name });
      await button.focus();
      await page.keyboard.press('Enter');
    };
    await press('Show T1, lowest first as a table');
    await picture().getByText('12 of 40 rows').waitFor();
    const focused = () => page.evaluate('document.activeElement.ariaLabel');
    await becomes(focused, 'Show T1, lowest first as a chart');
    await press('Show T1, lowest first as a chart');
    await picture().locator('.js-plotly-plot').waitFor();
  });

  test('shows the table first where the question asks for one', async () => {
    await askIn(page, 'List the failed runs in a table');
    await evidence().waitFor();
    await last().getByRole('region', { name: 'Failed runs' }).first().waitFor();
    await becomes(() => evidence().innerText(), 'Evidence: 2 charts');
  });

  test.each([1280, 390])('moves nothing that is read while it grows, at %i px', async (width) => {
    proceed = Promise.withResolvers();
    await page.setViewportSize({ width, height: 860 });
    await page.goto(`${copilot.app.url}/copilot`);
    await askIn(page, `at length, ${width}`);
    await words().waitFor();
    if (width === 1280) await picture().locator('.js-plotly-plot').waitFor();
    await page.evaluate(
      'Promise.allSettled(document.getAnimations().filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity).map(({ finished }) => finished)).then(() => null)',
    );
    await page.evaluate(WATCH);
    proceed.resolve();
    await last()
      .getByText(`Q${LINES - 1} has`)
      .waitFor();
    const shifts = (await page.evaluate('shifts')) as readonly (readonly unknown[])[];
    const longTasks = (await page.evaluate('longTasks')) as readonly number[];
    process.stdout.write(
      `${LINES} lines at ${width} px: ${longTasks.length} tasks over 50 ms, the longest ${Math.max(0, ...longTasks)} ms\n`,
    );
    expect(shifts).toEqual([]);
    // While it runs, Enter sends nothing.
    await last().getByRole('button', { name: 'Answer again' }).waitFor();
  });

  test('sets formulas and colours code, and takes money for what it is', async () => {
    await page.setViewportSize({ width: 1280, height: 860 });
    await askIn(page, 'explain');
    await becomes(() => last().locator('math').count(), 3);
    await becomes(() => last().locator('math[display=block] mfrac').count(), 3);
    await last().getByText('It costs $5 and $10. A formula that is none: $\\frac{$ stays.').waitFor();
    await last().locator('.hljs-keyword', { hasText: 'def' }).waitFor();
    await copilot.picture(page, 'technical');
    await page.mouse.move(640, 400);
    expect(await seriousFindings(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await seriousFindings(page)).toEqual([]);
  });

  test('leaves no complaint', () => {
    expect(copilot.complaints).toEqual([]);
  });
});
