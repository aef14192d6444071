import { useEffect } from 'react';

const MARK = 'data-toured';

/** Outlines the part of the page that `target` selects, and brings it into sight, as soon as it is there. */
export function usePointedAt(target: string): void {
  useEffect(() => {
    let found: Element | null = null;
    const look = (): void => {
      const now = document.querySelector(target);
      if (now === found) return;
      found?.removeAttribute(MARK);
      found = now;
      found?.setAttribute(MARK, '');
      found?.scrollIntoView({ block: 'start' });
    };
    look();
    const watch = new MutationObserver(look);
    watch.observe(document.body, { childList: true, subtree: true });
    return () => {
      watch.disconnect();
      found?.removeAttribute(MARK);
    };
  }, [target]);
}
