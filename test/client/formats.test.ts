import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { toCsv } from '../../src/domain/text/csv.ts';
import { createFormat } from '../../client/lib/format/format.ts';
import { quantityText } from '../../client/lib/format/quantity.ts';
import { sortRows } from '../../client/lib/sort-rows.ts';
import { parse } from 'csv-parse/sync';

describe('quantities', () => {
  test.each([
    [59.4999, 'μs', null, '59.50 μs'],
    [59.4999, 'μs', 1.9, '59.5 μs'],
    [99.80412, '%', 0.008, '99.8041%'],
    [99.80412, '%', null, '99.80%'],
    [4.442878, 'GHz', 0.000015, '4.442878 GHz'],
    [-304, 'MHz', null, '-304.0 MHz'],
    [0, '', null, '0'],
    [12_345.6, 'Hz', null, '12346 Hz'],
    [1e-12, 's', null, '0.00000000 s'],
  ])('%d %s ± %d is written %s', (value, unit, error, text) => {
    expect(quantityText(value, unit, error)).toBe(text);
  });
});

describe('lengths of time', () => {
  test.each([
    [0.2, '<1 sec'],
    [59, '59 sec'],
    [3_600 * 5 + 100, '5 hr'],
    [86_400 * 3, '3 days'],
  ])('%d s is %s', (seconds, text) => {
    expect(createFormat('en').duration(seconds)).toBe(text);
  });

  test('in the language of the reader', () => {
    expect(createFormat('ja').duration(7_300)).toBe('2 時間');
  });
});

describe('sorting', () => {
  const sorted = (rows: readonly (string | number | null)[], descending = false) =>
    sortRows(rows, (row) => row, descending);

  test('names with numbers as people count, and numbers as numbers', () => {
    expect(sorted(['Q10', 'Q9', 'Q100'])).toEqual(['Q9', 'Q10', 'Q100']);
    expect(sorted([10, 9, -1])).toEqual([-1, 9, 10]);
  });

  test('missing values are last whichever way', () => {
    expect(sorted([null, 2, 1])).toEqual([1, 2, null]);
    expect(sorted([null, 2, 1], true)).toEqual([2, 1, null]);
  });
});

describe('CSV', () => {
  const cell = fc.string().filter((text) => !/^[=+\-@\t\r]/.test(text));

  test('every text comes back as it was', () => {
    const table = fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(table, (rows) => {
        const text = toCsv([['a', 'b'], ...rows]);
        expect(parse(text, { skip_empty_lines: false, from_line: 2, record_delimiter: '\r\n' })).toEqual(
          rows,
        );
      }),
    );
  });

  test('no cell is a formula, numbers stay numbers, nothing stays empty', () => {
    expect(toCsv([['=1+1', -5, null, '@x']])).toBe("'=1+1,-5,,'@x");
  });
});
