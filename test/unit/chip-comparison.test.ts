import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compareChip, type PartValues } from '../../src/domain/chip/chip-comparison.ts';
import { worstChanges } from '../../src/domain/chip/worst-changes.ts';
import { qidLabel } from '../../src/domain/qid.ts';
import { describeParameter } from '../../src/domain/values/parameter-value.ts';
import { shippedMetrics } from '../support/catalogue.ts';

const [FROM, TO] = [new Date('2024-05-27T00:00:00Z'), new Date('2025-02-26T00:00:00Z')];
const CZ = 'cz_gate_fidelity';

type Given = { readonly value: number; readonly error?: number | null; readonly task?: string };

const part = (qid: string, values: Readonly<Record<string, Given>>, at = FROM): PartValues => {
  const scope = qid.includes('-') ? 'COUPLING' : 'QUBIT';
  const parameters = Object.entries(values).map(
    ([name, { value, error = null, task = `${qid} ${name} ${value}` }]) =>
      describeParameter(
        {
          name,
          value,
          text: null,
          unit: name === 't1' ? 'μs' : 'a.u.',
          error,
          calibratedAt: at,
          executionId: null,
          taskId: task,
        },
        shippedMetrics.find(name, scope),
        at,
      ),
  );
  return { scope, qid, label: qidLabel(qid, 20), parameters };
};

const compare = (before: readonly PartValues[], after: readonly PartValues[]) =>
  compareChip({ from: FROM, to: TO, before, after, metrics: shippedMetrics });

const told = (before: readonly PartValues[], after: readonly PartValues[]) =>
  compare(before, after).changes.map(({ kind, label, parameter }) => [kind, label, parameter]);

describe('a chip at two points in time', () => {
  test('has new parts, lost parts, disabled and enabled gates, and moved values, in this order', () => {
    const before = [
      part('0', { t1: { value: 50 } }),
      part('1', { t1: { value: 60 } }),
      part('0-1', { [CZ]: { value: 0.99 } }),
      part('1-2', { [CZ]: { value: 0 } }),
    ];
    const after = [
      part('0', { t1: { value: 40 } }),
      part('2', { t1: { value: 70 } }),
      part('0-1', { [CZ]: { value: 0 } }),
      part('1-2', { [CZ]: { value: 0.98 } }),
    ];
    expect(told(before, after)).toEqual([
      ['APPEARED', 'Q02', null],
      ['DISAPPEARED', 'Q01', null],
      ['DISABLED', 'Q00-Q01', CZ],
      ['ENABLED', 'Q01-Q02', CZ],
      ['MOVED', 'Q00', 't1'],
    ]);
  });

  test('a gate whose first result marks it as disabled was not disabled in between', () => {
    const before = [part('0-1', { bell_state_fidelity: { value: 0.9 } })];
    const after = [part('0-1', { bell_state_fidelity: { value: 0.9 }, [CZ]: { value: 0 } })];
    expect(told(before, after)).toEqual([['APPEARED', 'Q00-Q01', CZ]]);
  });

  test('a disabled gate has no difference to its last good value', () => {
    const { changes, parameters } = compare(
      [part('0-1', { [CZ]: { value: 0.99 } })],
      [part('0-1', { [CZ]: { value: 0 } })],
    );
    expect(changes).toMatchObject([{ kind: 'DISABLED', difference: null, sigma: null, better: null }]);
    expect(changes[0]?.after?.displayValue).toBeNull();
    expect(parameters).toMatchObject([{ parameter: CZ, compared: 0, disabled: 1, medianAfter: null }]);
  });

  test('a coupling whose direction was flipped is not a new one', () => {
    const flipped = told([part('4-1', { [CZ]: { value: 0.99 } })], [part('1-4', { [CZ]: { value: 0.98 } })]);
    expect(flipped).toEqual([['MOVED', 'Q01-Q04', CZ]]);
  });

  test('one of two directions that comes or goes is neither new nor lost', () => {
    const both = [part('4-1', { [CZ]: { value: 0.99 } }), part('1-4', { [CZ]: { value: 0.98 } })];
    expect(told(both, both)).toEqual([]);
    expect(told(both.slice(0, 1), both)).toEqual([]);
    expect(told(both, both.slice(1))).toEqual([]);
  });

  test('differences come with standard errors and a verdict where these are known', () => {
    const [change] = compare(
      [part('0', { t1: { value: 50, error: 3 } })],
      [part('0', { t1: { value: 75, error: 4 } })],
    ).changes;
    expect(change).toMatchObject({ difference: 25, sigma: 5, better: true, unit: 'μs' });
    const [unknown] = compare([part('0', { t1: { value: 50 } })], [part('0', { t1: { value: 45 } })]).changes;
    expect(unknown).toMatchObject({ difference: -5, sigma: null, better: false });
  });

  test('a result that is current at both times was not measured again', () => {
    const same = [part('0', { t1: { value: 50, task: 'a' } }), part('1', { t1: { value: 50, task: 'b' } })];
    const later = [part('0', { t1: { value: 50, task: 'a' } }), part('1', { t1: { value: 50, task: 'c' } })];
    expect(compare(same, later)).toMatchObject({
      changes: [],
      parameters: [{ compared: 2, moved: 0, notRemeasured: 1, medianBefore: 50, medianAfter: 50 }],
    });
  });
});

