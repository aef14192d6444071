import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compactNumber, compactOutputParameters, compactTimestamp } from '../../src/domain/text/compact.ts';

const now = new Date('2026-03-01T00:00:00Z');

describe('Numbers for a model', () => {
  test.each([
    [45.23456789012, 45.23],
    [0.000123456, 0.0001235],
    [1200.0, 1200],
    [123456.789, 123500],
    [99999.6, 100000],
    [0.99996, 1],
    [1e20, 1e20],
    [-45.236, -45.24],
    [0, 0],
    [123456, 123456],
  ])('%d has four significant figures: %d', (value, short) => {
    expect(compactNumber(value)).toBe(short);
  });

  test('are never further off than half of the fourth figure', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e12, max: 1e12 }), (value) => {
        expect(Math.abs(compactNumber(value) - value)).toBeLessThanOrEqual(Math.abs(value) * 0.000501);
      }),
    );
  });

  test('that are not finite stay as they are', () => {
    expect(compactNumber(NaN)).toBeNaN();
    expect(compactNumber(-Infinity)).toBe(-Infinity);
  });
});

describe('Times for a model', () => {
  test.each([
    ['2026-02-24T02:22:04.211000', '02-24 02:22 UTC'],
    ['2026-02-24 02:22:04', '02-24 02:22 UTC'],
    ['2026-02-24T02:22:04+09:00', '02-23 17:22 UTC'],
    ['2025-12-31T23:59:59Z', '2025-12-31 23:59 UTC'],
    [new Date('2026-02-24T02:22:04Z'), '02-24 02:22 UTC'],
    [null, ''],
    ['', ''],
    ['yesterday', 'yesterday'],
  ])('%p is %p', (time, short) => {
    expect(compactTimestamp(time, now)).toBe(short);
  });
});

test('Output parameters keep value, unit and error, and only those that say something', () => {
  expect(
    compactOutputParameters({
      qubit_frequency: { parameter_name: 'f', value: 5.23456789, unit: 'GHz', error: 0.00123456 },
      count: { value: 3, unit: '', error: 0 },
      bare: 5.23456789,
      none: { value: null },
    }),
  ).toEqual({
    qubit_frequency: { value: 5.235, unit: 'GHz', error: 0.001235 },
    count: { value: 3 },
    bare: 5.23456789,
    none: { value: null },
  });
});
