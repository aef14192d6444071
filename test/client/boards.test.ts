/** Times in addresses, and how a board is arranged. */
import { expect, test } from '@jest/globals';
import {
  fromLocalInput,
  readTimes,
  spanOf,
  toLocalInput,
  writeTimes,
} from '../../client/components/time-range/time-range.ts';
import {
  changeItem,
  chipOf,
  moveItem,
  removeItem,
  widenItem,
} from '../../client/features/boards/board-changes.ts';

test.each(['36h', 'cooldown', '2026-05-01T08:00/2026-05-03T20:00', '2026-05-01T08:00/', '/2026-05-03T20:00'])(
  'times come back as they were written: %s',
  (text) => {
    expect(writeTimes(readTimes(text))).toBe(text);
  },
);

test.each([
  null,
  '',
  '0h',
  '999999h',
  'yesterday',
  '/',
  '2026-05-03T20:00/2026-05-01T08:00',
  '2026-13-99T00:00/',
])('what makes no sense is no times: %s', (text) => {
  expect(readTimes(text)).toBeNull();
});

test('relative times begin before now, and a cool-down of an unknown beginning is all times', () => {
  const at = { nowMs: Date.parse('2026-05-20T01:00:00Z'), cooldownStart: null };
  expect(spanOf({ kind: 'LAST', hours: 25 }, at)).toEqual({ from: '2026-05-19T00:00:00.000Z', to: null });
  expect(spanOf({ kind: 'COOLDOWN' }, at)).toEqual({ from: null, to: null });
});

test('what the browser has as local time is the same moment again', () => {
  const iso = '2026-05-20T01:30:00.000Z';
  expect(fromLocalInput(toLocalInput(iso))).toBe(iso);
  expect(fromLocalInput('')).toBeNull();
});

const item = (itemId: string, span = 1) =>
  ({ itemId, span, title: null, arguments: { chip_id: 'c' } }) as never;
const board = {
  title: 'x',
  visibility: 'PRIVATE',
  range: null,
  items: ['a', 'b', 'c'].map((id) => item(id)),
} as const;
const order = (change: ReturnType<typeof moveItem>) =>
  change(board)
    .items.map(({ itemId }) => itemId)
    .join('');

test('items are moved within the board, and no further', () => {
  expect(order(moveItem('a', 1))).toBe('bac');
  expect(order(moveItem('c', -9))).toBe('cab');
  expect(order(moveItem('b', 9))).toBe('acb');
  expect(order(moveItem('z', 1))).toBe('abc');
  expect(order(removeItem('b'))).toBe('ac');
});

test('an item takes one to three columns', () => {
  const spans = (by: number, span: number) => widenItem(item('a', span), by)(board).items[0]?.span;
  expect([spans(1, 1), spans(1, 3), spans(-1, 1)]).toEqual([2, 3, 1]);
  expect(changeItem('b', { title: 'New' })(board).items[1]).toMatchObject({ itemId: 'b', title: 'New' });
  expect(chipOf({ arguments: { chip_id: 'demo-64' } })).toBe('demo-64');
  expect(chipOf({ arguments: null })).toBeNull();
});
