/** What goes along with a question: pictures, the page that it is asked on; and what becomes of conversations. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page, Request } from 'playwright-core';
import type { TurnRun } from '../../../src/agent/turn-run.ts';
import { completed, text } from '../../support/activities.ts';
import { becomes, until } from '../until.ts';
import { describeWithChromium } from '../chromium.ts';
import { askIn, startCopilotBrowser, type CopilotBrowser } from './copilot-browser.ts';

/** A picture of 2 by 2 pixels, drawn by the page itself, as a file of `name`. */
const drawFile = (name: string): string => `(async () => {
  const canvas = Object.assign(document.createElement('canvas'), { width: 2, height: 2 });
  canvas.getContext('2d').fillRect(0, 0, 1, 1);
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
  const transfer = new DataTransfer();
  transfer.items.add(new File([blob], '${name}', { type: 'image/png' }));
  return transfer;
})()`;

const isOfMessage = (request: Request): boolean => request.postData()?.includes('clientMessageId') === true;

/** Holds back the answers to messages until what is returned is resolved. */
async function holdAnswers(page: Page): Promise<PromiseWithResolvers<void>> {
  const held = Promise.withResolvers<void>();
  await page.route('**/graphql', async (route, request) => {
    if (!isOfMessage(request)) return route.continue();
    const response = await route.fetch();
    await held.promise;
    await route.fulfill({ response });
  });
  return held;
}

