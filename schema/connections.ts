import type { ObjectRef } from '@pothos/core';
import { InvalidInputError } from '../src/base/errors.ts';
import type { Page } from '../src/services/page-cursor.ts';
import { builder } from './builder.ts';
import { PAGE_READ } from './read-costs.ts';

/** Rows of a page unless the client asks for another number. */
const PAGE_SIZE = 20;
/** Asking for more is an error, so that nobody mistakes a cut page for the whole list. */
const MAX_PAGE_SIZE = 100;

type Types = typeof builder.$inferSchemaTypes;

/** A connection type: its pages are described as `A page of {items}.` */
export const connectionOf = <Type extends ObjectRef<Types, unknown>>(type: Type, items: string) =>
  builder.connectionObject(
    { type, name: `${type.name}Connection`, description: `A page of ${items}.` },
    { name: `${type.name}Edge`, description: 'A row with its cursor.' },
  );

type PageArgs = { readonly first?: number | null | undefined; readonly after?: string | null | undefined };

/**
 * `args` and `complexity` of a field that returns a connection; `after` describes an unusual cursor, `read` is what its page
 * costs beside its rows.
 */
export const pageField = ({
  size = PAGE_SIZE,
  after = 'Rows after this cursor.',
  read = PAGE_READ,
} = {}) => ({
  args: builder.args((arg) => ({
    first: arg.int({ required: false, defaultValue: size, description: 'Rows of the page, 1 to 100.' }),
    after: arg.string({ required: false, description: after }),
  })),
  complexity: ({ first }: PageArgs) => ({ field: read, multiplier: first ?? size }),
});

/**
 * Reads a page and makes a connection of it.
 * @throws InvalidInputError for a page size below 1 or above 100
 */
export async function readPage<Item>(
  { first, after }: PageArgs,
  read: (page: { readonly first: number; readonly after: string | null }) => Promise<Page<Item>>,
  size = PAGE_SIZE,
) {
  const wanted = first ?? size;
  if (wanted < 1 || wanted > MAX_PAGE_SIZE) {
    throw InvalidInputError.at(['first'], `${wanted} is not between 1 and ${MAX_PAGE_SIZE}`);
  }
  const { items, hasNextPage } = await read({ first: wanted, after: after ?? null });
  return {
    edges: items.map(({ item, cursor }) => ({ node: item, cursor })),
    pageInfo: {
      hasNextPage,
      hasPreviousPage: typeof after === 'string',
      startCursor: items.at(0)?.cursor ?? null,
      endCursor: items.at(-1)?.cursor ?? null,
    },
  };
}
