import { useMemo, useState, useSyncExternalStore } from 'react';
import { useClient, type AnyVariables } from 'urql';
import { createPages, type PagedList, type Pages, type PagesQuery } from './pages.ts';

/** A list and how to read more of it. */
export type UsedPages<Row> = PagedList<Row> & Pick<Pages<Row>, 'more' | 'again'>;

/**
 * A list of the server, from its first page on; see {@link createPages}. `variables` and `connectionOf` must stay the
 * same objects: others are another list. The rows of the list before stay until those of the new one have come.
 */
export function usePages<Data, Variables extends AnyVariables, Row>({
  query,
  variables,
  connectionOf,
}: PagesQuery<Data, Variables, Row>): UsedPages<Row> {
  const client = useClient();
  const pages = useMemo(
    () => createPages(client, { query, variables, connectionOf }),
    [client, query, variables, connectionOf],
  );
  const list = useSyncExternalStore(pages.subscribe, pages.get);
  const [kept, keep] = useState(list);
  if (list.rows !== null && list !== kept) keep(list);
  const { more, again } = pages;
  return list.rows === null ? { ...list, rows: kept.rows, more, again } : { ...list, more, again };
}