const chip = fc
  .uniqueArray(
    fc.record({
      qid: fc.constantFrom('0', '1', '2', '10', '0-1', '1-2', '2-1', '2-10'),
      value: fc.option(fc.double({ min: 1, max: 99, noNaN: true })),
      error: fc.option(fc.double({ min: 0.1, max: 9, noNaN: true })),
    }),
    { selector: ({ qid }) => qid },
  )
  .map((parts) =>
    parts.flatMap(({ qid, value, error }) => {
      if (!qid.includes('-')) return value === null ? [] : [part(qid, { t1: { value, error } })];
      return [part(qid, { [CZ]: { value: value === null ? 0 : value / 100, error } })];
    }),
  );

describe('for any two states', () => {
  test('every move is the difference of its two values, and those of a parameter come by size', () => {
    fc.assert(
      fc.property(chip, chip, (before, after) => {
        const moves = compare(before, after).changes.filter(({ kind }) => kind === 'MOVED');
        for (const { before: was, after: is, difference, better } of moves) {
          expect(difference).toBe((is?.displayValue ?? NaN) - (was?.displayValue ?? NaN));
          expect(better).toBe((difference ?? 0) > 0);
        }
        for (const own of Map.groupBy(moves, ({ parameter }) => parameter).values()) {
          const sizes = own.map(({ difference }) => Math.abs(difference ?? NaN));
          expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
        }
      }),
    );
  });

  test('the way back undoes every change', () => {
    const opposite = {
      APPEARED: 'DISAPPEARED',
      DISAPPEARED: 'APPEARED',
      DISABLED: 'ENABLED',
      ENABLED: 'DISABLED',
      MOVED: 'MOVED',
    } as const;
    fc.assert(
      fc.property(chip, chip, (before, after) => {
        const there = compare(before, after).changes;
        const back = compare(after, before).changes;
        expect(back.map(({ kind }) => kind).toSorted()).toEqual(
          there.map(({ kind }) => opposite[kind]).toSorted(),
        );
        const sum = (changes: typeof there) =>
          changes.reduce((total, { difference }) => total + (difference ?? 0), 0);
        expect(sum(there) + sum(back)).toBeCloseTo(0, 6);
      }),
    );
  });

  test('nothing changed against itself, and the counts of a parameter are those of its changes', () => {
    fc.assert(
      fc.property(chip, chip, (before, after) => {
        expect(compare(before, before).changes).toEqual([]);
        const { changes, parameters } = compare(before, after);
        for (const shift of parameters) {
          const own = changes.filter(
            ({ parameter, scope }) => parameter === shift.parameter && scope === shift.scope,
          );
          const count = (kind: string) => own.filter((change) => change.kind === kind).length;
          expect([count('MOVED'), count('DISABLED'), count('ENABLED')]).toEqual([
            shift.moved,
            shift.disabled,
            shift.enabled,
          ]);
          expect(shift.moved + shift.notRemeasured).toBeLessThanOrEqual(shift.compared);
        }
      }),
    );
  });
});

describe('what got worse', () => {
  const before = [
    part('0', { t1: { value: 100, error: 4 } }),
    part('1', { t1: { value: 100, error: 0.3 } }),
    part('2', { t1: { value: 50, error: 1 } }),
    part('3', { t1: { value: 0 } }),
    part('0-1', { [CZ]: { value: 0.99, error: 0.001 } }),
    part('1-2', { [CZ]: { value: 0.99 } }),
  ];
  const after = [
    part('0', { t1: { value: 60, error: 3 } }),
    part('1', { t1: { value: 97, error: 0.4 } }),
    part('2', { t1: { value: 90, error: 1 } }),
    part('3', { t1: { value: -1 } }),
    part('0-1', { [CZ]: { value: 0.94, error: 0.001 } }),
    part('1-2', { [CZ]: { value: 0.9 } }),
  ];
  const ranked = (by: 'SIGMA' | 'SHARE') =>
    worstChanges(compare(before, after).changes, by).map(({ label }) => label);

  test('is ranked over all parameters; what is not known to be worse by some size is left out', () => {
    expect(ranked('SIGMA')).toEqual(['Q00-Q01', 'Q00', 'Q01']);
    expect(ranked('SHARE')).toEqual(['Q00', 'Q01-Q02', 'Q00-Q01', 'Q01']);
  });
});
