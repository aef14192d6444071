import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { cooldownsOf, endOfDay, latestPerDay, localDay, ofCooldown } from '../../src/domain/values/daily.ts';
import { latestByQubit } from '../../src/domain/values/measurement.ts';
import type { UsableMeasurement } from '../../src/domain/values/measurement.ts';
import { measurements, shuffled } from '../support/calibration-arbitraries.ts';

const usable = measurements.map((rows) => [...latestByQubit(rows, 100).values()].flat());
const result = (rest: Partial<UsableMeasurement>): UsableMeasurement => ({
  documentId: '1',
  chipId: 'C1',
  qid: '0',
  taskId: 't',
  taskName: 'CheckT1',
  executionId: null,
  cooldownId: null,
  status: 'COMPLETED',
  excluded: false,
  at: new Date('2026-02-24T00:00:00Z'),
  value: 40,
  error: null,
  unit: 'μs',
  ...rest,
});

test.each([
  ['UTC', '2026-02-24', '2026-02-24T23:59:59.999Z'],
  ['Asia/Tokyo', '2026-02-24', '2026-02-24T14:59:59.999Z'],
  ['Europe/Berlin', '2026-03-29', '2026-03-29T21:59:59.999Z'],
  ['Europe/Berlin', '2026-10-25', '2026-10-25T22:59:59.999Z'],
  ['Pacific/Kiritimati', '2026-02-24', '2026-02-24T09:59:59.999Z'],
  ['Pacific/Pago_Pago', '2026-02-24', '2026-02-25T10:59:59.999Z'],
])('in %s the day %s ends at %s', (zone, day, end) => {
  expect(endOfDay(day, zone).toISOString()).toBe(end);
});

describe('the latest of each day', () => {
  test('D1: is one row a qubit, task and day, whatever was measured again and in whatever order it comes', () => {
    fc.assert(
      fc.property(
        usable.chain((rows) => fc.tuple(fc.constant(rows), shuffled(rows))),
        ([rows, other]) => {
          const daily = latestPerDay(rows, 'Asia/Tokyo');
          const keys = daily.map(({ qid, taskName, day }) => `${qid} ${taskName} ${day}`);
          expect(new Set(keys).size).toBe(keys.length);
          expect(latestPerDay(other, 'Asia/Tokyo')).toEqual(daily);
          for (const row of rows) {
            const kept = daily.find(
              ({ qid, taskName, day }) =>
                qid === row.qid && taskName === row.taskName && day === localDay(row.at, 'Asia/Tokyo'),
            );
            expect(kept!.at.getTime()).toBeGreaterThanOrEqual(row.at.getTime());
          }
        },
      ),
    );
  });

  test('is not changed by an older result of the same day', () => {
    const newest = result({ documentId: '2', at: new Date('2026-02-24T05:00:00Z') });
    const older = result({ documentId: '3', at: new Date('2026-02-24T04:00:00Z'), value: 1 });
    expect(latestPerDay([older, newest], 'UTC')).toEqual(latestPerDay([newest], 'UTC'));
  });

  test('D5: keeps two tasks that write one parameter apart', () => {
    const rows = [result({ documentId: '2' }), result({ documentId: '3', taskName: 'CheckT1Average' })];
    expect(latestPerDay(rows, 'UTC')).toHaveLength(2);
  });

  test('is by the calendar of the lab', () => {
    const late = new Date('2026-02-23T16:30:00Z');
    expect([localDay(late, 'UTC'), localDay(late, 'Asia/Tokyo')]).toEqual(['2026-02-23', '2026-02-24']);
  });

  test.each([
    ['2026-03-29', 23],
    ['2026-10-25', 25],
    ['2026-06-01', 24],
  ])('is one row on %s in Berlin, a day of %i hours', (day, hours) => {
    const noon = new Date(`${day}T12:00:00Z`).getTime();
    const around = Array.from({ length: 72 }, (_, index) => new Date(noon + (index - 36) * 3_600_000));
    const rows = around.map((at, index) => result({ at, documentId: String(index).padStart(2, '0') }));
    expect(rows.filter(({ at }) => localDay(at, 'Europe/Berlin') === day)).toHaveLength(hours);
    expect(latestPerDay(rows, 'Europe/Berlin').filter((row) => row.day === day)).toHaveLength(1);
  });
});

describe('cool-downs', () => {
  const rows = [
    result({ documentId: '1', cooldownId: 'first', at: new Date('2026-01-01T00:00:00Z') }),
    result({ documentId: '2', cooldownId: 'second', at: new Date('2026-02-01T00:00:00Z') }),
    result({ documentId: '3', cooldownId: null, at: new Date('2026-02-02T00:00:00Z') }),
  ];

  test('D10: are told newest first, and results of another one are left out', () => {
    expect(cooldownsOf(rows)).toEqual(['second', 'first']);
    expect(ofCooldown(rows, 'second').map(({ documentId }) => documentId)).toEqual(['2', '3']);
    expect(ofCooldown(rows, null)).toEqual(rows);
  });
});
