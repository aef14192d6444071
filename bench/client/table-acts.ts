/**
 * What the table of a chip costs the page of a large chip against that of a small one: it draws only what is in
 * sight.
 */
import { MongoClient } from 'mongodb';
import type { Browser } from 'playwright-core';
import { openCalibrationWriter } from '../../src/import/calibration-writer.ts';
import type { Row } from '../bench.ts';
import { makeChip } from '../chip-documents.ts';
import { interleave, medianOf, ratioOf } from '../rounds.ts';
import { newContext } from './measure-page.ts';
import { openThreadMeter } from './thread-meter.ts';

const [SMALL, LARGE] = [64, 1_024];
const ROUNDS = 5;

const ACTS = ['sort', 'scroll', 'pick'] as const;
type Costs = Readonly<Record<(typeof ACTS)[number], number>>;

/** Stores both chips where the server at `url` reads, and measures each act on either, turn by turn. */
export async function tableActRows(
  browser: Browser,
  url: string,
  database: { readonly uri: string; readonly name: string },
): Promise<readonly Row[]> {
  const mongo = await MongoClient.connect(database.uri);
  try {
    const writer = await openCalibrationWriter(mongo.db(database.name));
    const [small, large] = [SMALL, LARGE].map((qubits) => makeChip({ qubits, results: 1 }));
    if (!small || !large) throw new Error('both chips are needed');
    for (const chip of [small, large]) await writer.replace(chip);
    const measured = await interleave(ROUNDS, {
      small: () => costsOf(browser, url, small.chip.chip_id),
      large: () => costsOf(browser, url, large.chip.chip_id),
    });
    return ACTS.flatMap((act) => [
      {
        what: `${act} in the table of ${LARGE} qubits, time of the page's thread, median of ${ROUNDS}`,
        value: medianOf(measured.large, (costs) => costs[act]),
        unit: 'ms',
        limit: null,
      },
      {
        what: `${act} in the table of ${LARGE} qubits against ${SMALL}`,
        value: ratioOf(measured.large, measured.small, (costs) => costs[act]),
        unit: '×',
        limit: 3,
      },
    ]);
  } finally {
    await mongo.close();
  }
}

async function costsOf(browser: Browser, url: string, chipId: string): Promise<Costs> {
  const context = await newContext(browser);
  try {
    const page = await context.newPage();
    await page.goto(`${url}/chips/${chipId}`);
    const table = page.getByRole('region', { name: `${chipId} Qubits` });
    await table.locator('tbody tr').first().waitFor();
    await page.getByRole('option', { name: /^Q/ }).first().waitFor();
    await page.waitForLoadState('networkidle');
    const cost = await openThreadMeter(page);
    return {
      sort: await cost(() => table.getByRole('button', { name: 'T1 (μs)' }).click()),
      scroll: await cost(() => table.evaluate((element) => element.scrollTo({ top: 20_000 }))),
      pick: await cost(() => table.getByRole('checkbox').first().click()),
    };
  } finally {
    await context.close();
  }
}
