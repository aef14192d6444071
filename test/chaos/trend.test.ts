import { expect, test } from '@jest/globals';
import { seeded } from './random.ts';
import { trendOf, type Sample } from './trend.ts';

/** Twenty minutes, a sample every ten seconds. */
const sampled = (valueAt: (hours: number, noise: number, index: number) => number): Sample[] => {
  const random = seeded(7);
  return Array.from({ length: 120 }, (_, index) => {
    const at = index / 360;
    return { at, value: valueAt(at, random.next() - 0.5, index) };
  });
};

test('a leak of 120 MB an hour under noise of 20 MB is seen, with its slope', () => {
  const trend = trendOf(sampled((at, noise) => 400 + 120 * at + 20 * noise));
  expect(trend).toMatchObject({ is: 'grows' });
  expect(Math.abs((trend?.slope ?? 0) - 120)).toBeLessThan(trend?.error ?? 0);
});

test('what warms up and then stays is flat, also without any noise', () => {
  expect(trendOf(sampled((at, noise) => (at < 0.1 ? 200 : 400) + 20 * noise))).toMatchObject({ is: 'flat' });
  expect(trendOf(sampled(() => 5))).toMatchObject({ is: 'flat', slope: 0, error: 0 });
});

test('the least of each block shows what garbage hides', () => {
  const saw = sampled((at, _, index) => 50 + 60 * at + (index % 2) * (200 - 120 * at));
  expect(trendOf(saw)?.is).toBe('flat');
  expect(trendOf(saw, 'least')).toMatchObject({ is: 'grows', slope: expect.closeTo(60) });
});

test('too few samples have no trend', () => {
  expect(trendOf(sampled((at) => at).slice(0, 20))).toBeNull();
});
