import { useEffect, useRef, type RefObject } from 'react';
import { useLocation } from 'react-router';

/** Conversations are one page: whoever sends a first message goes on writing when it gets its address. */
const pageOf = (pathname: string): string => pathname.replace(/^\/copilot\/.*/, '/copilot');

/** Moves the focus to the page whenever another one opens, so that keys and screen readers go on there. */
export function useFocusOfPage(main: RefObject<HTMLElement | null>): void {
  const page = pageOf(useLocation().pathname);
  const before = useRef(page);
  useEffect(() => {
    if (before.current === page) return;
    before.current = page;
    main.current?.focus({ preventScroll: true });
  }, [page, main]);
}
