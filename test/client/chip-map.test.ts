import { describe, expect, test } from '@jest/globals';
import { colorOf, colorScale, textOn } from '../../client/features/chips/map/map-colors.ts';
import { chipMapOf, partKey, partTowards, stateCounts } from '../../client/features/chips/map/map-model.ts';
import { shortText } from '../../client/features/chips/map/map-text.ts';

type Value = {
  readonly value: number | null;
  readonly state?: string;
  readonly isStale?: boolean;
  readonly reason?: string;
};

const parameters = (value: Value | undefined) =>
  value === undefined
    ? []
    : [
        {
          name: 't1',
          displayValue: value.value,
          rating: null,
          isStale: value.isStale ?? false,
          state: value.state ?? 'ENABLED',
          stateReason: value.reason ?? null,
          calibratedAt: null,
        },
      ];
const qubit = (qid: string, place: readonly [row: number, column: number] | null, value?: Value) => ({
  id: qid,
  qid,
  label: `Q${qid}`,
  position: place && { row: place[0], column: place[1] },
  parameters: parameters(value),
});
const coupling = (couplingId: string, value?: Value, lastSeenAt: string | null = null) => ({
  id: couplingId,
  couplingId,
  lastSeenAt,
  parameters: parameters(value),
});

/** `0 - 1` above `2`, which is coupled to 0 in both directions; 3 has no place. */
const CHIP = {
  id: 'chip',
  qubits: [
    qubit('0', [0, 0], { value: 40 }),
    qubit('1', [0, 1], { value: null, state: 'DISABLED', reason: 'marked' }),
    qubit('2', [1, 0], { value: 60, state: 'DOUBTFUL', isStale: true, reason: 'older than 48 hours' }),
    qubit('3', null, { value: 1 }),
  ],
  couplings: [
    coupling('0-1', { value: 99, state: 'DOUBTFUL', reason: 'above 100 %' }),
    coupling('0-2', { value: 98 }),
    coupling('2-0'),
    coupling('1-2', { value: 97 }, '2025-01-01T00:00:00Z'),
    coupling('0-3', { value: 96 }),
  ],
} as never;
const now = { before: null, qubitValues: null };

describe('the map of a chip', () => {
  test('has qubits and couplings at their places, and counts what has none', () => {
    const { qubits, couplings, columns, rows, unplaced } = chipMapOf(CHIP, now);
    expect(qubits.map(({ id, x, y }) => [id, x, y])).toEqual([
      ['0', 0, 0],
      ['1', 1, 0],
      ['2', 0, 1],
    ]);
    // Neither past couplings nor those that lead to a qubit without a place.
    expect(couplings.map(({ id }) => id)).toEqual(['0-1', '0-2', '2-0']);
    expect([columns, rows, unplaced]).toEqual([2, 2, 1]);
  });

  test('draws a coupling that has both directions as two halves, each from its control qubit', () => {
    const lines = chipMapOf(CHIP, now).couplings.map(({ id, line }) => [id, line]);
    expect(lines).toEqual([
      [
        '0-1',
        [
          [0, 0],
          [1, 0],
        ],
      ],
      [
        '0-2',
        [
          [0, 0],
          [0, 0.5],
        ],
      ],
      [
        '2-0',
        [
          [0, 1],
          [0, 0.5],
        ],
      ],
    ]);
  });

  test('tells old, doubtful, disabled and missing values apart', () => {
    const { qubits, couplings } = chipMapOf(CHIP, now);
    expect(qubits.map(({ state }) => state)).toEqual(['ENABLED', 'DISABLED', 'STALE']);
    expect(couplings.map(({ state }) => state)).toEqual(['DOUBTFUL', 'ENABLED', 'MISSING']);
    expect(stateCounts(couplings)).toEqual([
      ['ENABLED', 1],
      ['DOUBTFUL', 1],
      ['MISSING', 1],
    ]);
  });

  test('shows differences to other values, and nothing where there is nothing to compare with', () => {
    const before = new Map([
      [partKey('QUBIT', '0'), 50],
      [partKey('COUPLING', '0-1'), 98.5],
    ]);
    const { qubits, couplings } = chipMapOf(CHIP, { before, qubitValues: null });
    expect(qubits.map(({ shown, before: was }) => [shown, was])).toEqual([
      [-10, 50],
      [null, null],
      [null, null],
    ]);
    expect(couplings[0]).toMatchObject({ shown: 0.5, value: 99, before: 98.5 });
  });

  test('shows the best or mean values where these were asked for, and none for qubits without one', () => {
    const { qubits } = chipMapOf(CHIP, { before: null, qubitValues: new Map([['2', 70]]) });
    expect(qubits.map(({ shown }) => shown)).toEqual([null, null, 70]);
    // That the current value is old says nothing of the best one.
    expect(qubits.map(({ state }) => state)).toEqual(['MISSING', 'DISABLED', 'ENABLED']);
  });

  test('an arrow key leads to the nearest qubit straight ahead', () => {
    const { qubits } = chipMapOf(CHIP, now);
    const to = (from: number, way: readonly [number, number]) =>
      partTowards(qubits, qubits[from]!, way)?.id ?? null;
    expect([to(0, [1, 0]), to(0, [0, 1]), to(0, [-1, 0]), to(1, [-1, 0])]).toEqual(['1', '2', null, '0']);
  });
});

