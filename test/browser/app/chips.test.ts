/**
 * Chips that are not like the demo: a thousand qubits, none, no history, values that are none; and one that changes.
 */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { MongoClient, ObjectId, type Db } from 'mongodb';
import type { Browser, Page } from 'playwright-core';
import { makeChip } from '../../../bench/chip-documents.ts';
import { openThreadMeter } from '../../../bench/client/thread-meter.ts';
import type { ChipDocuments } from '../../../src/import/documents.ts';
import { builtClient } from '../../support/built-client.ts';
import { createTestApp, type TestApp } from '../../support/create-test-app.ts';
import { DEMO_NOW } from '../../support/demo-database.ts';
import { becomes, until } from '../until.ts';
import { describeWithChromium, openBrowser } from '../chromium.ts';
import { openTab, seriousFindings, whole } from './browser.ts';

const LARGE = 1_024;

/** Counts the qubits that the map shows, with their names. In the page: a thousand lookups by role take its time from its own work. */
const NAMED_QUBITS = `[...document.querySelectorAll('[role=option][id^=map-QUBIT-]')]
  .filter((option) => option.checkVisibility() && /^Q\\d{4}\\./.test(option.ariaLabel)).length`;

const small = makeChip({ qubits: 16, results: 1 });
const named = (chip_id: string, change: Partial<ChipDocuments>): ChipDocuments => {
  const { chip, qubits, couplings, taskResults, ...others } = { ...small, ...change };
  const own = <Row extends object>(row: Row, index: number) => ({
    ...row,
    chip_id,
    _id: new ObjectId(Buffer.from(`${chip_id}${index}`.padEnd(12, '-').slice(-12))),
  });
  return {
    ...others,
    chip: own({ ...chip, size: qubits.length }, 0),
    qubits: qubits.map(own),
    couplings,
    taskResults: taskResults.map((result, index) => ({
      ...own(result, index),
      task_id: `${chip_id}-${result.task_id}`,
    })),
  };
};
/** As a fit that failed leaves it in a QDash database. */
const NOTHING = null as unknown as number;
const CHIPS: readonly ChipDocuments[] = [
  makeChip({ qubits: LARGE, results: 1 }),
  named('empty', { qubits: [], taskResults: [] }),
  named('young', { taskResults: [] }),
  named('hollow', {
    qubits: small.qubits.map((qubit) => ({
      ...qubit,
      data: Object.fromEntries(
        Object.entries(qubit.data).map(([name, value]) => [
          name,
          { ...value, value: NOTHING, error: NOTHING },
        ]),
      ),
    })),
    taskResults: [],
  }),
];

