import type { z } from 'zod';
import { InvalidInputError } from '../base/errors.ts';

/** A page, newest first. */
export type Page<Item> = {
  readonly items: readonly { readonly item: Item; readonly cursor: string }[];
  readonly hasNextPage: boolean;
};

/** Largest page of any list. */
const MAX_PAGE = 100;

/** Text for a place in a list that clients pass back without looking into it. */
export function encodeCursor(place: unknown): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

/** The place of a cursor, null without one. @throws InvalidInputError for text that is no cursor of this list. */
export function decodeCursor<T>(cursor: string | null | undefined, place: z.ZodType<T>): T | null {
  if (cursor === null || cursor === undefined) return null;
  try {
    return place.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
  } catch {
    throw new InvalidInputError([
      { path: ['after'], message: 'is not a cursor of this list; use endCursor of an earlier page' },
    ]);
  }
}

/** A page of at most `first` items out of up to `first + 1` that were read. */
export function toPage<Row, Item>(
  rows: readonly Row[],
  first: number,
  describe: (row: Row) => { readonly item: Item; readonly cursor: string },
): Page<Item> {
  return { items: rows.slice(0, first).map(describe), hasNextPage: rows.length > first };
}

/** How many rows to read for a page: one more than it shows. @throws InvalidInputError unless 1 to 100 are asked for. */
export function rowsToRead(first: number): number {
  if (Number.isInteger(first) && first >= 1 && first <= MAX_PAGE) return first + 1;
  throw new InvalidInputError([{ path: ['first'], message: `is ${first}; ask for 1 to ${MAX_PAGE}` }]);
}
