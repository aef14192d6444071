import { useState, type KeyboardEvent, type PointerEvent } from 'react';

/** Near the edges of the window, where dragging scrolls. */
const EDGE_PX = 60;
const SCROLL_PX = 12;

const ARROWS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

/** Marks the element of an item, which others are dropped on. */
export const ITEM_ATTRIBUTE = 'data-item';

type Drag = { readonly itemId: string; readonly overId: string };

type Dragging = {
  /** What is dragged, and over which item it is; null while nothing is. */
  readonly drag: Drag | null;
  /** What the handle of an item needs; `onMove` is told how many places further it goes. */
  readonly handle: (itemId: string, onMove: (by: number) => void) => Handle;
};

export type Handle = {
  readonly onPointerDown: (event: PointerEvent) => void;
  readonly onPointerMove: (event: PointerEvent) => void;
  readonly onPointerUp: (event: PointerEvent) => void;
  readonly onPointerCancel: () => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
};

/**
 * Moves items to the place of another by mouse, finger or pen, and a place further by an arrow key. Escape lets go of
 * them. Nothing moves before they are dropped, since items of different widths would not stay below the pointer.
 */
export function useDragging(itemIds: readonly string[]): Dragging {
  const [drag, setDrag] = useState<Drag | null>(null);
  return {
    drag,
    handle: (itemId, onMove) => ({
      onPointerDown: (event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setDrag({ itemId, overId: itemId });
      },
      onPointerMove: (event) => {
        if (drag === null) return;
        scrollAtEdge(event.clientY);
        setDrag({ itemId, overId: itemAt(event) ?? drag.overId });
      },
      onPointerUp: (event) => {
        if (drag === null) return;
        setDrag(null);
        const overId = itemAt(event) ?? drag.overId;
        if (itemIds.includes(overId)) onMove(itemIds.indexOf(overId) - itemIds.indexOf(itemId));
      },
      onPointerCancel: () => setDrag(null),
      onKeyDown: (event) => {
        if (event.key === 'Escape') setDrag(null);
        const by = ARROWS[event.key];
        if (by === undefined) return;
        event.preventDefault();
        onMove(by);
      },
    }),
  };
}

const itemAt = ({ clientX, clientY }: PointerEvent): string | null =>
  document.elementFromPoint(clientX, clientY)?.closest(`[${ITEM_ATTRIBUTE}]`)?.getAttribute(ITEM_ATTRIBUTE) ??
  null;

function scrollAtEdge(y: number): void {
  if (y < EDGE_PX) scrollBy(0, -SCROLL_PX);
  else if (y > innerHeight - EDGE_PX) scrollBy(0, SCROLL_PX);
}
