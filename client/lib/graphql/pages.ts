/**
 * A connection of the server read page by page and shown as one list. Each page begins where the one before it ends
 * *now*: when rows come, go or move, the pages behind follow, and no row falls between two of them.
 */
import type { AnyVariables, Client, CombinedError, RequestPolicy, TypedDocumentNode } from 'urql';

/** Rows of a page, and where the next one begins. */
export type Connection<Row> = {
  readonly nodes: readonly Row[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
};

/** What is known of a list. */
export type PagedList<Row> = {
  /** Null until the first page has come. */
  readonly rows: readonly Row[] | null;
  readonly hasMore: boolean;
  /** Whether an answer is awaited; the rows are those of before. */
  readonly isReading: boolean;
  readonly error: CombinedError | null;
};

/** What to read; `connectionOf` gives nothing where the object that has the list is gone. */
export type PagesQuery<Data, Variables extends AnyVariables, Row> = {
  readonly query: TypedDocumentNode<Data, Variables>;
  /** Without `after`. */
  readonly variables: Variables;
  readonly connectionOf: (data: Data) => Connection<Row> | null | undefined;
};

/**
 * A list in the making. It asks while it has listeners; `more` asks for one more page, `again` for all from the
 * beginning.
 */
export type Pages<Row> = {
  readonly get: () => PagedList<Row>;
  readonly subscribe: (onChange: () => void) => () => void;
  readonly more: () => void;
  readonly again: () => void;
};

type Page<Row> = {
  readonly after: string | null;
  answer: Connection<Row> | null;
  error: CombinedError | null;
  isReading: boolean;
  stop: () => void;
};

const NO_ROWS = { nodes: [], pageInfo: { hasNextPage: false, endCursor: null } };

/** Makes a list; nothing is asked before someone listens. */
export function createPages<Data, Variables extends AnyVariables, Row>(
  client: Pick<Client, 'query'>,
  { query, variables, connectionOf }: PagesQuery<Data, Variables, Row>,
): Pages<Row> {
  let shown: PagedList<Row> = { rows: null, hasMore: false, isReading: true, error: null };
  let wanted = 1;
  let pages: readonly Page<Row>[] = [];
  const listeners = new Set<() => void>();

  const open = (after: string | null, requestPolicy: RequestPolicy): void => {
    const page: Page<Row> = { after, answer: null, error: null, isReading: true, stop: () => undefined };
    pages = [...pages, page];
    const subscription = client
      .query(query, { ...variables, after }, { requestPolicy })
      .subscribe(({ data, error, stale }) => {
        if (!pages.includes(page)) return;
        // What was refused has no data, or none of its list: its rows are not known, and those of before stay.
        const found = data == null ? null : (connectionOf(data) ?? (error ? null : NO_ROWS));
        if (found !== null) page.answer = found;
        page.error = error ?? null;
        page.isReading = stale;
        follow(page, requestPolicy);
        show();
      });
    page.stop = () => subscription.unsubscribe();
    // A cached answer comes synchronously, and may have closed the page.
    if (!pages.includes(page)) page.stop();
  };
  const close = (from: number): void => {
    const closed = pages.slice(from);
    pages = pages.slice(0, from);
    for (const { stop } of closed) stop();
  };
  /** Lets the pages behind a page begin where it ends. */
  const follow = (page: Page<Row>, requestPolicy: RequestPolicy): void => {
    if (page.answer === null) return;
    const { hasNextPage, endCursor } = page.answer.pageInfo;
    const end = hasNextPage ? endCursor : null;
    const next = pages.indexOf(page) + 1;
    if (pages[next]?.after === end) return;
    close(next);
    if (end !== null && pages.length < wanted) open(end, requestPolicy);
  };
  const show = (): void => {
    const error = pages.find((page) => page.error !== null)?.error ?? null;
    const answers = pages.flatMap(({ answer }) => answer ?? []);
    const isWhole = pages.length > 0 && answers.length === pages.length;
    shown = {
      ...(isWhole
        ? {
            rows: answers.flatMap(({ nodes }) => nodes),
            hasMore: answers.at(-1)?.pageInfo.hasNextPage === true,
          }
        : { rows: shown.rows, hasMore: shown.hasMore }),
      isReading: error === null && pages.some(({ isReading }) => isReading),
      error,
    };
    for (const listener of listeners) listener();
  };
  const begin = (requestPolicy: RequestPolicy): void => {
    close(0);
    open(null, requestPolicy);
    show();
  };
  return {
    get: () => shown,
    subscribe(onChange) {
      listeners.add(onChange);
      if (listeners.size === 1) begin('cache-and-network');
      return () => {
        listeners.delete(onChange);
        if (listeners.size === 0) close(0);
      };
    },
    more() {
      const last = pages.at(-1);
      if (!last?.answer?.pageInfo.hasNextPage) return;
      wanted = pages.length + 1;
      follow(last, 'cache-and-network');
      show();
    },
    again: () => begin('network-only'),
  };
}
