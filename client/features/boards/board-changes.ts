/** How a board is arranged; pure. */
import type { BoardItemPartsFragment, BoardPartsFragment } from '../../gql/graphql.ts';

export type BoardState = Pick<BoardPartsFragment, 'title' | 'visibility' | 'range' | 'items'>;
export type BoardChange = (board: BoardState) => BoardState;

const MOST_COLUMNS = 3;

/** Moves an item by so many places, as far as there are any. */
export const moveItem =
  (itemId: string, by: number): BoardChange =>
  (board) => {
    const from = board.items.findIndex((item) => item.itemId === itemId);
    const item = board.items[from];
    if (item === undefined) return board;
    const others = board.items.toSpliced(from, 1);
    const to = Math.min(others.length, Math.max(0, from + by));
    return { ...board, items: others.toSpliced(to, 0, item) };
  };

/** Changes what an item has beside its read. */
export const changeItem =
  (itemId: string, change: Partial<Pick<BoardItemPartsFragment, 'title' | 'span'>>): BoardChange =>
  (board) => ({
    ...board,
    items: board.items.map((item) => (item.itemId === itemId ? { ...item, ...change } : item)),
  });

export const widenItem = ({ itemId, span }: BoardItemPartsFragment, by: number): BoardChange =>
  changeItem(itemId, { span: Math.min(MOST_COLUMNS, Math.max(1, span + by)) });

export const removeItem =
  (itemId: string): BoardChange =>
  (board) => ({ ...board, items: board.items.filter((item) => item.itemId !== itemId) });

/** Puts an item back that was removed. */
export const returnItem =
  (item: BoardItemPartsFragment, place: number): BoardChange =>
  (board) =>
    board.items.some(({ itemId }) => itemId === item.itemId)
      ? board
      : { ...board, items: board.items.toSpliced(place, 0, item) };

/** The chip that an item names; null for none. */
export function chipOf({ arguments: given }: Pick<BoardItemPartsFragment, 'arguments'>): string | null {
  const chip = (given as { readonly chip_id?: unknown } | null)?.chip_id;
  return typeof chip === 'string' ? chip : null;
}
