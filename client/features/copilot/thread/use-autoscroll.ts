import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';

/** So close to the end counts as at the end. */
const NEAR_PX = 40;

/** What readers scroll by, and how long after it a scrolling is theirs. */
const READER_EVENTS = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const;
const READER_MS = 1_000;

/** Keeps a list at its end while it grows, unless the reader has scrolled away from there. */
export type Autoscroll = {
  readonly viewport: RefObject<HTMLDivElement | null>;
  readonly content: RefObject<HTMLDivElement | null>;
  readonly isAtEnd: boolean;
  readonly toEnd: () => void;
  /** Shows a turn from its beginning, focused, and leaves the end. */
  readonly toItem: (turnId: string) => void;
};

/** An item and its distance from the top of the viewport, in pixels. */
type Place = { readonly item: Element; readonly topPx: number };

/**
 * Watches a viewport and its content, whose items are articles; both are `null` until they are there.
 * @param firstId what the list begins with, where it may grow at its beginning: what is read then stays where it is
 */
export function useAutoscroll(firstId: string | null = null): Autoscroll {
  const viewport = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const isStuck = useRef(true);
  /** Where the list's first item stood when it was last looked at. */
  const first = useRef<Place | null>(null);
  /**
   * What stays in its place until the reader scrolls: turns that came in above it take their height only when drawn.
   */
  const held = useRef<Place | null>(null);
  const [isAtEnd, setAtEnd] = useState(true);
  const toEnd = useCallback(() => {
    const box = viewport.current;
    if (box === null) return;
    isStuck.current = true;
    box.scrollTop = box.scrollHeight;
  }, []);
  const toItem = useCallback((turnId: string) => {
    const box = viewport.current;
    const item = content.current?.querySelector<HTMLElement>(`[data-turn="${CSS.escape(turnId)}"]`);
    if (box === null || !item) return;
    isStuck.current = false;
    box.style.overflowAnchor = 'none';
    item.focus({ preventScroll: true });
    keepInPlace(box, { item, topPx: 0 });
    // The end may be less than a screen away.
    held.current = { item, topPx: topOf(item, box) };
  }, []);
  useLayoutEffect(() => {
    const box = viewport.current;
    if (box === null || isStuck.current || first.current?.item.isConnected !== true) return;
    held.current ??= first.current;
    // The browser would do it too, but not for a list that is scrolled to its very top.
    box.style.overflowAnchor = 'none';
    keepInPlace(box, held.current);
  }, [firstId]);
  useEffect(() => {
    const box = viewport.current;
    if (box === null || content.current === null) return;
    let lastTop = box.scrollTop;
    let readerActsUntil = 0;
    const look = (): void => {
      setAtEnd(isStuck.current || belowOf(box) < NEAR_PX);
      const item = content.current?.querySelector('article') ?? null;
      first.current = item && { item, topPx: topOf(item, box) };
    };
    const letGo = (): void => {
      held.current = null;
      box.style.overflowAnchor = '';
    };
    const onReader = ({ type }: Event): void => {
      letGo();
      // Who drags the scroll bar may hold it for long; the end of the scrolling ends it.
      readerActsUntil = type === 'pointerdown' ? Number.POSITIVE_INFINITY : performance.now() + READER_MS;
    };
    const onScrollEnd = (): void => {
      if (readerActsUntil === Number.POSITIVE_INFINITY) readerActsUntil = 0;
    };
    const onScroll = (): void => {
      const belowPx = belowOf(box);
      // Only a reader who goes up leaves the end: what grows below moves it away, what shrinks above moves the rest.
      const goesUp = box.scrollTop < lastTop && performance.now() < readerActsUntil && belowPx > 1;
      if (goesUp) isStuck.current = false;
      else if (belowPx < NEAR_PX) isStuck.current = true;
      lastTop = box.scrollTop;
      if (held.current && Math.abs(topOf(held.current.item, box) - held.current.topPx) > 1) letGo();
      look();
    };
    const growth = new ResizeObserver(() => {
      if (isStuck.current) box.scrollTop = box.scrollHeight;
      else if (held.current) keepInPlace(box, held.current);
      look();
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
  return { viewport, content, isAtEnd, toEnd, toItem };
}

const belowOf = (box: Element): number => box.scrollHeight - box.scrollTop - box.clientHeight;

const topOf = (item: Element, box: Element): number =>
  item.getBoundingClientRect().top - box.getBoundingClientRect().top;

function keepInPlace(box: Element, { item, topPx }: Place): void {
  box.scrollTop += topOf(item, box) - topPx;
}
