import { afterEach, describe, expect, test } from '@jest/globals';
import { lastVisit } from '../../client/features/chips/changes/last-visit.ts';
import { mostChanged, sizeOf } from '../../client/features/chips/changes/rank-changes.ts';

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
  test('has a size in standard errors or as a share of the value, where these are known', () => {
    const sizes = (by: 'SIGMA' | 'SHARE') => changes.map((each) => sizeOf(each, by));
    expect(sizes('SIGMA')).toEqual([12, 3, null, 20, 20, null]);
    expect(sizes('SHARE')).toEqual([0.1, 0.8, 0.5, 4, 8, null]);
  });

  test('is no matter for what changed most, which is ranked by standard errors if any is known', () => {
    const named = (all: Parameters<typeof mostChanged>[0], count: number) =>
      mostChanged(all, count).map(({ label }) => label);
    expect(named(changes, 3)).toEqual(['better', 'neutral', 'small']);
    expect(named([change('unsure', [2, 1], null), change('less', [1, 1.2], null)], 1)).toEqual(['unsure']);
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
