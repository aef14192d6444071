/** Wakes one that waits; a ring that nobody waits for is kept. */
export function createBell() {
  let isRung = false;
  let wake: (() => void) | null = null;
  return {
    ring: (): void => {
      isRung = true;
      wake?.();
    },
    /** Resolves with the next ring, or after a while. */
    async rung(withinMs?: number): Promise<void> {
      let timer: ReturnType<typeof setTimeout> | undefined;
      if (!isRung) {
        await new Promise<void>((resolve) => {
          wake = resolve;
          if (withinMs !== undefined) timer = setTimeout(resolve, withinMs);
        });
      }
      clearTimeout(timer);
      wake = null;
      isRung = false;
    },
  };
}
