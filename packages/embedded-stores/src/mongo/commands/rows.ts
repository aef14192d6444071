/** Reading rows for commands that then count or change them. */
import { checkQuery } from '../check.ts';
import { allOf, atOnce, type Flow, PAUSE, type Pause } from '../steps.ts';
import { planSelection, select, type SelectedRow, type Selection } from '../store/select.ts';
import { type Collection } from '../store/store.ts';
import { type CommandContext } from './command.ts';

/** The rows of a selection as they are read. */
export function readRows(
  { store, checkQueries }: Pick<CommandContext, 'store' | 'checkQueries'>,
  collection: Collection,
  selection: Selection,
): Flow<SelectedRow> {
  const path = planSelection(store, collection, selection);
  if (checkQueries) checkQuery(selection.needs, path, rawRows, collection.namespace, 'order');
  return select(store, collection, selection, path);

  function* rawRows(way: typeof path): Generator<Buffer | Pause> {
    for (const row of select(store, collection, selection, way)) yield row === PAUSE ? row : row.raw;
  }
}

/**
 * All rows of a selection, without a pause. They are collected before the first change, because a change may put a row
 * ahead of the scan.
 */
export const selectRows = (...read: Parameters<typeof readRows>): SelectedRow[] =>
  atOnce(allOf(readRows(...read)));
