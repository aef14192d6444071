import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';

/** So close to the end counts as at the end. */
const NEAR_PX = 40;

/** What readers scroll by, and how long after it a scrolling is theirs. */
const READER_EVENTS = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const;
const READER_MS = 400;

/** Keeps a list at its end while it grows, unless the reader has scrolled away from there. */
export type Autoscroll = {
  readonly viewport: RefObject<HTMLDivElement | null>;
  readonly content: RefObject<HTMLDivElement | null>;
  readonly isAtEnd: boolean;
  readonly toEnd: () => void;
};

/**
 * Watches a viewport and its content; both are `null` until they are there.
 * @param firstId what the list begins with, where it may grow at its beginning: what is read then stays where it is
 */
export function useAutoscroll(firstId: string | null = null): Autoscroll {
  const viewport = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const isStuck = useRef(true);
  const fromEnd = useRef(0);
  const [isAtEnd, setAtEnd] = useState(true);
  const toEnd = useCallback(() => {
    const box = viewport.current;
    if (box === null) return;
    isStuck.current = true;
    box.scrollTop = box.scrollHeight;
  }, []);
  useLayoutEffect(() => {
    const box = viewport.current;
    // Elsewhere the browser does it, but not for a list that stands at its very beginning.
    if (box !== null && firstId !== null && box.scrollTop === 0 && !isStuck.current) {
      // It may still know of a place from before, and would then keep it once more.
      box.style.overflowAnchor = 'none';
      box.scrollTop = box.scrollHeight - fromEnd.current;
      requestAnimationFrame(() => (box.style.overflowAnchor = ''));
    }
  }, [firstId]);
  useEffect(() => {
    const box = viewport.current;
    if (box === null || content.current === null) return;
    let lastTop = box.scrollTop;
    let readerActsUntil = 0;
    const onReader = ({ type }: Event): void => {
      // Who drags the scroll bar may hold it for long; the end of the scrolling ends it.
      readerActsUntil = type === 'pointerdown' ? Number.POSITIVE_INFINITY : performance.now() + READER_MS;
    };
    const onScrollEnd = (): void => {
      readerActsUntil = 0;
    };
    const onScroll = (): void => {
      const isNear = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_PX;
      // Only a reader who goes up leaves the end: what grows below moves it away, what shrinks above moves the rest.
      if (isNear) isStuck.current = true;
      else if (box.scrollTop < lastTop && performance.now() < readerActsUntil) isStuck.current = false;
      lastTop = box.scrollTop;
      fromEnd.current = box.scrollHeight - box.scrollTop;
      setAtEnd(isNear || isStuck.current);
    };
    const growth = new ResizeObserver(() => {
      if (isStuck.current) box.scrollTop = box.scrollHeight;
      fromEnd.current = box.scrollHeight - box.scrollTop;
    });
    growth.observe(content.current);
    growth.observe(box);
    const listening = new AbortController();
    const options = { passive: true, signal: listening.signal };
    box.addEventListener('scroll', onScroll, options);
    box.addEventListener('scrollend', onScrollEnd, options);
    for (const type of READER_EVENTS) box.addEventListener(type, onReader, options);
    return () => {
      growth.disconnect();
      listening.abort();
    };
  }, []);
  return { viewport, content, isAtEnd, toEnd };
}
