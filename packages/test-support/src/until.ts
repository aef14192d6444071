/**
 * Polls until `condition` returns something truthy, and returns that. The timeout is a last resort for what never
 * happens, not a measure of speed; its error names `what`.
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
