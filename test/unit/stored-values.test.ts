import { describe, expect, test } from '@jest/globals';
import { Decimal128, Long, ObjectId } from 'mongodb';
import fc from 'fast-check';
import { mergeCurrentValues, readStoredParameter } from '../../src/domain/values/stored-parameter.ts';
import { readDate, readElapsedSeconds, readJsonObject } from '../../src/domain/values/stored-values.ts';
import { shuffled } from '../support/calibration-arbitraries.ts';

describe('reading a stored parameter', () => {
  test('takes the object of a current deployment, with its unit in one spelling', () => {
    const calibratedAt = new Date('2026-02-24T02:22:04Z');
    const raw = {
      value: 48.37,
      unit: 'µs',
      error: 1.92,
      calibrated_at: calibratedAt,
      execution_id: 'e',
      task_id: 't',
    };
    expect(readStoredParameter('t1', raw)).toEqual({
      name: 't1',
      value: 48.37,
      text: null,
      unit: 'μs',
      error: 1.92,
      calibratedAt,
      executionId: 'e',
      taskId: 't',
    });
  });

  test.each<[string, unknown, number | null, string | null]>([
    ['a bare number of an old row', 4.81, 4.81, null],
    ['a decimal', Decimal128.fromString('48.5'), 48.5, null],
    ['a long', { value: Long.fromNumber(2 ** 60) }, 2 ** 60, null],
    ['a decimal that is no number', { value: Decimal128.fromString('NaN') }, null, null],
    ['a bare word', 'good', null, 'good'],
    ['NaN', { value: Number.NaN }, null, null],
    ['infinity', { value: -Infinity }, null, null],
    ['true, which is not a number', { value: true }, null, 'true'],
    ['text that looks like a number', { value: '48' }, null, '48'],
    ['a list', { value: [1, 2] }, null, '[1,2]'],
    ['null', null, null, null],
    ['an empty object', {}, null, null],
  ])('takes %s', (_, raw, value, text) => {
    expect(readStoredParameter('p', raw)).toMatchObject({ value, text, unit: '', error: null });
  });

  test('takes an error of 0 for none', () => {
    expect(readStoredParameter('t1', { value: 1, error: 0 }).error).toBeNull();
  });
});

describe('reading a time', () => {
  test.each<[unknown, string | null]>([
    [new Date('2026-02-24T02:21:40Z'), '2026-02-24T02:21:40.000Z'],
    ['2026-02-24T02:21:40+00:00', '2026-02-24T02:21:40.000Z'],
    ['2026-02-24T11:21:40.123456+09:00', '2026-02-24T02:21:40.123Z'],
    ['2026-02-24T02:21:40', '2026-02-24T02:21:40.000Z'],
    ['yesterday', null],
    [new Date(Number.NaN), null],
    [1_771_900_000, null],
  ])('of %p gives %p', (raw, expected) => {
    expect(readDate(raw)?.toISOString() ?? null).toBe(expected);
  });
});

describe('reading how long something took', () => {
  test.each<[unknown, number | null]>([
    [24.2, 24.2],
    ['0:05:12', 312],
    ['1 day, 0:00:01.5', 86_401.5],
    ['5 minutes', 300],
    ['an hour', 3600],
    ['a while', null],
    [null, null],
    [Number.NaN, null],
  ])('of %p gives %p seconds', (raw, expected) => {
    expect(readElapsedSeconds(raw)).toBe(expected);
  });
});

test('numbers of all BSON types are numbers in JSON', () => {
  const raw = {
    long: Long.fromNumber(7),
    seed: Long.fromString('1716112345678901234'),
    list: [Decimal128.fromString('48.50'), { exponent: Decimal128.fromString('1E+3') }],
    great: Decimal128.fromString('1E+6000'),
    none: Decimal128.fromString('NaN'),
  };
  expect(readJsonObject(raw)).toEqual({
    long: 7,
    seed: '1716112345678901234',
    list: [48.5, { exponent: 1000 }],
    great: null,
    none: null,
  });
});

test('what JSON cannot say becomes null', () => {
  const raw = { at: new Date(0), bad: Number.NaN, id: new ObjectId(), list: [1, undefined, 'x'] };
  expect(readJsonObject(raw)).toEqual({
    at: '1970-01-01T00:00:00.000Z',
    bad: null,
    id: null,
    list: [1, null, 'x'],
  });
});

describe('rows of several users for one qubit', () => {
  const row = (documentId: string, value: unknown, calibrated_at: Date | null) => ({
    documentId,
    chipId: 'C1',
    qid: '7',
    parameters: [readStoredParameter('t1', { value, calibrated_at })],
  });

  test('are one set of values: the newest that can be used', () => {
    const rows = [
      row('a', 40, new Date('2026-01-02T00:00:00Z')),
      row('b', 50, new Date('2026-01-01T00:00:00Z')),
      row('c', Number.NaN, new Date('2026-01-03T00:00:00Z')),
      row('d', 60, null),
    ];
    expect(mergeCurrentValues(rows).map(({ value }) => value)).toEqual([40]);
  });

  test('do not depend on the order in which they are read', () => {
    const rows = fc.array(
      fc.tuple(fc.uuid(), fc.integer({ min: 1, max: 5 }), fc.constantFrom(null, new Date(0), new Date(1000))),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(
        rows
          .map((list) => list.map(([id, value, at]) => row(id, value, at)))
          .chain((list) => fc.tuple(fc.constant(list), shuffled(list))),
        ([list, others]) => expect(mergeCurrentValues(others)).toEqual(mergeCurrentValues(list)),
      ),
    );
  });
});
