/** Answers that are slow, broken off or watched twice. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { AnswerTurn } from '../../../src/agent/turn-run.ts';
import { completed, text, toolEnd, toolStart } from '../../support/activities.ts';
import { post } from '../../support/graphql-client.ts';
import { becomes, until } from '../until.ts';
import { describeWithChromium } from '../chromium.ts';
import { askIn, startCopilotBrowser, type CopilotBrowser } from './copilot-browser.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';

const TOKEN_MS = 10;
const TOKENS = 300;

/** What answers wait for in their middle. */
let proceed = Promise.withResolvers<void>();

const answerTurn: AnswerTurn = async ({ question, emit, signal }) => {
  const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  if (question.text.startsWith('count')) {
    for (let token = 1; token <= TOKENS; token += 1) {
      emit(text(`word${token} ${token % 40 === 0 ? '\n\n' : ''}`));
      await new Promise((resolve) => setTimeout(resolve, TOKEN_MS));
    }
    return completed;
  }
  emit(text('First half, '));
  emit(toolStart('a'));
  await Promise.race([proceed.promise, aborted]);
  signal.throwIfAborted();
  emit(toolEnd('a'));
  emit(text('second half.'));
  return completed;
};

/** For a page: timers of ten seconds, which are those of the pings, never come. */
const WITHOUT_PINGS = `{
  const later = globalThis.setTimeout;
  globalThis.setTimeout = (run, ms, ...given) => (ms === 10_000 ? 0 : later(run, ms, ...given));
}`;

const SEND = `mutation ($input: SendMessageInput!) { sendMessage(input: $input) { __typename } }`;