describeWithChromium('chips of other kinds', () => {
  let app: TestApp;
  let browser: Browser;
  let mongo: MongoClient;
  let db: Db;
  beforeAll(async () => {
    const client = await builtClient();
    [app, browser] = await Promise.all([
      createTestApp({ demo: true, writesCalibration: true, chips: CHIPS, client }),
      openBrowser(),
    ]);
    mongo = await MongoClient.connect(app.environment['MONGODB_URI']!);
    db = mongo.db(app.environment['MONGODB_DB']);
  });
  // A page that is left open works on, and takes its time from the next.
  afterEach(() => Promise.all(browser.contexts().map((context) => context.close())));
  afterAll(async () => {
    await browser?.close();
    await mongo?.close();
    await app?.stop();
  });

  const open = async (path: string) => {
    const tab = await openTab(browser, app.url + path, { locale: 'en-US' });
    await whole(tab.page);
    return tab;
  };
  const cell = (page: Page, row: number, heading: string) =>
    page
      .locator(`tbody tr[aria-rowindex="${row}"] td`)
      .nth(['Trend', 'Qubit', 'Qubit Frequency', 'Qubit Anharmonicity', 'T1'].indexOf(heading));

  test('1,024 qubits: all are drawn, and the table holds few rows, sorted and scrolled', async () => {
    const { page, complaints } = await open(`/chips/bench-${LARGE}-1`);
    await page.getByText('1,024 qubits').waitFor();
    await becomes(() => page.evaluate(NAMED_QUBITS), LARGE);
    const table = page.getByRole('region', { name: `bench-${LARGE}-1 Qubits` });
    expect(await table.locator('tbody tr').count()).toBeLessThan(60);

    const cost = await openThreadMeter(page);
    const costs = {
      sort: await cost(() => table.getByRole('button', { name: 'T1 (μs)' }).click()),
      'sort the other way': await cost(() => table.getByRole('button', { name: 'T1 (μs)' }).click()),
      scroll: await cost(() => table.evaluate((element) => element.scrollTo({ top: 20_000 }))),
      pick: await cost(() => table.getByRole('checkbox').first().click()),
    };
    await until(async () => (await table.locator('tbody tr').last().getAttribute('aria-rowindex')) !== '40', {
      what: 'rows further down',
    });
    const told = Object.entries(costs).map(([act, ms]) => `${act} ${Math.round(ms)} ms`);
    process.stdout.write(`${LARGE} qubits, time of the page's own thread: ${told.join(', ')}\n`);
    expect(complaints).toEqual([]);
  });

  test.each([
    ['without qubits', 'empty', 'This chip has no qubits.'],
    ['without history', 'young', 'Nothing has run on this chip yet.'],
    ['with values that are none', 'hollow', 'No failures.'],
  ])('a chip %s says what there is not, and nothing breaks', async (_what, chipId, words) => {
    const { page, complaints } = await open(`/chips/${chipId}`);
    await page.getByText(words).first().waitFor();
    expect(await page.locator('main').innerText()).not.toMatch(/NaN|null|undefined|Infinity/);
    expect([await seriousFindings(page), complaints]).toEqual([[], []]);
  });

  test('a qubit whose values are none shows that it has none', async () => {
    const { page, complaints } = await open('/chips/hollow/qubits/3');
    await page.getByRole('heading', { level: 1, name: 'Q03' }).waitFor();
    expect(await page.locator('main').innerText()).not.toMatch(/NaN|null|undefined|Infinity/);
    expect(complaints).toEqual([]);
  });

  let written = 0;
  test('a note in Markdown is shown as such, without its signs', async () => {
    const { project_id } = (await db.collection('chip').findOne({ chip_id: 'demo-64' }))!;
    const onQubit = { project_id, chip_id: 'demo-64', target_type: 'qubit', target_id: '3' };
    const content = '## After the warm-up\n\n**T1** fell; see `CheckT1`.';
    const note = { content, updated_by: 'ann', updated_at: DEMO_NOW };
    await db
      .collection('target_note')
      .updateOne({ ...onQubit, scope_key: 'kept' }, { $set: { comments: [note] } }, { upsert: true });
    const { page, complaints } = await open('/chips/demo-64/qubits/3');
    const notes = page.getByRole('region', { name: 'Notes' });
    await notes.getByRole('heading', { name: 'After the warm-up' }).waitFor();
    await becomes(() => notes.locator('strong, code').allTextContents(), ['T1', 'CheckT1']);
    expect(await notes.innerText()).not.toMatch(/##|\*\*|`/u);
    expect([await seriousFindings(page), complaints]).toEqual([[], []]);
  });

  test('a result that is written while one looks shows, without a reload', async () => {
    const { page } = await open('/chips/demo-64');
    await page.evaluate('globalThis.isSamePage = true');
    const runs = db.collection('task_result_history');
    const { _id, ...run } = (await runs.findOne(
      { chip_id: 'demo-64', qid: '0', name: 'CheckT1', status: 'completed' },
      { sort: { start_at: -1 } },
    ))!;
    const before = await cell(page, 2, 'T1').innerText();
    const value = 123.4 + written; // more than any qubit has, and another one if this is tried again
    const write = async (): Promise<void> => {
      const at = new Date(DEMO_NOW.getTime() + written++ * 1000);
      const t1 = {
        ...run['output_parameters'].t1,
        value,
        calibrated_at: at,
        task_id: `live-${written}`,
      };
      await runs.insertOne({
        ...run,
        task_id: t1.task_id,
        start_at: at,
        end_at: at,
        output_parameters: { t1 },
      });
      await db
        .collection('qubit')
        .updateOne(
          { chip_id: 'demo-64', qid: '0' },
          { $set: { 'data.t1': t1, 'system_info.updated_at': at } },
        );
    };
    // One after the other, as a laboratory writes; the page may begin to follow only after the first.
    await until(
      async () => {
        await write();
        return (await cell(page, 2, 'T1').innerText()) !== before;
      },
      { what: 'the new value', intervalMs: 1_500 },
    );
    await becomes(() => cell(page, 2, 'T1').innerText(), expect.stringContaining(String(value)));
    await page.locator('section', { hasText: 'Distribution' }).getByText(`${value} μs`).waitFor();
    expect(await page.evaluate('globalThis.isSamePage')).toBe(true);
  });
});
