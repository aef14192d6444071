/** Waiting for what a page shows, however slow the machine is. */
import { expect } from '@jest/globals';
import { until as untilSoon } from '@qpilot/test-support';
import { PATIENCE_MS } from './chromium.ts';

/** Polls until `condition` returns something truthy and returns it; the error of a time-out names what was awaited. */
export const until = <T>(
  condition: () => T | Promise<T>,
  options: { readonly intervalMs?: number; readonly what?: string } = {},
): Promise<NonNullable<T>> => untilSoon(condition, { timeoutMs: PATIENCE_MS, intervalMs: 50, ...options });

/** Reads until what is read equals `expected`, which may hold matchers; in the end it fails with the difference. */
export async function becomes(read: () => Promise<unknown>, expected: unknown): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const value = await read();
    try {
      expect(value).toEqual(expected);
      return;
    } catch (difference) {
      if (performance.now() > deadline) throw difference;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
