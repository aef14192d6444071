import type { WatchWaking } from './follow-log.ts';

/** A page that was hidden for longer may have slept, and its connections may be gone without a sign of it. */
const SLEEP_MS = 20_000;

/** Tells when the network came back, and when the page is looked at again after it was hidden for a while. */
export const watchPage: WatchWaking = (onWake) => {
  let hiddenSince = Infinity;
  const onVisibility = (): void => {
    if (document.visibilityState === 'hidden') {
      hiddenSince = Date.now();
      return;
    }
    if (Date.now() - hiddenSince > SLEEP_MS) onWake();
    hiddenSince = Infinity;
  };
  addEventListener('online', onWake);
  document.addEventListener('visibilitychange', onVisibility);
  return () => {
    removeEventListener('online', onWake);
    document.removeEventListener('visibilitychange', onVisibility);
  };
};
