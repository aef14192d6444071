import { InvalidInputError } from '../src/base/errors.ts';
import { builder } from './builder.ts';

/** Rows of a page when the client names no number. */
export const PAGE_SIZE = 20;
/** Most rows of a page; asking for more is an error, so that nobody takes a cut page for the whole. */
export const MAX_PAGE_SIZE = 100;

/** Arguments of a field that gives a connection; `after` says what lies behind the cursor where that is not plain. */
export const pageArgs = ({ size = PAGE_SIZE, after = 'Rows behind this cursor.' } = {}) =>
  builder.args((arg) => ({
    first: arg.int({ required: false, defaultValue: size, description: 'Rows of the page, 1 to 100.' }),
    after: arg.string({ required: false, description: after }),
  }));

/** @throws InvalidInputError when `first` is not a page size that is served. */
export function pageSize(first: number | null | undefined, preset = PAGE_SIZE): number {
  const size = first ?? preset;
  if (size >= 1 && size <= MAX_PAGE_SIZE) return size;
  throw new InvalidInputError([
    { path: ['first'], message: `${size} is not between 1 and ${MAX_PAGE_SIZE}` },
  ]);
}

/** What a connection resolves to. `after` is the cursor that the page was asked for with. */
export function toConnection<Item>(
  page: {
    readonly items: readonly { readonly item: Item; readonly cursor: string }[];
    readonly hasNextPage: boolean;
  },
  after: string | null | undefined,
) {
  return {
    edges: page.items.map(({ item, cursor }) => ({ node: item, cursor })),
    pageInfo: {
      hasNextPage: page.hasNextPage,
      hasPreviousPage: typeof after === 'string',
      startCursor: page.items.at(0)?.cursor ?? null,
      endCursor: page.items.at(-1)?.cursor ?? null,
    },
  };
}
