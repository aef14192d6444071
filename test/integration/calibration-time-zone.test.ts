import { afterEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Chip } from '../../src/domain/chip/chip.ts';
import {
  chipDocument,
  entityDocument,
  NOW,
  openQdashDatabase,
  t1Result,
  viewer,
} from '../support/qdash-database.ts';
import type { QdashDatabase } from '../support/qdash-database.ts';
import { openToolBench } from '../support/tool-bench.ts';

let qdash: QdashDatabase;
let chip: Chip;
afterEach(() => qdash.close());

async function openLab(timeZone: string): Promise<void> {
  qdash = await openQdashDatabase(null, timeZone);
  await qdash.db.collection('chip').insertOne(chipDocument('C1'));
  await qdash.db.collection('qubit').insertOne(entityDocument('C1', '0'));
  chip = await qdash.services.chips.get(viewer, 'C1');
}

const HOUR_MS = 3_600_000;

/**
 * Stores one result at each of `times`, its value the number of hours since the first, and reads the days of the
 * window.
 */
async function daysOf(times: readonly Date[]) {
  const results = qdash.db.collection('task_result_history');
  await results.deleteMany({});
  const [from = NOW] = times;
  const hours = (at: Date) => 1 + (at.getTime() - from.getTime()) / HOUR_MS;
  await results.insertMany(times.map((at) => t1Result('C1', '0', at.toISOString(), hours(at))));
  const to = new Date((times.at(-1) ?? NOW).getTime() + 1);
  const { current } = await qdash.services.periodComparisons.get(chip, { parameter: 't1', from, to });
  return current.series.map(({ day, value }) => [day, value]);
}

const hourly = (from: string, hours: number): Date[] =>
  Array.from({ length: hours }, (_, index) => new Date(new Date(from).getTime() + index * HOUR_MS));

describe('a day of the lab', () => {
  test.each([
    ['the clock goes forward', '2026-03-28T11:00:00Z', '2026-03-28 2026-03-29 2026-03-30', [12, 35, 48]],
    ['the clock goes back', '2026-10-24T10:00:00Z', '2026-10-24 2026-10-25 2026-10-26', [12, 37, 48]],
  ])('is one row with its own last value when %s', async (_, from, days, last) => {
    await openLab('Europe/Berlin');
    const found = await daysOf(hourly(from, 48));
    expect(found).toEqual(days.split(' ').map((day, index) => [day, last[index]]));
  });

  test('ends where the calendar of the lab says, not that of UTC', async () => {
    // 16:30 in UTC is 01:30 of the next day in Tokyo.
    const times = [new Date('2026-02-23T10:00:00Z'), new Date('2026-02-23T16:30:00Z')];
    await openLab('Asia/Tokyo');
    expect(await daysOf(times)).toEqual([
      ['2026-02-23', 1],
      ['2026-02-24', 7.5],
    ]);
    await qdash.close();
    await openLab('UTC');
    expect(await daysOf(times)).toEqual([['2026-02-23', 7.5]]);
  });

  test('D1: has one row however often it was measured, in any zone, on days of a switch too', async () => {
    await openLab('America/New_York');
    const aroundSwitches = fc
      .tuple(
        fc.constantFrom('2026-03-07T00:00:00Z', '2026-10-31T00:00:00Z'),
        fc.uniqueArray(fc.integer({ min: 0, max: 71 }), { minLength: 1, maxLength: 20 }),
      )
      .map(([start, hours]) =>
        hours.toSorted((a, b) => a - b).map((hour) => new Date(new Date(start).getTime() + hour * HOUR_MS)),
      );
    await fc.assert(
      fc.asyncProperty(aroundSwitches, async (times) => {
        const days = (await daysOf(times)).map(([day]) => day);
        const dayOf = (at: Date) => at.toLocaleDateString('sv', { timeZone: 'America/New_York' });
        expect(days).toEqual([...new Set(times.map(dayOf))]);
      }),
      { numRuns: 12 },
    );
  });
});

test('the model is given the zone', async () => {
  await openLab('Asia/Tokyo');
  const bench = openToolBench({ services: qdash.services, viewer, chipId: 'C1', now: NOW });
  const { data, formattedSummary } = await bench.result('get_lab_context', {});
  expect(data).toMatchObject({ time_zone: 'Asia/Tokyo' });
  expect(formattedSummary).toContain('Calendar days are those of Asia/Tokyo; times are UTC.');
});
