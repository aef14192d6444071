/** The comparison of two sides: what its address says, and how it ranks. */
import { describe, expect, test } from '@jest/globals';
import { readCompareView, timeOfSide, writeCompareView } from '../../client/features/compare/compare-view.ts';
import { comparedMetrics, comparedParts } from '../../client/features/compare/compare-model.ts';
import { distributionsFigure } from '../../client/features/compare/distributions-figure.ts';

const read = (query: string) => readCompareView(new URLSearchParams(query), 'first');

describe('an address', () => {
  test('is a comparison, and a comparison the address again', () => {
    const query = 'a=demo-64%402026-05-10&b=torino%4036h&metric=t1&qubits=3%2C1';
    expect(read(query)).toEqual({
      a: { chipId: 'demo-64', time: '2026-05-10' },
      b: { chipId: 'torino', time: 36 },
      metric: 't1',
      scope: 'QUBIT',
      qubits: ['3', '1'],
    });
    expect(writeCompareView(read(query)).toString()).toBe(query);
  });

  test('that says nothing compares now with a week ago', () => {
    expect(read('')).toMatchObject({ a: { chipId: 'first', time: 168 }, b: { chipId: 'first', time: null } });
    expect(read('b=other&qubits=x,1&of=couplings')).toMatchObject({
      a: { chipId: 'other' },
      qubits: ['1'],
      scope: 'COUPLING',
    });
  });
});

test('no side is in the future', () => {
  const now = Date.parse('2026-05-20T01:00:00Z');
  const at = (time: number | string | null) => timeOfSide({ chipId: 'x', time }, now);
  expect([at(null), at('2030-01-01'), at(24)]).toEqual([
    '2026-05-20T01:00:00.000Z',
    '2026-05-20T01:00:00.000Z',
    '2026-05-19T01:00:00.000Z',
  ]);
});

describe('a comparison', () => {
  const part = (partId: string, values: Readonly<Record<string, number | null>>) => ({
    __typename: 'PartSnapshot' as const,
    partId,
    label: `Q${partId}`,
    scope: 'QUBIT' as const,
    parameters: Object.entries(values).map(([name, displayValue]) => ({
      __typename: 'ParameterValue' as const,
      name,
      displayValue,
    })),
  });
  const a = [part('0', { t1: 40, f: 5 }), part('1', { t1: 60, f: 5 }), part('2', { t1: 50, f: null })];
  const b = [part('0', { t1: 50, f: 5 }), part('1', { t1: 30, f: 5.1 }), part('3', { t1: 70 })];
  const T1 = { name: 't1', scope: 'QUBIT' as const };

  test('lists the largest differences first, and last what one side lacks', () => {
    expect(comparedParts(a, b, T1).map(({ label, difference }) => [label, difference])).toEqual([
      ['Q1', -30],
      ['Q0', 10],
      ['Q2', null],
      ['Q3', null],
    ]);
  });

  test('ranks metrics by their medians relative to A, without those that nobody has', () => {
    const f = { name: 'f', scope: 'QUBIT' as const };
    const ranked = comparedMetrics(a, b, [T1, f, { name: 'none', scope: 'QUBIT' }]);
    expect(ranked.map(({ name, share }) => [name, share])).toEqual([
      ['f', expect.closeTo(0.01, 6)],
      ['t1', 0],
    ]);
    expect(ranked[1]).toMatchObject({ a: 50, b: 50, countA: 3, countB: 3 });
  });

  test('draws both sides in the same bins', () => {
    const { data } = distributionsFigure(
      { title: 'T1', unit: 'μs' },
      [
        { name: 'A', values: [40, 60] },
        { name: 'B', values: [30, 70] },
      ],
      'Qubits',
    );
    expect(data.map(({ xbins }) => xbins)).toEqual([data[0]?.['xbins'], data[0]?.['xbins']]);
    expect(data[0]?.['xbins']).toMatchObject({ start: 30 });
  });
});
