/** Lists that are read page by page, over the client of the pages and a server that is an array. */
import { describe, expect, test } from '@jest/globals';
import { Client, cacheExchange, fetchExchange, gql, type TypedDocumentNode } from 'urql';
import { z } from 'zod';
import { createPages, type Connection, type Pages, type PagesQuery } from '../../client/lib/graphql/pages.ts';
import { until } from '@qpilot/test-support';

type Row = { readonly __typename: 'Row'; readonly id: string };
type Data = { readonly rows: Connection<Row> };
const ROWS: TypedDocumentNode<Data, { first: number; after?: string | null }> = gql`
  query Rows($first: Int, $after: String) {
    rows(first: $first, after: $after) {
      id
    }
  }
`;
const variables = z.object({ first: z.number(), after: z.string().nullable() });
const FIRST_TWO = { query: ROWS, variables: { first: 2 }, connectionOf: ({ rows }: Data) => rows };

/** Rows are named by one letter; a cursor is a letter too, and need not be there any more. */
function openList(letters: string, list: PagesQuery<Data, { first: number }, Row> = FIRST_TWO) {
  const server = { letters, isAway: false, refusal: null as object | null };
  const answer = async (...request: ConstructorParameters<typeof Request>): Promise<Response> => {
    if (server.isAway) throw new Error('away');
    if (server.refusal !== null) return Response.json(server.refusal);
    const { first, after } = z.object({ variables }).parse(await new Request(...request).json()).variables;
    const behind = server.letters.split('').filter((letter) => after === null || letter > after);
    const nodes = behind.slice(0, first).map((id) => ({ __typename: 'Row', id }));
    const pageInfo = { hasNextPage: behind.length > first, endCursor: nodes.at(-1)?.id ?? null };
    return Response.json({ data: { rows: { __typename: 'Rows', nodes, pageInfo } } });
  };
  const client = new Client({
    url: 'http://server.invalid/graphql',
    preferGetMethod: false,
    exchanges: [cacheExchange, fetchExchange],
    fetch: answer,
  });
  const pages = createPages(client, list);
  const close = pages.subscribe(() => undefined);
  return { server, pages, close };
}

/** The rows, and whether there are more, when all answers are there. */
async function shown(pages: Pages<Row>): Promise<readonly [string, boolean]> {
  await until(() => !pages.get().isReading);
  const { rows, hasMore } = pages.get();
  return [rows?.map(({ id }) => id).join('') ?? 'none yet', hasMore];
}

describe('a list that is read page by page', () => {
  test('goes on page by page until there is no more', async () => {
    const { pages } = openList('abcde');
    expect(await shown(pages)).toEqual(['ab', true]);
    pages.more();
    expect(await shown(pages)).toEqual(['abcd', true]);
    pages.more();
    expect(await shown(pages)).toEqual(['abcde', false]);
    pages.more();
    expect(await shown(pages)).toEqual(['abcde', false]);
  });

  test.each([
    ['a new one at its top', 'Aabcde', ['Aabc', true]],
    ['the end of the first page moved to the top', 'Bacde', ['Bacd', true]],
    ['one gone from the first page', 'bcde', ['bcde', false]],
    ['the end of the first page gone', 'acde', ['acde', false]],
    ['all but one gone', 'e', ['e', false]],
    ['all gone', '', ['', false]],
    ['nothing changed', 'abcde', ['abcd', true]],
  ])('has every row once when read again with %s', async (_what, letters, expected) => {
    const { server, pages } = openList('abcde');
    await shown(pages);
    pages.more();
    await shown(pages);
    server.letters = letters;
    pages.again();
    expect(await shown(pages)).toEqual(expected);
    pages.more();
    expect(await shown(pages)).toEqual([letters, false]);
  });

  test('keeps its rows while the server is away, and says so', async () => {
    const { server, pages } = openList('abcde');
    await shown(pages);
    server.isAway = true;
    pages.again();
    expect(await shown(pages)).toEqual(['ab', true]);
    expect(pages.get().error?.networkError?.message).toBe('away');
    server.isAway = false;
    pages.again();
    expect([...(await shown(pages)), pages.get().error]).toEqual(['ab', true, null]);
  });

  test('asks nothing while nobody listens, and goes on as far as it was when somebody does again', async () => {
    const { server, pages, close } = openList('abcde');
    await shown(pages);
    pages.more();
    await shown(pages);
    close();
    server.letters = 'bcdef';
    pages.subscribe(() => undefined);
    expect(await shown(pages)).toEqual(['bcde', true]);
  });

  test('is empty where the object that has it is gone', async () => {
    const { pages } = openList('abcde', { ...FIRST_TWO, connectionOf: () => null });
    expect(await shown(pages)).toEqual(['', false]);
  });
});

describe('a list that the server refuses', () => {
  const refused = { data: null, errors: [{ message: 'no', extensions: { code: 'FORBIDDEN' } }] };
  test.each<[string, object]>([
    ['without any data', refused],
    ['without the object that has the list', { ...refused, data: { chip: null } }],
    ['without data at all', { errors: refused.errors }],
  ])('%s says so, and claims no rows', async (_name, body) => {
    const connectionOf = (data: Data & { chip?: { rows: Data['rows'] } | null }) =>
      'chip' in data ? data.chip?.rows : data.rows;
    const list = openList('abcde', { ...FIRST_TWO, connectionOf });
    list.server.refusal = body;
    list.pages.again();
    await until(() => list.pages.get().error !== null);
    expect(list.pages.get()).toMatchObject({ rows: null, isReading: false });
    expect(list.pages.get().error?.graphQLErrors[0]?.extensions).toEqual({ code: 'FORBIDDEN' });

    list.server.refusal = null;
    list.pages.again();
    expect(await shown(list.pages)).toEqual(['ab', true]);
    list.server.refusal = body;
    list.pages.again();
    await until(() => list.pages.get().error !== null);
    expect(list.pages.get().rows?.map(({ id }) => id)).toEqual(['a', 'b']);
  });

  test('has none if its object is gone without an error', async () => {
    const list = openList('abcde', { ...FIRST_TWO, connectionOf: () => null });
    expect(await shown(list.pages)).toEqual(['', false]);
  });
});
