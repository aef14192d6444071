import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compareQids, normaliseQid, qidLabel, twinOf } from '../../src/domain/qid.ts';
import { canonicalUnit, unitFactor } from '../../src/domain/values/units.ts';
import { shuffled } from '../support/calibration-arbitraries.ts';

describe('ids of qubits and couplings', () => {
  test.each([
    ['7', '7'],
    ['Q7', '7'],
    ['q07', '7'],
    [' Q007 ', '7'],
    ['Q00', '0'],
    ['Q04-Q01', '4-1'],
    ['04-1', '4-1'],
    ['spare', 'spare'],
  ])('%p means %p', (written, stored) => {
    expect(normaliseQid(written)).toBe(stored);
  });

  test('are labelled by the size of the chip, and a label means its qubit', () => {
    expect([qidLabel('7', 64), qidLabel('7', 144), qidLabel('4-1', 16)]).toEqual(['Q07', 'Q007', 'Q04-Q01']);
    fc.assert(
      fc.property(fc.nat(2000), fc.nat(2000), (qid, size) => {
        expect(normaliseQid(qidLabel(String(qid), size))).toBe(String(qid));
      }),
    );
  });

  test('of any kind have one order: numbers by value, then couplings, then words', () => {
    const ordered = ['2', '10', '10-2', '10-11', '', 'spare', 'x1'].toSorted(compareQids);
    expect(ordered.indexOf('2')).toBeLessThan(ordered.indexOf('10'));
    expect(ordered.indexOf('10')).toBeLessThan(ordered.indexOf('spare'));
    expect(ordered.indexOf('10-2')).toBeLessThan(ordered.indexOf('10-11'));
    const mixed = fc.array(fc.oneof(fc.nat(30).map(String), fc.string({ maxLength: 4 })), { maxLength: 12 });
    fc.assert(
      fc.property(
        mixed.chain((ids) => fc.tuple(fc.constant(ids), shuffled(ids))),
        ([ids, others]) => {
          expect(others.toSorted(compareQids)).toEqual(ids.toSorted(compareQids));
        },
      ),
    );
  });

  test('the twin of a coupling is the other direction', () => {
    expect([twinOf('4-1'), twinOf('7')]).toEqual(['1-4', '7']);
  });
});

describe('units', () => {
  test('with either micro sign, or u, are the same', () => {
    expect(new Set(['\u00B5s', '\u03BCs', 'us', ' μs '].map(canonicalUnit))).toEqual(new Set(['\u03BCs']));
  });

  test.each<[string, string, number | null]>([
    ['GHz', 'MHz', 1000],
    ['MHz', 'GHz', 0.001],
    ['ms', 'µs', 1000],
    ['a.u.', 'a.u.', 1],
    ['a.u.', '%', null],
    ['GHz', 'μs', null],
  ])('%p to %p is a factor of %p', (from, to, factor) => {
    expect(unitFactor(from, to)).toBe(factor);
  });
});
