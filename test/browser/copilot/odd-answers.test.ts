/** Models that misbehave, answers that fail and answers of odd shapes: what a reader gets to see, and can do then. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { AnswerTurn } from '../../../src/agent/turn-run.ts';
import type { TurnActivity } from '../../../src/domain/conversation/turn-activity.ts';
import { completed, text, toolEnd, toolStart } from '../../support/activities.ts';
import { becomes, until } from '../until.ts';
import { seriousFindings } from '../app/browser.ts';
import { describeWithChromium } from '../chromium.ts';
import { askIn, startCopilotBrowser, type CopilotBrowser } from './copilot-browser.ts';

const HOSTILE = `<script>window.hacked = 1</script>
<img src="x" onerror="window.hacked = 1">

[click me](javascript:window.hacked=1) and [me](data:text/html,<script>opener.hacked=1</script>)

![pixel](https://stranger.example/pixel.png) [a page](https://stranger.example/page)`;

const WIDE = `| ${Array.from({ length: 40 }, (_, at) => `column ${at}`).join(' | ')} |
|${' --- |'.repeat(40)}
|${' 12345.678 |'.repeat(40)}

\`\`\`python
${'value = measure(qubit) + '.repeat(40)}
\`\`\`

${'Donaudampfschifffahrt'.repeat(40)}

זמן הרפיה של הקיוביט הוא 42 μs

And from left to right.`;

const LINE = 'word '.repeat(39) + 'end.\n\n';
const FLOOD_LINES = 1_000;
const CALLS = 200;

const visualsOf = (...visuals: Extract<TurnActivity, { type: 'tool-finished' }>['call']['visuals']) => {
  const end = toolEnd('a', false);
  return end.type === 'tool-finished' ? { ...end, call: { ...end.call, visuals } } : end;
};

const BROKEN_CHART = visualsOf({
  type: 'chart',
  title: 'Broken chart',
  kind: 'BAR',
  data: [{ type: 'no such trace', x: 'not a list', y: { deep: [null] } }, 7 as never],
  layout: { xaxis: 'no axis' },
});

const HUGE_TABLE = visualsOf({
  type: 'table',
  title: 'Huge table',
  columns: Array.from({ length: 30 }, (_, at) => ({
    key: `c${at}`,
    label: `Column ${at}`,
    unit: null,
    format: 'number' as const,
  })),
  rows: Array.from({ length: 500 }, (_, row) =>
    Object.fromEntries(Array.from({ length: 30 }, (__, at) => [`c${at}`, at === 3 ? null : row * at])),
  ),
});

/** What is told for each question before the turn ends. */
const TOLD: Readonly<Record<string, readonly TurnActivity[]>> = {
  'be hostile': [text(HOSTILE)],
  'be wide': [text(WIDE)],
  'talk without end': Array.from({ length: FLOOD_LINES }, () => text(LINE)),
  'call and call': Array.from({ length: CALLS }, (_, at) => [
    toolStart(`c${at}`),
    toolEnd(`c${at}`, false),
  ]).flat(),
  'draw nonsense': [toolStart('a'), BROKEN_CHART, text('Drawn.')],
  'list everything': [toolStart('a'), HUGE_TABLE, text('Listed.')],
  'stumble on the way': [
    toolStart('a'),
    {
      type: 'source-fallback',
      from: 'LIVE',
      to: 'SNAPSHOT',
      reason: 'TIMEOUT',
      text: 'Live was late: stored values stand in.',
    },
    toolEnd('a', false),
    text('It is 99'),
    { type: 'reset', keepUntilOffset: 0, reason: 'The model broke off and was asked again.' },
    text('It is 42.5 μs and 7.25 μs.'),
  ],
};

const FAILURES: readonly (readonly [string, boolean, string, readonly string[]])[] = [
  ['EMPTY_ANSWER', true, 'The model returned no answer', ['Try again']],
  ['ANSWER_CUT_OFF', true, 'The answer would have been too long', ['Change the question', 'Try again']],
  ['CONTENT_FILTERED', true, 'The provider withheld the answer', ['Change the question', 'Try again']],
  ['MODEL_UNAVAILABLE', true, 'The model is not responding', ['Try again']],
  ['MODEL_AUTH', false, 'The model cannot be used with this server’s key', ['Open the settings']],
  ['BUDGET_EXCEEDED', false, 'The token budget has been used up', ['Open the settings']],
  ['CONTEXT_TOO_LARGE', false, 'This is more than the model can read at once', ['Change the question']],
  ['OF_A_NEWER_SERVER', false, 'This could not be answered', ['Change the question']],
];

