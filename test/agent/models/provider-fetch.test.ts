import { describe, expect, test } from '@jest/globals';
import { pauseAskedMs } from '../../../src/agent/models/shared/provider-fetch.ts';

describe('The pause that a provider asks for', () => {
  test.each([
    [{}, null],
    [{ 'retry-after': '30' }, 30_000],
    [{ 'retry-after': '30', 'retry-after-ms': '1500' }, 1_500],
    [{ 'retry-after': 'soon' }, null],
  ])('%j is %j ms', (headers, pauseMs) => {
    expect(pauseAskedMs(new Headers(headers as Record<string, string>))).toBe(pauseMs);
  });

  test('may be a date', () => {
    const inAMinute = new Date(Date.now() + 60_000).toUTCString();
    const pauseMs = pauseAskedMs(new Headers({ 'retry-after': inAMinute }));
    expect(pauseMs).toBeGreaterThan(55_000);
    expect(pauseMs).toBeLessThanOrEqual(60_000);
  });
});
