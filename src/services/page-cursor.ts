import type { z } from 'zod';
import { InvalidInputError } from '../base/errors.ts';

/** Which page to read: `first` is 1 to 100, `after` a cursor from an earlier page. */
export type PageRequest = { readonly first: number; readonly after?: string | null | undefined };

/** A page of a list that `filter` narrows. */
export type FilteredPageRequest<Filter> = PageRequest & { readonly filter?: Filter | null };

/** A page, newest first. */
export type Page<Item> = {
  readonly items: readonly { readonly item: Item; readonly cursor: string }[];
  readonly hasNextPage: boolean;
};

const MAX_PAGE = 100;

/** Encodes a position in a list as opaque text. */
export function encodeCursor(position: unknown): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/** Decodes a cursor; null without one. @throws InvalidInputError for text that is not a cursor of this list. */
export function decodeCursor<T>(cursor: string | null | undefined, position: z.ZodType<T>): T | null {
  if (cursor === null || cursor === undefined) return null;
  try {
    return position.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
  } catch {
    throw InvalidInputError.at(['after'], 'is not a cursor of this list; use endCursor of an earlier page');
  }
}

/** Makes a page of at most `first` items out of up to `first + 1` rows. */
export function toPage<Row, Item>(
  rows: readonly Row[],
  first: number,
  describe: (row: Row) => { readonly item: Item; readonly cursor: string },
): Page<Item> {
  return { items: rows.slice(0, first).map(describe), hasNextPage: rows.length > first };
}

/** How many rows to read for a page: one more than it shows. @throws InvalidInputError unless `first` is 1 to 100. */
export function rowsToRead(first: number): number {
  if (Number.isInteger(first) && first >= 1 && first <= MAX_PAGE) return first + 1;
  throw InvalidInputError.at(['first'], `is ${first}; ask for 1 to ${MAX_PAGE}`);
}