describeWithChromium('an answer that takes its time', () => {
  let copilot: CopilotBrowser;
  let proxy: TcpProxy;
  let page: Page;
  beforeAll(async () => {
    copilot = await startCopilotBrowser({ demo: true, answerTurn });
    proxy = await startTcpProxy(copilot.app.url);
    const context = await copilot.browser.newContext({
      viewport: { width: 1280, height: 860 },
      locale: 'en-US',
    });
    page = await copilot.open('/copilot', { url: proxy.url, context });
  });
  afterAll(async () => {
    await proxy?.close();
    await copilot?.close();
  });

  // A conversation of its own for each test, whatever the one before it left.
  beforeEach(async () => {
    proceed.resolve();
    proxy.mend();
    for (const other of page.context().pages()) if (other !== page) await other.close();
    await page.goto(`${proxy.url}/copilot`);
    await page.evaluate('localStorage.clear()');
    await page.reload();
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
  });

  const last = (of: Page) => of.getByRole('article').last();
  const begin = async (question: string, of = page): Promise<void> => {
    proceed = Promise.withResolvers();
    await askIn(of, question);
    await of.getByRole('article', { name: question, exact: true }).getByText('First half,').waitFor();
  };
  const isWhole = async (of: Page): Promise<void> => {
    await last(of).getByText('second half.').waitFor();
    // Not `innerText`: a tab in the background draws nothing.
    const words = (await last(of).textContent()) ?? '';
    expect(words.match(/First half,/g)).toHaveLength(1);
    expect(words.match(/second half\./g)).toHaveLength(1);
  };

  test('waits in line behind others, with its place, and begins once there is room', async () => {
    proceed = Promise.withResolvers();
    // As many as one person may have answered at once.
    for (const id of ['1', '2', '3', '4']) {
      const input = { content: `held ${id}`, clientMessageId: `held-${id}`, chipId: 'demo-64' };
      await post(copilot.app.url, SEND, { variables: { input } });
    }
    await askIn(page, 'and mine?');
    await last(page).getByText('Waiting for a free place: next.').waitFor();
    await copilot.picture(page, 'waiting');
    proceed.resolve();
    await isWhole(page);
  });

  test('shows its running step, goes on after a reload in its middle, and is the same in a second tab', async () => {
    await begin('slowly');
    const steps = last(page).getByRole('button', { name: /Thinking|step/ });
    await becomes(() => steps.getAttribute('aria-expanded'), 'true');
    await copilot.picture(page, 'running');
    await page.reload();
    await last(page).getByText('First half,').waitFor();
    const second = await copilot.open(new URL(page.url()).pathname);
    await last(second).getByText('First half,').waitFor();
    proceed.resolve();
    await Promise.all([isWhole(page), isWhole(second)]);
    await askIn(second, 'slowly, from the other tab');
    for (const each of [page, second])
      await each.getByRole('article', { name: 'slowly, from the other tab', exact: true }).waitFor();
    await Promise.all([isWhole(page), isWhole(second)]);
    await second.close();
  });

  test('survives a cut connection, and says that it reconnects', async () => {
    await begin('through a cut');
    proxy.cut();
    await page.getByText('Reconnecting…').waitFor();
    await copilot.picture(page, 'reconnecting');
    proceed.resolve();
    proxy.mend();
    await isWhole(page);
    await page.getByText('Reconnecting…').waitFor({ state: 'detached' });
  });

  test('goes on when the page wakes, though its connection died without a sign in its sleep', async () => {
    const sleeper = await page.context().newPage();
    // The sockets' own pings would find out, too, but much later.
    await sleeper.addInitScript(WITHOUT_PINGS);
    await sleeper.goto(`${proxy.url}/copilot`);
    await begin('through a sleep', sleeper);
    const turnTo = (state: 'hidden' | 'visible') =>
      sleeper.evaluate(
        `Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
         document.dispatchEvent(new Event('visibilitychange'))`,
      );
    await turnTo('hidden');
    proxy.freeze();
    await sleeper.evaluate('{ const asleep = Date.now() + 60_000; Date.now = () => asleep }');
    proceed.resolve();
    await turnTo('visible');
    await isWhole(sleeper);
    await sleeper.close();
  });

  test('that the server’s restart interrupts says so and can be asked again', async () => {
    await begin('through a restart');
    await copilot.app.restart();
    await page.getByText('The answer was cut off').waitFor();
    await becomes(() => last(page).innerText(), expect.stringContaining('First half,'));
    await copilot.picture(page, 'interrupted');
    proceed.resolve();
    await last(page).getByRole('button', { name: 'Answer again' }).click();
    await isWhole(page);
  });

  test('can be stopped, and the next message works', async () => {
    await begin('to be stopped');
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await last(page).getByText('Stopped.').waitFor();
    // Also where its turn is not there yet.
    await askIn(page, 'to be stopped at once');
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    const hurried = page.getByRole('article', { name: 'to be stopped at once', exact: true });
    await hurried.getByText('Stopped.').waitFor();
    await begin('after that');
    proceed.resolve();
    await isWhole(page);
  });

  test('is stopped, edited and rated in one tab, and the other tab shows it', async () => {
    await begin('watched twice');
    const second = await copilot.open(new URL(page.url()).pathname, {
      url: proxy.url,
      context: page.context(),
    });
    await last(second).getByText('First half,').waitFor();
    await second.getByRole('button', { name: 'Stop', exact: true }).click();
    await Promise.all([page, second].map((each) => last(each).getByText('Stopped.').waitFor()));

    proceed.resolve();
    await last(second).getByRole('button', { name: 'Edit the question' }).click();
    await second.getByRole('textbox', { name: 'Edit the question' }).fill('watched differently');
    await second.getByRole('button', { name: 'Ask', exact: true }).click();
    for (const each of [page, second]) {
      await each.getByRole('article', { name: 'watched differently', exact: true }).waitFor();
      await isWhole(each);
      await last(each).getByText('2 of 2').waitFor();
    }

    const stars = last(second).getByRole('radio', { name: '4 stars' });
    await second
      .locator(`label[for="${await stars.getAttribute('id')}"]`)
      .last()
      .click();
    await until(() => last(page).getByRole('radio', { name: '4 stars' }).isChecked(), {
      what: 'the rating in the other tab',
    });
    await second.close();
  });

  test('is asked once, however hurried the reader is, and one of two tabs that ask at once keeps its words', async () => {
    proceed = Promise.withResolvers();
    const field = page.getByRole('textbox', { name: 'Message' });
    await field.fill('in a hurry');
    await page.evaluate(`{
      const press = () => document.querySelector('textarea').dispatchEvent(
        new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
      press(); press(); press();
    }`);
    await page
      .getByRole('article', { name: 'in a hurry', exact: true })
      .first()
      .getByText('First half,')
      .waitFor();
    expect(await page.getByRole('article', { name: 'in a hurry', exact: true }).count()).toBe(1);
    // The other tab knows nothing of the running answer, as when its connection is slow.
    const second = await copilot.open(new URL(page.url()).pathname, {
      url: proxy.url,
      context: page.context(),
    });
    proceed.resolve();
    await isWhole(page);
    await second.routeWebSocket(/graphql/, () => undefined);
    await second.reload();
    await isWhole(second);
    await begin('first');
    await askIn(second, 'second');
    await second.getByText('still being answered').first().waitFor();
    await becomes(() => second.getByRole('textbox', { name: 'Message' }).inputValue(), 'second');
    proceed.resolve();
    await isWhole(page);
    await second.close();
  });

  test('goes on in a tab that nobody looks at', async () => {
    await begin('in the background');
    await page.evaluate(
      `Object.defineProperty(document, 'hidden', { value: true, configurable: true });
       globalThis.requestAnimationFrame = () => 0`,
    );
    proceed.resolve();
    await isWhole(page);
    await page.reload();
    await isWhole(page);
  });

  test('is had with the keyboard alone', async () => {
    const field = page.getByRole('textbox', { name: 'Message' });
    await field.focus();
    await page.keyboard.type('one line');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('and another');
    await becomes(() => field.inputValue(), 'one line\nand another');
    await page.reload();
    await until(async () => (await field.inputValue()) === 'one line\nand another', { what: 'the draft' });
    await field.focus();
    proceed.resolve();
    await page.keyboard.press('Enter');
    await isWhole(page);
    await page.keyboard.press('Shift+Tab');
    expect(await page.evaluate('document.activeElement?.closest("article, [role=region]") !== null')).toBe(
      true,
    );
  });

  test('of a hundred words a second does not slow the typing', async () => {
    await askIn(page, 'count');
    await last(page).getByText('word1 ').first().waitFor();
    await page.evaluate(
      `globalThis.slow = []; new PerformanceObserver((list) => slow.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: 'event', durationThreshold: 16 });`,
    );
    await page
      .getByRole('textbox', { name: 'Message' })
      .pressSequentially('a draft for the next question', { delay: 40 });
    const slow = (await page.evaluate('slow')) as readonly number[];
    process.stdout.write(
      `typing beside 100 words/s: ${slow.length} events of 16 ms or more, the longest ${Math.max(0, ...slow)} ms\n`,
    );
    await last(page).getByText(`word${TOKENS}`).waitFor();
    const words = await last(page).innerText();
    expect(words.match(/word\d+/g)?.map((word) => Number(word.slice(4)))).toEqual(
      Array.from({ length: TOKENS }, (_, index) => index + 1),
    );
    expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe(
      'a draft for the next question',
    );
  });

  test('leaves no complaint but of the connections that were cut', () => {
    expect(
      copilot.complaints.filter((words) => !/WebSocket|ERR_CONNECTION|Failed to load/.test(words)),
    ).toEqual([]);
  });
});
