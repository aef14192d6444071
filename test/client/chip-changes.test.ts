import { afterEach, describe, expect, test } from '@jest/globals';
import { lastVisit } from '../../client/features/chips/changes/last-visit.ts';
import { firstRanking, worstOf } from '../../client/features/chips/changes/rank-changes.ts';

const change = (
  label: string,
  [before, after]: readonly [number | null, number],
  sigma: number | null,
  better: boolean | null = false,
) =>
  ({
    label,
    sigma,
    better,
    difference: before === null ? null : after - before,
    before: before === null ? null : { displayValue: before },
    after: { displayValue: after, rating: null },
  }) as never;

describe('what got worse', () => {
  const changes = [
    change('small', [100, 90], -12),
    change('large', [100, 20], -3),
    change('unsure', [100, 50], null),
    change('better', [20, 100], 20, true),
    change('neutral', [1, 9], 20, null),
    change('from nothing', [0, -5], null),
  ];
  const labels = (ranking: 'SIGMA' | 'SHARE') =>
    worstOf(changes, ranking).map(({ change: { label } }) => label);

  test('is ranked by standard errors or by its part of the value; what cannot be ranked is left out', () => {
    expect(labels('SIGMA')).toEqual(['small', 'large']);
    expect(labels('SHARE')).toEqual(['large', 'unsure', 'small']);
  });

  test('begins with standard errors where there are any', () => {
    expect(firstRanking(changes)).toBe('SIGMA');
    expect(firstRanking([change('unsure', [2, 1], null), change('better', [1, 2], 9, true)])).toBe('SHARE');
  });
});

describe('the last visit of a chip', () => {
  const held = new Map<string, string>();
  Object.defineProperty(globalThis, 'localStorage', {
    configurable: true,
    value: {
      getItem: (key: string) => held.get(key) ?? null,
      setItem: (key: string, value: string) => void held.set(key, value),
    },
  });
  afterEach(() => held.clear());
  const at = (hour: number): number => Date.UTC(2026, 4, 20, 0, 60 * hour);
  const iso = (hour: number): string => new Date(at(hour)).toISOString();

  test('is none at first, and then the visit before, however often the page is loaded again', () => {
    expect(lastVisit('demo-64', at(0))).toBeNull();
    expect(lastVisit('demo-64', at(0.1))).toBeNull();
    expect(lastVisit('demo-64', at(9))).toBe(iso(0.1));
    expect(lastVisit('demo-64', at(9.2))).toBe(iso(0.1));
    expect(lastVisit('torino', at(9.2))).toBeNull();
  });

  test('is none where something else was stored', () => {
    held.set('qpilot.visit.demo-64', 'x y z');
    expect(lastVisit('demo-64', at(1))).toBeNull();
  });
});
