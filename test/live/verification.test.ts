import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { formatDifference, formatMeasurement } from '../../src/domain/live/live-display.ts';
import type { LiveValue } from '../../src/domain/live/live-reading.ts';
import { verify, type Verification } from '../../src/domain/live/verification.ts';
import { describeParameter } from '../../src/domain/values/parameter-value.ts';
import { verificationTable } from '../../src/domain/visual-rules/value-tables.ts';
import { shippedMetrics } from '../support/catalogue.ts';

const now = new Date('2026-05-20T01:00:00Z');
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000);

type StoredPart = {
  name?: string;
  value?: number | null;
  unit?: string;
  error?: number | null;
  hours?: number;
  text?: string;
};

function storedOf({ name = 't1', value = 80, unit = 'μs', error = 2, hours = 3, text }: StoredPart) {
  const parameter = {
    name,
    value,
    unit,
    error,
    text: text ?? null,
    calibratedAt: hoursAgo(hours),
    executionId: 'e',
    taskId: 't',
  };
  return describeParameter(parameter, shippedMetrics.find(name, 'QUBIT'), now);
}

const liveOf = (part: Partial<LiveValue> = {}): LiveValue => ({
  qid: '7',
  parameter: 't1',
  value: 80,
  unit: 'μs',
  error: 2,
  at: hoursAgo(1),
  unusable: null,
  ...part,
});

function compare(stored: StoredPart | null, live: LiveValue | null, parameter = 't1'): Verification {
  return verify({
    qid: '7',
    label: 'Q07',
    parameter,
    metric: shippedMetrics.find(parameter, 'QUBIT'),
    stored: stored && storedOf({ name: parameter, ...stored }),
    live,
  });
}

describe('the verdict', () => {
  test('is MATCH up to three standard deviations of both errors together, and DRIFT beyond', () => {
    const error = Math.hypot(3, 4);
    const at = (sigma: number) =>
      compare({ value: 80, error: 3 }, liveOf({ value: 80 + sigma * error, error: 4 }));
    expect(at(3)).toMatchObject({ verdict: 'MATCH', difference: 15, sigma: 3 });
    expect(at(-3)).toMatchObject({ verdict: 'MATCH', difference: -15, sigma: -3 });
    expect(at(3.01).verdict).toBe('DRIFT');
    expect(at(-3.01).verdict).toBe('DRIFT');
  });

  test('blames the stored value where that is old, and only if they differ', () => {
    expect(compare({ hours: 49 }, liveOf({ value: 40 })).verdict).toBe('STORED_STALE');
    expect(compare({ hours: 47 }, liveOf({ value: 40 })).verdict).toBe('DRIFT');
    expect(compare({ hours: 49 }, liveOf()).verdict).toBe('MATCH');
  });

  test('blames the live value where that is older than the stored one, even if they agree', () => {
    expect(compare({ hours: 3 }, liveOf({ at: hoursAgo(4) })).verdict).toBe('LIVE_STALE');
    expect(compare({ hours: 3 }, liveOf({ at: hoursAgo(3) })).verdict).toBe('MATCH');
  });

  test('without any error is MATCH only for the same number', () => {
    const at = (value: number) => compare({ error: null }, liveOf({ value, error: null }));
    expect(at(80 * (1 + 1e-9))).toMatchObject({ verdict: 'MATCH', sigma: null });
    expect(at(80.1)).toMatchObject({
      verdict: 'DRIFT',
      sigma: null,
      reason: expect.stringContaining('neither'),
    });
  });

  test('takes the one error that is known', () => {
    expect(compare({ error: 2 }, liveOf({ value: 85, error: null })).sigma).toBe(2.5);
    expect(compare({ error: null }, liveOf({ value: 85, error: 2 })).sigma).toBe(2.5);
  });

  test('is LIVE_UNAVAILABLE without a live value, with what is stored beside it', () => {
    expect(compare({}, null)).toMatchObject({
      verdict: 'LIVE_UNAVAILABLE',
      stored: { value: 80, error: 2 },
      live: null,
      difference: null,
    });
  });

  test.each([
    ['nothing is stored', null, liveOf(), 'no value is stored'],
    ['the stored value is not a number', { value: null, text: 'broken' }, liveOf(), 'broken'],
    ['units differ in kind', {}, liveOf({ unit: 'GHz' }), 'in GHz, the stored one in μs'],
    ['the live unit is missing', {}, liveOf({ unit: '' }), 'in no unit, the stored one in μs'],
    ['the live value is not a measurement', {}, liveOf({ unusable: 'disabled' }), 'disabled'],
    ['the live value leaves the range of numbers', {}, liveOf({ value: 1e308, unit: 's' }), 'is impossible'],
  ])('is NOT_COMPARABLE where %s', (_what, stored, live, reason) => {
    const row = compare(stored, live);
    expect(row).toMatchObject({ verdict: 'NOT_COMPARABLE', difference: null, sigma: null });
    expect(row.reason).toContain(reason);
  });
});

