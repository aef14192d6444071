/** What `read` finds now, and again after each hint, until `signal` fires. Hints that come while it reads are one. */
export async function* readAfterHints<Found>(
  watch: (hint: () => void) => () => void,
  read: () => Promise<Found>,
  signal: AbortSignal,
): AsyncGenerator<Found, void> {
  let hints = 0;
  let wake = (): void => undefined;
  const hint = (): void => {
    hints += 1;
    wake();
  };
  const unwatch = watch(hint);
  signal.addEventListener('abort', hint);
  try {
    while (!signal.aborted) {
      const before = hints;
      yield await read();
      if (hints === before && !signal.aborted) await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    unwatch();
    signal.removeEventListener('abort', hint);
  }
}
