/** What a board shows now, for programs: sentences and rows instead of pictures, and links to the charts. */
import type { Board, BoardContent } from '../../domain/boards/board.ts';
import type { Viewer } from '../../domain/conversation/session.ts';
import { sourceOf, type PictureSource } from '../../domain/pictures/source.ts';
import type { ResourceDeps } from './resources.ts';
import { CALL_COST, type CallScope } from './tool-calls.ts';
import { visualUri } from './uris.ts';

/** Items that are read at once. */
const AT_ONCE = 4;
/** Rows of a table here; the link has all. */
const MOST_ROWS = 20;

export type BoardNowDeps = Pick<ResourceDeps, 'boards' | 'shelf' | 'rates'>;

/** Each item is read with the rights of the viewer, and counts like a call. @throws RateLimitedError */
export async function boardNow(
  { boards, shelf, rates }: BoardNowDeps,
  viewer: Viewer,
  { title, range, items, updatedAt }: Board,
  { signal }: CallScope,
): Promise<object> {
  await rates?.pass('queryCost', viewer.id, CALL_COST * Math.max(0, items.length - 1));
  const shown: object[] = [];
  for (let at = 0; at < items.length; at += AT_ONCE) {
    signal.throwIfAborted();
    const reads = items.slice(at, at + AT_ONCE).map(async (item) => {
      const content = await boards.content(viewer, item, { range, signal, withWords: true });
      const source = sourceOf(item.query.arguments['chip_id'], content.freshness);
      return { ...shownTo(content), ...linksOf(content, viewer, shelf, source) };
    });
    shown.push(...(await Promise.all(reads)));
  }
  return { title, updatedAt, items: shown };
}

const shownTo = ({ title, words, table, freshness, readAt, error }: BoardContent) => ({
  title,
  words,
  ...(table !== null && {
    columns: table.columns,
    rows: table.rows.slice(0, MOST_ROWS),
    ...(table.rows.length > MOST_ROWS && {
      _note: `the first ${MOST_ROWS} of ${table.rows.length} rows; the table has all`,
    }),
  }),
  freshness,
  readAt,
  ...(error !== null && { error }),
});

const linksOf = (
  { chart, table }: BoardContent,
  viewer: Viewer,
  shelf: ResourceDeps['shelf'],
  source: PictureSource,
) => ({
  ...(chart !== null && { chart: visualUri('chart', shelf.keep(viewer, chart, source)) }),
  ...(table !== null && { table: visualUri('table', shelf.keep(viewer, table, source)) }),
});