describe('units', () => {
  test.each([
    ['t1', { value: 80, unit: 'us' }, { value: 80_000, unit: 'ns', error: 2_000 }, 80],
    ['t1', { value: 80, unit: '\u00b5s' }, { value: 0.08, unit: 'ms', error: 0.002 }, 80],
    ['qubit_frequency', { value: 4.8, unit: 'GHz' }, { value: 4_800, unit: 'MHz', error: 1 }, 4.8],
    ['anharmonicity', { value: -0.3, unit: 'GHz' }, { value: -300, unit: 'MHz', error: 1 }, -300],
    ['average_readout_fidelity', { value: 0.97, unit: 'a.u.' }, { value: 97, unit: '%', error: 1 }, 97],
    ['average_readout_fidelity', { value: 0.97, unit: 'a.u.' }, { value: 0.97, unit: '', error: 0.01 }, 97],
  ])('%s in %j and %j are the same', (parameter, stored, live, shown) => {
    const row = compare({ ...stored, error: null }, liveOf({ parameter, ...live }), parameter);
    expect(row.verdict).toBe('MATCH');
    expect(row.live?.value).toBeCloseTo(shown, 9);
    expect(row.stored?.value).toBeCloseTo(shown, 9);
  });

  test('a live value with nothing stored is shown in the unit of its metric', () => {
    const row = compare(
      null,
      liveOf({ parameter: 'average_readout_fidelity', value: 0.97, unit: '' }),
      'average_readout_fidelity',
    );
    expect(row).toMatchObject({ displayUnit: '%', live: { value: 97 } });
  });

  test('the verdict does not depend on the unit in which the live value comes', () => {
    const factors = [
      ['s', 1e6],
      ['ms', 1e3],
      ['us', 1],
      ['ns', 1e-3],
    ] as const;
    fc.assert(
      fc.property(
        fc.double({ min: 1, max: 500, noNaN: true }),
        fc.double({ min: 0.1, max: 20, noNaN: true }),
        fc.constantFrom(...factors),
        (valueUs, errorUs, [unit, factor]) => {
          const inUs = compare({}, liveOf({ value: valueUs, error: errorUs }));
          fc.pre(Math.abs(Math.abs(inUs.sigma ?? 0) - 3) > 1e-6);
          const row = compare({}, liveOf({ value: valueUs / factor, error: errorUs / factor, unit }));
          expect(row.verdict).toBe(inUs.verdict);
          expect(row.difference).toBeCloseTo(inUs.difference!, 6);
        },
      ),
    );
  });
});

test('exchanging both sides turns the signs and nothing else', () => {
  const number = fc.double({ min: 1, max: 500, noNaN: true });
  fc.assert(
    fc.property(number, number, number, number, (a, errorA, b, errorB) => {
      const there = compare(
        { value: a, error: errorA },
        liveOf({ value: b, error: errorB, at: hoursAgo(3) }),
      );
      const back = compare({ value: b, error: errorB }, liveOf({ value: a, error: errorA, at: hoursAgo(3) }));
      expect(back.verdict).toBe(there.verdict);
      expect(back.difference! + there.difference!).toBe(0);
      expect(back.sigma! + there.sigma!).toBeCloseTo(0, 9);
    }),
  );
});

test('the table has a cell for every column, null where there is nothing', () => {
  const table = verificationTable('x', [compare({}, liveOf({ value: 90 })), compare(null, null)]);
  for (const row of table.rows) expect(Object.keys(row)).toEqual(table.columns.map(({ key }) => key));
  expect(table.rows[0]).toMatchObject({
    label: 'Q07',
    parameter: 'T1',
    unit: 'μs',
    stored: 80,
    storedAt: '2026-05-19T22:00:00.000Z',
    live: 90,
    liveAt: '2026-05-20T00:00:00.000Z',
    difference: 10,
    sigma: 3.54,
    verdict: 'DRIFT',
  });
  expect(table.rows[1]).toMatchObject({ stored: null, live: null, difference: null, sigma: null });
});

test('measurements are written with the digits that their error lets through', () => {
  expect(formatMeasurement(4.806141414, 1.5e-5, 'GHz')).toBe('4.806141 ± 0.000015 GHz');
  expect(formatMeasurement(102.3007, 3.218, 'μs')).toBe('102.3 ± 3.2 μs');
  expect(formatMeasurement(0.35, 0.012, 'a.u.')).toBe('0.350 ± 0.012');
  expect(formatMeasurement(81.2, null, 'μs')).toBe('81.20 μs');
  expect(formatDifference(-0.000104, 2.1e-5, 'GHz')).toBe('-0.000104 GHz');
  expect(formatDifference(-0.000104, null, 'GHz')).toBe('-0.000104 GHz');
});
