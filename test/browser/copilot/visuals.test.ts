/** Charts and tables of answers in a browser, and long conversations. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Download, Page } from 'playwright-core';
import type { TurnActivity } from '../../../src/domain/conversation/turn-activity.ts';
import type { ChartSpec } from '../../../src/domain/visuals.ts';
import { completed, text, toolEnd, toolStart } from '../../support/activities.ts';
import { post } from '../../support/graphql-client.ts';
import { becomes, until } from '../until.ts';
import { describeWithChromium } from '../chromium.ts';
import { slowDown } from '../slower.ts';
import { askIn, startCopilotBrowser, type CopilotBrowser } from './copilot-browser.ts';

/** More than are read at once. */
const TURNS = 20;

const CHART: ChartSpec = {
  type: 'chart',
  title: 'T1',
  kind: 'HEATMAP',
  data: [
    {
      type: 'heatmap',
      xgap: 2,
      ygap: 2,
      z: [
        [40, 50],
        [60, null],
      ],
    },
  ],
  layout: {},
};

const SEND = `mutation ($input: SendMessageInput!) { sendMessage(input: $input) { __typename
  ... on SendMessagePayload { session { id } } ... on UserError { message } } }`;

const bytesOf = async (download: Download): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

/** The settings as they are, without the limits that keep people from asking twenty questions in a second. */
async function patientSettings(folder: string): Promise<string> {
  const settings = await readFile(new URL('../../../config/qpilot.yaml', import.meta.url), 'utf8');
  const file = join(folder, 'qpilot.yaml');
  await writeFile(file, settings.replace(/(messagesPerMinute|turnsPerUser): \d+/g, '$1: 1000'));
  return file;
}

const end = toolEnd('a');
const drawnEnd: TurnActivity =
  end.type === 'tool-finished'
    ? { ...end, call: { ...end.call, visuals: [CHART, ...end.call.visuals.slice(1)] } }
    : end;

describeWithChromium('an answer in a browser', () => {
  let folder: string;
  let copilot: CopilotBrowser;
  let page: Page;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'qpilot-visuals-'));
    copilot = await startCopilotBrowser({
      env: { QPILOT_CONFIG: await patientSettings(folder) },
      answerTurn: async ({ question, emit }) => {
        emit(text(`Answer to ${question.text}. `));
        if (question.text !== 'draw') return completed;
        emit(toolStart('a'));
        emit(drawnEnd);
        return completed;
      },
    });
    page = await copilot.open('/copilot');
    await askIn(page, 'draw');
    await page.getByRole('button', { name: 'Answer again' }).waitFor();
  });
  afterAll(async () => {
    await copilot?.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Asks as another client does. */
  const send = async (turn: number, sessionId: string | null): Promise<{ readonly id: string }> => {
    const input = { sessionId, content: `question ${turn}`, clientMessageId: `turn-${turn}` };
    // The answer before it may still be on its way.
    return until(
      async () => {
        const { data } = await post(copilot.app.url, SEND, { variables: { input } });
        return (data as { sendMessage: { session?: { id: string } } }).sendMessage.session;
      },
      { what: `question ${turn}` },
    );
  };
  const drawn = (on = page) => on.locator('.js-plotly-plot .hm');

  test('its chart is saved as a picture', async () => {
    await page.getByRole('button', { name: 'Save T1 as PNG' }).scrollIntoViewIfNeeded();
    await drawn().first().waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save T1 as PNG' }).click(),
    ]);
    const png = await bytesOf(download);
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([2400, 1440]);
  });

  test('its chart fills the screen on request, and Escape leads back to the button', async () => {
    const expand = page.getByRole('button', { name: 'Show T1 full size' });
    await expand.click();
    const dialog = page.getByRole('dialog', { name: 'T1' });
    await dialog.locator('.js-plotly-plot .hm').waitFor();
    expect((await dialog.locator('.js-plotly-plot').boundingBox())!.width).toBeGreaterThan(1_000);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    const focused = (): Promise<string> => page.evaluate('document.activeElement.ariaLabel');
    await until(async () => (await focused()) === 'Show T1 full size', { what: 'the focus' });
  });

  test('its table is saved as CSV', async () => {
    await page.getByRole('button', { name: 'Show T1 as a table' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save T1 as CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('T1.csv');
    expect((await bytesOf(download)).toString('utf8')).toBe('\uFEFFQubit\r\nQ00');
    await page.getByRole('button', { name: 'Show T1 as a chart' }).click();
  });

  test('says when charts cannot be drawn, and draws them when Plotly comes after all', async () => {
    const context = await copilot.browser.newContext({ locale: 'en-US' });
    await context.route('**/plotly*', (route) => route.abort());
    const without = await copilot.open(new URL(page.url()).pathname, { context });
    const chart = without.getByRole('region', { name: 'T1' }).first();
    const alert = without.getByRole('alert').filter({ hasText: 'The chart could not be drawn' });
    await chart.scrollIntoViewIfNeeded();
    await alert.waitFor();
    await context.unroute('**/plotly*');
    await alert.getByRole('button', { name: 'Try again' }).click();
    await drawn(without).first().waitFor();
    await alert.waitFor({ state: 'detached' });
    await context.close();
    expect(copilot.complaints.splice(0).filter((words) => !/Failed to load|dynamically/.test(words))).toEqual(
      [],
    );
  });

  test.each([1, 6])(
    'of long ago comes in above what is read, which stays, at 1/%i of the speed',
    async (rate) => {
      const { id } = await send(1, null);
      for (let turn = 2; turn <= TURNS; turn += 1) await send(turn, id);
      const speedUp = slowDown(page, rate);
      await page.goto(`${copilot.app.url}/copilot/${id}`);
      await page.getByText(`Answer to question ${TURNS}.`).waitFor();
      const articles = page.getByRole('article');
      await becomes(() => articles.count(), 15);
      const thread = page.getByRole('region', { name: 'Conversation' }).last();
      const first = page.getByRole('article', { name: 'question 6', exact: true });
      const placePx = async () => (await first.boundingBox())!.y - (await thread.boundingBox())!.y;
      await thread.focus();
      await page.keyboard.press('Home');
      await until(async () => (await articles.count()) === TURNS, { what: 'the earlier turns' });
      // Below the button that asks for earlier turns, where it stood when they came.
      const isInPlace = async () => (await placePx()) > -1 && (await placePx()) < 60;
      await until(isInPlace, { what: 'what is read where it was' });
      await page.getByText('Answer to question 1.').scrollIntoViewIfNeeded();
      await until(async () => (await placePx()) > 60, { what: 'the earlier turns above it' });
      await speedUp();
    },
  );

  test('leaves no complaint', () => {
    expect(copilot.complaints).toEqual([]);
  });
});
