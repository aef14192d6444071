/**
 * Polls until `condition` returns something truthy and returns it; the error of a time-out names what was awaited. The time
 * is for what never comes, not for judging how quick something is.
 */
export async function until<T>(
  condition: () => T | Promise<T>,
  { timeoutMs = 60_000, intervalMs = 10, what = 'condition' } = {},
): Promise<NonNullable<T>> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (performance.now() > deadline) throw new Error(`${what} did not come true within ${timeoutMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, intervalMs));
  }
}
