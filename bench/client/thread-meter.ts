import type { Page } from 'playwright-core';

/**
 * Milliseconds for which an act, and what follows from it up to the second picture after it, keep the page's own
 * thread.
 */
export type ThreadMeter = (act: () => Promise<unknown>) => Promise<number>;

/**
 * Makes one for a page. It counts the thread's own time, so a busy machine does not lengthen it as it does a clock's.
 */
export async function openThreadMeter(page: Page): Promise<ThreadMeter> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const usedMs = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Infinity);
  };
  return async (act) => {
    const before = await usedMs();
    await act();
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
    return (await usedMs()) - before;
  };
}