describeWithChromium('a question in a browser', () => {
  let copilot: CopilotBrowser;
  let page: Page;
  const runs: TurnRun[] = [];
  beforeAll(async () => {
    copilot = await startCopilotBrowser({
      demo: true,
      env: { OPENAI_API_KEY: 'sk-not-used' },
      answerTurn: async (run) => {
        runs.push(run);
        if (run.question.text === 'Wait for me') {
          run.emit(text('Looking. '));
          await until(async () => (await run.joinMessages?.())?.length, { what: 'a message that joins' });
        }
        run.emit(text('Seen.'));
        return completed;
      },
    });
    page = await copilot.open('/copilot');
  });
  afterAll(() => copilot?.close());

  const field = (on = page) => on.getByRole('textbox', { name: 'Message' });
  const isAnswered = (on = page) => on.getByText('Seen.').last().waitFor();
  const asked = () => runs.at(-1)!;

  test('takes pictures that are pasted, dropped or chosen, and shows them with the question', async () => {
    await field().waitFor();
    const give = (event: string, how: string, name: string) =>
      page.evaluate(
        `${drawFile(name)}.then((transfer) => document.querySelector('textarea').dispatchEvent(
           new ${event}('${how}', { bubbles: true, cancelable: true, clipboardData: transfer, dataTransfer: transfer })))`,
      );
    await give('ClipboardEvent', 'paste', 'pasted.png');
    await give('DragEvent', 'drop', 'dropped.png');
    const picture = await page.screenshot({ clip: { x: 0, y: 0, width: 8, height: 8 } });
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'chosen.png', mimeType: 'image/png', buffer: picture });
    const names = ['pasted.png', 'dropped.png', 'chosen.png'];
    for (const name of names) {
      const width = `document.querySelector('img[alt="${name}"]')?.naturalWidth`;
      await until(() => page.evaluate<number>(width), { what: `the picture of ${name}` });
    }
    await page.getByRole('button', { name: 'Remove dropped.png' }).click();
    await askIn(page, 'What is on these?');
    await isAnswered();
    const shown = page.getByRole('article').last().getByAltText('Attached picture');
    await becomes(() => shown.count(), 2);
    const widths = `[...document.querySelectorAll('article img')].map(({ naturalWidth }) => naturalWidth)`;
    await until(async () => String(await page.evaluate(widths)) === '2,8', { what: 'both pictures' });
  });

  test('says which files cannot go along, and why', async () => {
    const notes = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('text') };
    const huge = { name: 'huge.png', mimeType: 'image/png', buffer: Buffer.alloc(5 * 1024 * 1024 + 1) };
    await page.locator('input[type=file]').setInputFiles([notes, huge]);
    const alert = page.getByRole('alert');
    await alert.getByText('notes.txt: only PNG, JPEG and WebP pictures can be attached').waitFor();
    await alert.getByText('huge.png: larger than 5 MB').waitFor();
    await copilot.picture(page, 'refused-files');
    await alert.getByRole('button', { name: 'Close' }).click();
    await alert.getByText('notes.txt').waitFor({ state: 'detached' });
    await becomes(() => page.getByRole('button', { name: /^Remove/ }).count(), 0);
  });

  test('goes to the model that was chosen, which may be one that looks at no pictures', async () => {
    const model = page.getByRole('combobox', { name: 'Model' });
    const whole = await model.inputValue();
    await model.click();
    await page.getByRole('option', { name: 'offline-analyst' }).click();
    await page.getByRole('button', { name: 'Attach pictures' }).waitFor({ state: 'detached' });
    await askIn(page, 'Which model are you?');
    await until(() => asked().question.text === 'Which model are you?', { what: 'the question' });
    await isAnswered();
    expect(asked().turn.model).toBe('offline-analyst');
    await model.click();
    await page.getByRole('option', { name: whole, exact: true }).click();
  });

  test('that is asked beside a qubit knows the qubit, and stays open on the next page', async () => {
    const beside = await copilot.open('/chips/demo-64/qubits/12');
    const panel = beside.getByRole('complementary', { name: 'Copilot beside the page' });
    const subject = (name: string) => panel.getByRole('combobox', { name, exact: true });
    await beside.getByRole('button', { name: 'Ask about this', exact: true }).click();
    await until(async () => (await field(beside).inputValue()).includes('Q12'), { what: 'the words' });
    await becomes(() => subject('Chip').inputValue(), 'demo-64');
    await becomes(() => subject('Qubit').inputValue(), 'Q12');
    await field(beside).press('Enter');
    await isAnswered(beside);
    expect(asked().session).toMatchObject({ chipId: 'demo-64', qid: '12' });
    await beside.getByRole('link', { name: 'demo-64' }).click();
    await beside.getByRole('heading', { name: 'Health' }).waitFor();
    await isAnswered(beside);
    await panel.getByRole('button', { name: 'New conversation' }).click();
    await until(
      async () =>
        (await subject('Qubit').count()) === 1 &&
        (await subject('Qubit').inputValue()) === '' &&
        (await subject('Chip').inputValue()) === 'demo-64',
      { what: 'the chip alone' },
    );
    await askIn(beside, 'And the chip?');
    await until(() => asked().question.text === 'And the chip?', { what: 'the question about the chip' });
    await isAnswered(beside);
    expect(asked().session).toMatchObject({ chipId: 'demo-64', qid: null });
    await beside.close();
  });

  test('about one task result knows the result, in a conversation of its own', async () => {
    const beside = await copilot.open('/chips/demo-64/qubits/12');
    const panel = beside.getByRole('complementary', { name: 'Copilot beside the page' });
    await beside
      .getByRole('button', { name: /^Ask about this Check/ })
      .first()
      .click();
    await until(async () => (await field(beside).inputValue()).startsWith('What does this result of Check'), {
      what: 'the words',
    });
    const remove = panel.getByRole('button', { name: /^Don’t ask about Check/ });
    await remove.waitFor();
    await copilot.picture(beside, 'task-subject');
    await field(beside).press('Enter');
    await isAnswered(beside);
    const { chipId, qid, taskId } = asked().session;
    expect([chipId, qid]).toEqual(['demo-64', '12']);
    expect(taskId).toMatch(/\w/);
    await beside.close();
  });

  test('its conversation is renamed, and deleted only when that is confirmed', async () => {
    const list = page.getByRole('navigation', { name: 'Conversations' });
    const menu = async (title: string, what: string) => {
      await list.getByRole('button', { name: `Actions for ${title}` }).click();
      await page.getByRole('menuitem', { name: what }).click();
    };
    await menu('What is on these?', 'Rename');
    await list.getByRole('textbox', { name: 'Rename' }).fill('Two pictures');
    await page.keyboard.press('Enter');
    await list.getByRole('button', { name: 'Two pictures', exact: true }).waitFor();
    await page.reload();
    await list.getByRole('button', { name: 'Two pictures', exact: true }).waitFor();

    await menu('Two pictures', 'Delete');
    const dialog = page.getByRole('dialog', { name: 'Delete this conversation?' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await menu('Two pictures', 'Delete');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'What would you like to know?' }).waitFor();
    await list.getByRole('button', { name: 'Two pictures', exact: true }).waitFor({ state: 'detached' });
  });

  test('whose server is slow shows once, and what is written meanwhile goes along into its conversation', async () => {
    const late = await copilot.open('/copilot');
    const answer = await holdAnswers(late);
    await field(late).waitFor();
    await askIn(late, 'Taken late');
    await late.getByText('Taken late', { exact: true }).waitFor();
    await field(late).fill('Written meanwhile');
    answer.resolve();
    await isAnswered(late);
    await late.waitForURL(/copilot\/./);
    await becomes(() => field(late).inputValue(), 'Written meanwhile');
    await becomes(() => late.getByRole('article').count(), 1);
    await late.getByRole('button', { name: 'New conversation' }).click();
    await late.getByRole('heading', { name: 'What would you like to know?' }).waitFor();
    await becomes(() => field(late).inputValue(), '');
    await late.close();
  });

  test('does not bring its reader back who has left for another page', async () => {
    const left = await copilot.open('/copilot');
    const answer = await holdAnswers(left);
    await field(left).waitFor();
    await askIn(left, 'Left behind');
    await left.getByRole('link', { name: 'Jobs' }).first().click();
    await left.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor();
    const taken = left.waitForResponse((response) => isOfMessage(response.request()));
    answer.resolve();
    await (await taken).finished();
    await left.getByRole('link', { name: 'Copilot' }).first().click();
    await left.getByRole('button', { name: 'Left behind', exact: true }).waitFor();
    expect(new URL(left.url()).pathname).toBe('/projects/demo/copilot');
    await left.close();
  });

  test('that is sent while an answer runs is read by that answer, and shown where it was read', async () => {
    const steering = await copilot.open('/copilot');
    await field(steering).waitFor();
    await askIn(steering, 'Wait for me');
    await steering.getByRole('article').getByText('Looking.').waitFor();
    await becomes(() => steering.getByRole('button', { name: 'Send now' }).count(), 0);
    await field(steering).fill('Only qubit 3');
    await copilot.picture(steering, 'send-now');
    await steering.getByRole('button', { name: 'Send now' }).click();
    const answer = steering.getByRole('article', { name: 'Wait for me' });
    const joined = answer.getByRole('note', { name: 'Added while the answer was made' });
    await joined.getByText('Only qubit 3').waitFor();
    await isAnswered(steering);
    const order = async (): Promise<boolean> =>
      /Looking\.[^]*Only qubit 3[^]*Seen\./u.test(await answer.innerText());
    await until(order, { what: 'the message in its place' });
    await becomes(() => steering.getByRole('article').count(), 1);
    await copilot.picture(steering, 'steered');
    await steering.reload();
    await isAnswered(steering);
    await until(order, { what: 'the message in its place after a reload' });
    await becomes(() => steering.getByRole('article').count(), 1);
    await steering.close();
  });

  test('can be asked in Japanese', async () => {
    const context = await copilot.browser.newContext({ locale: 'ja-JP' });
    const japanese = await copilot.open('/copilot', { context });
    await japanese.getByRole('heading', { name: '何を調べますか？' }).waitFor();
    await becomes(() => japanese.getAttribute('html', 'lang'), 'ja');
    const message = japanese.getByRole('textbox', { name: 'メッセージ' });
    await message.fill('良い量子ビットは？');
    // The key that ends a composition belongs to the input method, and sends nothing.
    await message.dispatchEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true });
    await becomes(() => message.inputValue(), '良い量子ビットは？');
    await message.press('Enter');
    await isAnswered(japanese);
    expect(asked().question.text).toBe('良い量子ビットは？');
    await context.close();
  });

  test('leaves no complaint', () => {
    expect(copilot.complaints).toEqual([]);
  });
});