const answerTurn: AnswerTurn = async ({ question, emit }) => {
  const failure = FAILURES.find(([code]) => question.text === `fail: ${code}`);
  if (failure) {
    const [code, retryable] = failure;
    return { ...completed, status: 'FAILED', error: { code, retryable, message: `Words about ${code}.` } };
  }
  for (const activity of TOLD[question.text] ?? [text('Answered.')]) emit(activity);
  const usage = {
    inputTokens: 1_200,
    outputTokens: 34,
    cachedTokens: 0,
    totalTokens: 1_234,
    costUsd: 0.0021,
  };
  return { ...completed, assessment: 'WARNING', strippedTables: 1, usage: { model: 'scripted', ...usage } };
};

describeWithChromium('an odd answer', () => {
  let copilot: CopilotBrowser;
  let page: Page;
  const strangers: string[] = [];
  beforeAll(async () => {
    copilot = await startCopilotBrowser({ answerTurn });
    page = await copilot.open('/copilot');
    page.on('request', (request) => {
      if (request.url().includes('stranger.example')) strangers.push(request.url());
    });
  });
  afterAll(() => copilot?.close());

  // A conversation of its own for each test, whatever the one before it left.
  beforeEach(async () => {
    await page.goto(`${copilot.app.url}/copilot`);
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
  });

  const last = () => page.getByRole('article').last();
  const ask = async (question: string): Promise<void> => {
    await askIn(page, question);
    await page
      .getByRole('article', { name: question, exact: true })
      .getByRole('button', { name: 'Answer again' })
      .waitFor();
  };
  /** Whether neither the page nor the thread can be scrolled sideways. */
  const fits = () =>
    page.evaluate<boolean>(
      `document.documentElement.scrollWidth <= innerWidth &&
       [...document.querySelectorAll('[role=region][aria-label=Conversation]')].every((box) => box.scrollWidth <= box.clientWidth)`,
    );

  test('cannot run anything, lead to a script or call home', async () => {
    await ask('be hostile');
    await becomes(() => last().innerText(), expect.stringContaining('<script>window.hacked = 1</script>'));
    await becomes(() => last().innerText(), expect.stringContaining('pixel'));
    for (const link of await last()
      .getByText(/^(click me|me)$/)
      .all())
      await link.click();
    const links = await last()
      .getByRole('link')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
    expect(links.filter((href) => !/^https?:/.test(href))).toEqual([]);
    expect(await last().locator('img, script, iframe').count()).toBe(0);
    expect(await page.evaluate('window.hacked ?? null')).toBeNull();
    expect(strangers).toEqual([]);
  });

  test('of any width stays in its place, and runs in the direction of its words', async () => {
    await ask('be wide');
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 860 });
      await until(fits, { what: `nothing reaching out of ${width} px` });
    }
    await page.setViewportSize({ width: 1280, height: 860 });
    await copilot.picture(page, 'wide');
    const hebrew = last().getByText('זמן הרפיה').first();
    const english = last().getByText('And from left to right.');
    const edges = (of: typeof hebrew) =>
      of.evaluate((element) => {
        const range = new Range();
        range.selectNodeContents(element as never);
        const words = range.getBoundingClientRect();
        const box = (element as unknown as { getBoundingClientRect(): typeof words }).getBoundingClientRect();
        return [words.left - box.left, box.right - words.right];
      });
    const [[fromLeft = 0, fromRight = 0], [start = 0]] = [await edges(hebrew), await edges(english)];
    expect(fromRight).toBeLessThan(2);
    expect(fromLeft).toBeGreaterThan(100);
    expect(start).toBeLessThan(2);
  });

  test('of 200,000 characters comes whole, and one can still write beside it', async () => {
    await askIn(page, 'talk without end');
    const answer = page.getByRole('article', { name: 'talk without end', exact: true });
    await answer.getByRole('button', { name: 'Answer again' }).waitFor();
    const shown = await answer.evaluate(
      (element) => (element as unknown as { textContent: string }).textContent,
    );
    expect(shown.match(/end\./g)).toHaveLength(FLOOD_LINES);
    const begun = performance.now();
    await page.getByRole('textbox', { name: 'Message' }).pressSequentially('still here');
    process.stdout.write(`ten letters beside 200,000: ${Math.round(performance.now() - begun)} ms\n`);
    await becomes(() => page.getByRole('textbox', { name: 'Message' }).inputValue(), 'still here');
  });

  test('of two hundred steps folds them into one line', async () => {
    await ask('call and call');
    const steps = last().getByRole('button', { name: `${CALLS} steps` });
    await becomes(() => steps.getAttribute('aria-expanded'), 'false');
    await steps.click();
    await until(async () => (await last().getByRole('listitem').count()) === CALLS, { what: 'the steps' });
    await steps.click();
  });

  test('with a chart that cannot be drawn says so in its place, and goes on', async () => {
    await ask('draw nonsense');
    await last().getByText('Drawn.').waitFor();
    const chart = last().getByRole('region', { name: 'Broken chart' });
    await chart.scrollIntoViewIfNeeded();
    await chart.getByText('The chart could not be drawn').waitFor();
    await becomes(() => chart.getByRole('button').count(), 0);
    await copilot.picture(page, 'broken-chart');
  });

  test('with a table of 500 rows shows the first, and all when asked', async () => {
    await ask('list everything');
    const rows = last().getByRole('row');
    expect(await rows.count()).toBeLessThan(20);
    await last().getByText('12 of 500 rows').waitFor();
    await copilot.picture(page, 'huge-table');
    await last().getByRole('button', { name: 'Show all' }).click();
    await until(async () => (await rows.count()) === 501, { what: 'all rows' });
    await becomes(() => rows.nth(1).innerText(), expect.stringContaining('—'));
    expect(await fits()).toBe(true);
    await last().getByRole('button', { name: 'Show less' }).click();
  });

  test('that stumbled on its way says so, also after a reload, with all that is known of it', async () => {
    await ask('stumble on the way');
    const look = async () => (await last().innerText()).replaceAll(/\s+/g, ' ');
    await last().getByRole('list', { name: 'How this answer was produced' }).waitFor();
    await last().getByText('Show arguments and result').waitFor({ state: 'hidden' });
    const before = await look();
    for (const words of [
      'Live was late: stored values stand in.',
      'The model broke off and was asked again.',
      'It is 42.5 μs and 7.25 μs.',
      'Needs attention',
      '2 numbers without a source',
      '1 table by the model left out',
      'scripted · 1,234 tokens · $0.0021',
    ]) {
      expect(before).toContain(words);
    }
    expect(before).not.toContain('99');
    await copilot.picture(page, 'stumbled');
    await page.reload();
    await last().getByRole('button', { name: 'Answer again' }).waitFor();
    expect(await look()).toBe(before);
  });

  test.each(FAILURES)(
    'that failed with %s says it plainly and offers what helps',
    async (code, _again, title, remedies) => {
      await ask(`fail: ${code}`);
      const alert = last().getByRole('alert');
      await alert.getByText(title).waitFor();
      await alert.getByText(`Words about ${code}.`).waitFor();
      await becomes(() => alert.locator('a, button').allTextContents(), remedies);
    },
  );

  test('that failed can be asked again, asked differently, or leads to the settings', async () => {
    await ask('fail: MODEL_AUTH');
    await ask('fail: ANSWER_CUT_OFF');
    await copilot.picture(page, 'failed');
    expect(await seriousFindings(page)).toEqual([]);
    await last().getByRole('button', { name: 'Change the question' }).click();
    const field = last().getByRole('textbox', { name: 'Edit the question' });
    await becomes(() => field.inputValue(), 'fail: ANSWER_CUT_OFF');
    await field.press('Escape');
    await until(() => page.evaluate<boolean>(`document.activeElement.ariaLabel === 'Edit the question'`), {
      what: 'the focus to come back',
    });
    const settings = page.getByRole('link', { name: 'Open the settings' }).first();
    await becomes(() => settings.getAttribute('href'), '/projects/demo/settings');
    await page.getByRole('button', { name: 'Try again' }).last().click();
    await last().getByText('2 of 2').waitFor();
  });

  test('leaves no complaint', () => {
    expect(copilot.complaints).toEqual([]);
  });
});
