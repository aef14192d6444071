import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { bestByQubit, latestByQubit, mergeAverages } from '../../src/domain/values/measurement.ts';
import type { Measurement } from '../../src/domain/values/measurement.ts';
import { measurements, shuffled } from '../support/calibration-arbitraries.ts';

const base: Measurement = {
  documentId: 'a',
  chipId: 'C1',
  qid: '7',
  taskId: 'task-a',
  taskName: 'CheckT1',
  executionId: null,
  cooldownId: null,
  status: 'COMPLETED',
  excluded: false,
  at: new Date('2026-02-24T02:00:00Z'),
  value: 48,
  error: null,
  unit: 'μs',
};
const at = (time: string): Date => new Date(`2026-02-24T${time}:00Z`);
const latestValue = (...rows: Measurement[]) => latestByQubit(rows, 1).get('7')?.[0]?.value;

describe('the latest result of a qubit', () => {
  test('is the one that ended last', () => {
    expect(latestValue(base, { ...base, documentId: 'b', at: at('05:00'), value: 50 })).toBe(50);
  });

  test('is, of two at the same time, the one with the greater document id', () => {
    const other = { ...base, documentId: 'b', value: 50 };
    expect(latestValue(base, other)).toBe(50);
    expect(latestValue(other, base)).toBe(50);
  });

  test.each<[string, Partial<Measurement>]>([
    ['failed', { status: 'FAILED' }],
    ['running', { status: 'RUNNING' }],
    ['excluded', { excluded: true }],
    ['without a value', { value: null }],
    ['NaN', { value: Number.NaN }],
    ['infinite', { value: Infinity }],
    ['without a time', { at: null }],
  ])('is not one that is %s, even if it is newer', (_, trap) => {
    expect(latestValue(base, { ...base, documentId: 'b', at: at('09:00'), value: 99, ...trap })).toBe(48);
  });

  test('becomes the previous one when the newest is excluded', () => {
    const rows = [base, { ...base, documentId: 'b', at: at('05:00'), value: 50 }];
    const excluded = rows.map((row) => (row.documentId === 'b' ? { ...row, excluded: true } : row));
    expect([latestValue(...rows), latestValue(...excluded)]).toEqual([50, 48]);
  });

  test('of a re-executed task is the re-execution, which ended later', () => {
    const again = { ...base, documentId: '0', taskId: 'again', at: at('02:30'), value: 51 };
    expect(latestValue(again, base)).toBe(51);
  });

  test('does not depend on the order in which results arrive', () => {
    fc.assert(
      fc.property(
        measurements.chain((rows) => fc.tuple(fc.constant(rows), shuffled(rows))),
        fc.integer({ min: 1, max: 5 }),
        ([rows, others], limit) => {
          const sorted = (map: ReturnType<typeof latestByQubit>) =>
            [...map].toSorted(([a], [b]) => (a < b ? -1 : 1));
          expect(sorted(latestByQubit(others, limit))).toEqual(sorted(latestByQubit(rows, limit)));
        },
      ),
    );
  });

  test('agrees with a walk through all results, and a result read twice counts once', () => {
    fc.assert(
      fc.property(measurements, (rows) => {
        const result = latestByQubit([...rows, ...rows], 100);
        for (const qid of ['0', '1', '2']) {
          const usable = rows.filter(
            (row) =>
              row.qid === qid &&
              row.status === 'COMPLETED' &&
              !row.excluded &&
              row.at !== null &&
              Number.isFinite(row.value),
          );
          const found = result.get(qid) ?? [];
          expect(found).toHaveLength(usable.length);
          for (const [index, row] of found.entries()) {
            const next = found[index + 1];
            if (!next) continue;
            const isOrdered =
              row.at > next.at ||
              (row.at.getTime() === next.at.getTime() && row.documentId > next.documentId);
            expect(isOrdered).toBe(true);
          }
        }
      }),
    );
  });

  test('of last_n is counted for each qubit, so that a busy one pushes no other out', () => {
    const busy = Array.from({ length: 50 }, (_, index) => ({
      ...base,
      qid: '1',
      documentId: `busy${index}`,
      at: new Date(Date.UTC(2026, 2, 1, 0, index)),
    }));
    const result = latestByQubit([...busy, base], 5);
    expect([result.get('1')?.length, result.get('7')?.length]).toEqual([5, 1]);
  });
});

describe('the best result of a qubit', () => {
  test('is the greatest or the least, the latest of equals, in any order of arrival', () => {
    const rows = [
      { ...base, value: -0.3 },
      { ...base, documentId: 'b', value: -0.33, at: at('01:00') },
      { ...base, documentId: 'c', value: -0.33, at: at('03:00') },
    ];
    expect(bestByQubit(rows, 'LEAST').get('7')?.documentId).toBe('c');
    expect(bestByQubit(rows.toReversed(), 'LEAST').get('7')?.documentId).toBe('c');
    expect(bestByQubit(rows, 'GREATEST').get('7')?.documentId).toBe('a');
  });

  test('is never better than the best usable value', () => {
    fc.assert(
      fc.property(measurements, (rows) => {
        for (const [qid, { value }] of bestByQubit(rows, 'GREATEST')) {
          const usable = [...(latestByQubit(rows, 100).get(qid) ?? [])].map((row) => row.value);
          expect(value).toBe(Math.max(...usable));
        }
      }),
    );
  });
});

describe('averages of several units', () => {
  const part = { chipId: 'C1', qid: '7', newestAt: at('01:00') };

  test('are one average over all runs', () => {
    const merged = mergeAverages([
      { ...part, unit: 'μs', mean: 40, deviation: 2, count: 3 },
      { ...part, unit: 'ms', mean: 0.08, deviation: null, count: 1 },
    ]);
    expect(merged).toMatchObject({ unit: 'μs', mean: 50, count: 4 });
    // Deviation of 38, 40, 42 and 80.
    expect(merged?.deviation).toBeCloseTo(20.0665, 3);
  });

  test('of nothing are nothing', () => {
    expect(mergeAverages([])).toBeNull();
  });
});
