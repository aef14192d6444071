import { useEffect } from 'react';

const EVERY_MS = 15_000;

/** Has what others change read again every so often while the page is seen, and at once when it is seen again. */
export function useRefresh(again: () => void, everyMs = EVERY_MS): void {
  useEffect(() => {
    const look = (): void => {
      if (!document.hidden) again();
    };
    const timer = setInterval(look, everyMs);
    document.addEventListener('visibilitychange', look);
    addEventListener('online', look);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
      removeEventListener('online', look);
    };
  }, [again, everyMs]);
}