describe('the colours of the map', () => {
  const parts = (...values: readonly number[]) => values.map((shown) => ({ shown }) as never);

  test('bright is good, whatever direction is better', () => {
    const higher = colorScale(parts(1, 2), { direction: 'HIGHER_IS_BETTER' }, false)!;
    const lower = colorScale(parts(1, 2), { direction: 'LOWER_IS_BETTER' }, false)!;
    expect(colorOf(higher, 2)).toBe('#fde725');
    expect(colorOf(lower, 1)).toBe('#fde725');
    expect(colorOf(higher, 1)).toBe(colorOf(lower, 2));
  });

  test('a difference of nothing is grey, and both ends are as far from it', () => {
    const scale = colorScale(parts(-1, 3), { direction: 'HIGHER_IS_BETTER' }, true)!;
    expect([scale.low, scale.high]).toEqual([-3, 3]);
    expect(colorOf(scale, 0)).toBe('#e3e3e3');
    const less = colorScale(parts(-1, 3), { direction: 'LOWER_IS_BETTER' }, true)!;
    expect(colorOf(less, -3)).toBe(colorOf(scale, 3));
  });

  test('outliers do not stretch the scale, and are counted', () => {
    const values = [...Array.from({ length: 98 }, (_, at) => 100 + at), 5_000, -5_000];
    const scale = colorScale(parts(...values), { direction: 'NEUTRAL' }, false)!;
    expect(scale.high).toBeLessThan(200);
    expect(scale.low).toBeGreaterThanOrEqual(100);
    expect(scale.outside).toBeGreaterThanOrEqual(2);
    expect(colorOf(scale, 5_000)).toBe(colorOf(scale, scale.high));
  });

  test('has no scale without values, and one colour for equal ones', () => {
    expect(colorScale(parts(), { direction: 'NEUTRAL' }, false)).toBeNull();
    expect(colorOf(colorScale(parts(5, 5), { direction: 'NEUTRAL' }, false)!, 5)).toMatch(/^#[0-9a-f]{6}$/);
  });

  test('text is black on bright colours and white on dark ones', () => {
    expect([textOn('#fde725'), textOn('#440154')]).toEqual(['#000000', '#ffffff']);
  });
});

test('a value in a cell keeps the digits that count', () => {
  expect(shortText(231.953, 'μs', false)).toBe('232');
  expect(shortText(99.981, '%', false)).toBe('99.98');
  expect(shortText(4.9056, 'GHz', true)).toBe('+4.91');
  expect(shortText(-0.5, '%', true)).toBe('-0.50');
});
