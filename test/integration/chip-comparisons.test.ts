import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Chip } from '../../src/domain/chip/chip.ts';
import {
  chipDocument,
  entityDocument,
  openQdashDatabase,
  parameter,
  t1Result,
  viewer,
  type QdashDatabase,
} from '../support/qdash-database.ts';

/** Daily results in February: 12 of qubit 0, 2 of qubit 1, and a first one of qubit 2 on the 10th. */
const DAYS: Readonly<Record<string, readonly number[]>> = {
  0: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
  1: [2, 9],
  2: [10],
};
const dayOf = (day: number): string => `2026-02-${String(day).padStart(2, '0')}T06:00:00Z`;

let qdash: QdashDatabase;
let chip: Chip;
beforeAll(async () => {
  qdash = await openQdashDatabase();
  await qdash.db.collection('chip').insertOne(chipDocument('C'));
  await qdash.db
    .collection('qubit')
    .insertMany(Object.keys(DAYS).map((qid) => entityDocument('C', qid, { t1: parameter(0, 'μs') })));
  await qdash.db
    .collection('task_result_history')
    .insertMany(
      Object.entries(DAYS).flatMap(([qid, days]) =>
        days.map((day) => t1Result('C', qid, dayOf(day), 100 * Number(qid) + day)),
      ),
    );
  chip = await qdash.services.chips.get(viewer, 'C');
});
afterAll(() => qdash.close());

const valuesBetween = async (from: number, to: number) => {
  const between = { from: new Date(dayOf(from)), to: new Date(dayOf(to)) };
  const { changes } = await qdash.services.chipComparisons.compare(chip, between);
  return changes.map(({ qid, before, after }) => [qid, before?.value ?? null, after?.value ?? null]);
};

test.each([
  [3, 12],
  [9, 12],
  [1, 11],
  [10, 11],
])(
  'of %d and %d February the newest results until then are compared, however many came since',
  async (from, to) => {
    const until = (qid: string, day: number): number | null => {
      const found = DAYS[qid]?.findLast((each) => each <= day);
      return found === undefined ? null : 100 * Number(qid) + found;
    };
    const expected = Object.keys(DAYS)
      .map((qid) => [qid, until(qid, from), until(qid, to)])
      .filter(([, before, after]) => before !== after && before !== null);
    const found = await valuesBetween(from, to);
    expect(found.filter(([, before]) => before !== null)).toEqual(expected);
  },
);

test('one command reads both times, and one more only parts with many newer results', async () => {
  const readsBetween = async (from: number, to: number): Promise<number> => {
    await valuesBetween(from, to);
    qdash.commands.length = 0;
    await valuesBetween(from, to);
    return qdash.commands.length;
  };
  const near = await readsBetween(10, 12);
  expect(await readsBetween(1, 12)).toBe(near + 1);
});
