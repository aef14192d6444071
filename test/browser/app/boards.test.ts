/** A board in a browser: pinned to from an answer and a page, arranged by keys, read again, on paper and on a wall. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import type { Locator, Page } from 'playwright-core';
import { DEMO_NOW } from '../../support/demo-database.ts';
import { post } from '../../support/graphql-client.ts';
import { describeWithChromium } from '../chromium.ts';
import { askIn } from '../copilot/copilot-browser.ts';
import { becomes, until } from '../until.ts';
import { seriousFindings, wearColors, whole } from './browser.ts';
import { demoPages } from './demo-pages.ts';

const pictures = process.env['QPILOT_PICTURES'];

describeWithChromium('boards', () => {
  const demo = demoPages({ writesCalibration: true });
  const { open, picture } = demo;
  const run = async (query: string, variables: object = {}): Promise<Record<string, unknown>> => {
    const { data, errors } = await post(demo.app.url, query, { variables });
    expect(errors).toEqual([]);
    return data ?? {};
  };

  /** A board of reads, by the API; its address. */
  async function makeBoard(title: string, reads: readonly object[]): Promise<string> {
    const made = await run(`mutation { createBoard(input: { title: "${title}" }) {
      ... on CreateBoardPayload { board { id } } } }`);
    const { id } = (made['createBoard'] as { board: { id: string } }).board;
    for (const read of reads) {
      const pinned = await run(
        `mutation ($input: PinToBoardInput!) { pinToBoard(input: $input) {
          ... on PinToBoardPayload { board { id } } ... on UserError { message } } }`,
        { input: { boardId: id, ...read } },
      );
      expect(pinned).toHaveProperty('pinToBoard.board');
    }
    return `/boards/${id}`;
  }
  const chip = { chip_id: 'demo-64' };
  const READS = [
    { tool: 'generate_chip_heatmap', arguments: { ...chip, metric_name: 't1' } },
    {
      tool: 'get_chip_parameter_timeseries',
      arguments: { ...chip, parameter_name: 't1', qids: ['5', '6'] },
      span: 2,
    },
    {
      tool: 'rank_qubits',
      arguments: { ...chip, metric_name: 't2_echo', order: 'best' },
      show: 'TABLE',
      title: 'Longest echo',
    },
  ];

  /** A new result of T1 on Q05, an hour before now. */
  async function measure(microseconds: number): Promise<void> {
    const mongo = await MongoClient.connect(demo.app.environment['MONGODB_URI'] ?? '');
    const results = mongo.db(demo.app.environment['MONGODB_DB']).collection('task_result_history');
    const last = await results.findOne({ qid: '5', name: 'CheckT1' }, { sort: { start_at: -1 } });
    if (last === null) throw new Error('the demo has no T1 of Q05');
    const { _id, ...row } = last;
    row['output_parameters']['t1'].value = microseconds;
    const at = new Date(DEMO_NOW.getTime() - 3_600_000);
    await results.insertOne({ ...row, task_id: randomUUID(), start_at: at, end_at: at });
    const qubits = mongo.db(demo.app.environment['MONGODB_DB']).collection('qubit');
    await qubits.updateMany({ chip_id: 'demo-64', qid: '5' }, { $set: { 'data.t1.value': microseconds } });
    await mongo.close();
  }

  const items = (page: Page): Promise<readonly string[]> => page.locator('main section h2').allInnerTexts();

  test('a chart of an answer is pinned, and shows after a reload what was measured since', async () => {
    const { page, complaints } = await open('/copilot');
    await askIn(page, 'Show a T1 heatmap of demo-64.');
    await page
      .getByRole('button', { name: /^Pin T1 .*to a board$|^Pin T1 to a board$/ })
      .first()
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Title' }).fill('Morning');
    expect(await seriousFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Pin', exact: true }).click();
    await page.getByRole('button', { name: 'Open the board' }).click();
    await page.getByRole('heading', { level: 1, name: 'Morning' }).waitFor();
    await whole(page);
    await becomes(() => items(page), ['T1']);
    const drawn = () => page.locator('main section .hoverlayer, main section svg').count();
    await until(async () => (await drawn()) > 0, { what: 'the chart' });
    const label = async () => (await page.locator('main section').textContent())?.includes('123.4') === true;
    expect(await label()).toBe(false);
    await measure(123.4);
    await page.reload();
    await whole(page);
    await until(label, { what: 'the new value of Q05 on the chart' });
    await measure(131.4);
    // Nobody reloads: the news of the chip do.
    await until(async () => (await page.locator('main section').textContent())?.includes('131.4') === true, {
      what: 'the next value',
    });
    expect(complaints).toEqual([]);
  });

  test('has the map, the distribution and the health of a chip, and whole answers, as they are now', async () => {
    const { page, complaints } = await open('/chips/demo-64?color=state');
    const pin = async (name: string | RegExp, title?: string): Promise<void> => {
      await page.getByRole('button', { name }).first().click();
      const dialog = page.getByRole('dialog');
      const board = dialog.getByRole('combobox', { name: 'Board', exact: true });
      await until(() => board.isEnabled(), { what: 'the boards to choose from' });
      if (title !== undefined) {
        await board.click();
        await page.getByRole('option', { name: 'A new board' }).click();
        await dialog.getByRole('textbox', { name: 'Title' }).fill(title);
      }
      await dialog.getByRole('button', { name: 'Pin', exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    await pin('Pin T1 on the chip to a board', 'Parts');
    await pin('Pin Distribution: T1 to a board');
    await pin('Pin Health to a board');
    await page.goto(page.url().replace(/\/chips.*/, '/copilot'));
    await askIn(page, 'Which five qubits have the shortest T1?');
    await pin('Pin this answer to a board');
    await page.getByRole('button', { name: 'Open the board' }).last().click();
    await page.getByRole('heading', { level: 1, name: 'Parts' }).waitFor();
    await whole(page);
    await becomes(
      () => items(page),
      [
        'T1 on demo-64',
        'T1: distribution on demo-64',
        expect.stringContaining('Health'),
        'Which five qubits have the shortest T1?',
      ],
    );
    const q05 = page.getByRole('listbox').getByRole('option', { name: /^Q05\./ });
    await until(async () => (await page.getByRole('listbox').getByRole('option').count()) === 64 + 112, {
      what: 'the map',
    });
    const answer = page.locator('main section').last();
    await answer.getByText(/^The 5 lowest T1 of 64 qubits/).waitFor();
    await measure(2.5);
    await until(async () => (await q05.getAttribute('aria-label'))?.includes('2.5') === true, {
      what: 'the new value of Q05 on the map',
    });
    await answer.getByText(/Q05 2\.5/).waitFor();
    expect([await seriousFindings(page), complaints]).toEqual([[], []]);
    await picture(page, 'parts');
  });

  test('is arranged by keys, and stays so', async () => {
    const { page, complaints } = await open(await makeBoard('Arranged', READS));
    await becomes(async () => (await items(page)).length, 3);
    const before = await items(page);
    await page.getByRole('button', { name: 'Arrange Longest echo' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Move to the top' }).focus();
    expect(await seriousFindings(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await becomes(() => items(page), ['Longest echo', ...before.slice(0, 2)]);
    await page.getByText('Longest echo is now at place 1 of 3').waitFor({ state: 'attached' });
    await page.reload();
    await whole(page);
    await becomes(() => items(page), ['Longest echo', ...before.slice(0, 2)]);
    expect(complaints).toEqual([]);
  });

  test('is arranged by dragging with a mouse, a finger and arrow keys, which Escape and a drop elsewhere leave as it is', async () => {
    const path = await makeBoard('Dragged', READS);
    const { page, complaints } = await open(path, { hasTouch: true });
    await becomes(async () => (await items(page)).length, 3);
    const [first = '', second = '', third = ''] = await items(page);
    const handle = (title: string) => page.getByRole('button', { name: `Move ${title}`, exact: true });
    const middle = async (title: string) => {
      const box = await page.getByRole('heading', { level: 2, name: title, exact: true }).boundingBox();
      return [(box?.x ?? 0) + 8, (box?.y ?? 0) + 8] as const;
    };
    const take = async (title: string): Promise<void> => {
      await handle(title).hover();
      await page.mouse.down();
    };
    await take(third);
    await page.mouse.move(...(await middle(first)), { steps: 8 });
    await page
      .locator('main section[data-drag=over]')
      .getByRole('heading', { name: first, exact: true })
      .waitFor();
    expect(await items(page)).toEqual([first, second, third]);
    await page.mouse.up();
    await becomes(() => items(page), [third, first, second]);
    await page.getByText(`${third} is now at place 1 of 3`).waitFor({ state: 'attached' });

    await take(third);
    await page.mouse.move(...(await middle(second)), { steps: 8 });
    await page.keyboard.press('Escape');
    await page.mouse.up();
    await take(third);
    await page.mouse.move(4, 4, { steps: 3 });
    await page.mouse.up();
    expect(await items(page)).toEqual([third, first, second]);

    await handle(second).press('ArrowLeft');
    await becomes(() => items(page), [third, second, first]);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await becomes(() => items(page), [third, first, second]);

    await drawFinger(page, handle(second), await middle(third));
    await becomes(() => items(page), [second, third, first]);
    expect(await page.evaluate('scrollY')).toBe(0);
    await whole(page);
    await page.reload();
    await whole(page);
    await becomes(() => items(page), [second, third, first]);
    expect([await seriousFindings(page), complaints]).toEqual([[], []]);
  });

  test('has times of its own, which its address holds', async () => {
    const { page } = await open(await makeBoard('Timed', READS));
    await page.getByRole('button', { name: /^Times: / }).click();
    await page.getByRole('button', { name: 'Last 7 days' }).click();
    await page.waitForURL(/time=168h/);
    await whole(page);
    await page.getByRole('button', { name: 'Times: Last 7 days' }).click();
    expect(await seriousFindings(page)).toEqual([]);
    await picture(page, 'times');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Keep for the board' }).click();
    await becomes(() => page.getByRole('button', { name: 'Keep for the board' }).count(), 0);
    await whole(page);
    await page.goto(page.url().replace(/\?.*/, ''));
    await page.getByRole('button', { name: 'Times: Last 7 days' }).waitFor();
  });

  test('is a PDF of one column with its titles, chip and dates, and a page for a wall', async () => {
    const path = await makeBoard('Printed', READS);
    const { page, complaints } = await open(path);
    await until(async () => (await page.locator('main section').count()) === 3, { what: 'three items' });
    expect(await seriousFindings(page)).toEqual([]);
    await picture(page, 'board-light');
    await wearColors(page, 'dark');
    expect(await seriousFindings(page)).toEqual([]);
    await picture(page, 'board-dark');
    await wearColors(page, 'light');
    await page.getByRole('button', { name: /^Who may read it: / }).click();
    await page.getByRole('menuitem').first().waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize({ width: 718, height: 1_000 });
    const lefts = await page.evaluate(
      `[...document.querySelectorAll('main section')].map((each) => Math.round(each.getBoundingClientRect().left))`,
    );
    expect(new Set(lefts as number[]).size).toBe(1);
    const shown = await page.locator('main').innerText();
    for (const words of ['Printed', 'Longest echo', 'demo-64', '2026']) expect(shown).toContain(words);
    expect(shown).not.toContain('Arrange');
    await page.emulateMedia({ media: null });
    await page.setViewportSize({ width: 1_280, height: 900 });
    const pdf = await page.pdf({
      format: 'A4',
      tagged: true,
      outline: true,
      ...(pictures && { path: join(pictures, 'board.pdf') }),
    });
    expect(outlineOf(pdf)).toEqual(expect.arrayContaining(['Printed', 'T1', 'Longest echo']));
    await page.goto(`${demo.app.url}${path}?wall`);
    await whole(page);
    await becomes(() => page.getByRole('navigation').count(), 0);
    await becomes(() => page.getByRole('button', { name: /^Arrange/ }).count(), 0);
    expect(await seriousFindings(page)).toEqual([]);
    await picture(page, 'wall');
    await demo.app.restart();
    await measure(141.4);
    await until(async () => (await page.locator('main').textContent())?.includes('141.4') === true, {
      what: 'a value measured after the restart',
    });
    expect(complaints.filter((each) => !/ERR_|WebSocket|Failed to load/.test(each))).toEqual([]);
  });
});

/** A finger put on `from`, drawn to a place of the page, and lifted. */
async function drawFinger(page: Page, from: Locator, to: readonly [number, number]): Promise<void> {
  const box = await from.boundingBox();
  const [x, y] = [(box?.x ?? 0) + 8, (box?.y ?? 0) + 8];
  const session = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', part: number) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchEnd' ? [] : [{ x: x + (to[0] - x) * part, y: y + (to[1] - y) * part }],
    });
  await touch('touchStart', 0);
  for (const part of [0.25, 0.5, 0.75, 1]) await touch('touchMove', part);
  await touch('touchEnd', 1);
}

/** The headings of a PDF, which its outline has as plain strings. */
const outlineOf = (pdf: Buffer): readonly string[] =>
  [...pdf.toString('latin1').matchAll(/\/Title \(([^)]*)\)/g)].map(([, title = '']) => title);
