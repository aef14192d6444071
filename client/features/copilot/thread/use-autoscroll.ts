import { useCallback, useEffect, useRef, useState, type RefObject } from 'react';

/** So close to the end counts as at the end. */
const NEAR_PX = 40;

/** Keeps a list at its end while it grows, unless the reader has scrolled away from there. */
export type Autoscroll = {
  readonly viewport: RefObject<HTMLDivElement | null>;
  readonly content: RefObject<HTMLDivElement | null>;
  readonly isAtEnd: boolean;
  readonly toEnd: () => void;
};

/** Watches a viewport and its content; both are `null` until they are there. */
export function useAutoscroll(): Autoscroll {
  const viewport = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const isStuck = useRef(true);
  const [isAtEnd, setAtEnd] = useState(true);
  const toEnd = useCallback(() => {
    const box = viewport.current;
    if (box === null) return;
    isStuck.current = true;
    box.scrollTop = box.scrollHeight;
  }, []);
  useEffect(() => {
    const box = viewport.current;
    if (box === null || content.current === null) return;
    let lastTop = box.scrollTop;
    const onScroll = (): void => {
      const isNear = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_PX;
      // Only going up leaves the end: what grows below moves the end away, too.
      if (isNear) isStuck.current = true;
      else if (box.scrollTop < lastTop) isStuck.current = false;
      lastTop = box.scrollTop;
      setAtEnd(isNear || isStuck.current);
    };
    const growth = new ResizeObserver(() => {
      if (isStuck.current) box.scrollTop = box.scrollHeight;
    });
    growth.observe(content.current);
    growth.observe(box);
    box.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      growth.disconnect();
      box.removeEventListener('scroll', onScroll);
    };
  }, []);
  return { viewport, content, isAtEnd, toEnd };
}
