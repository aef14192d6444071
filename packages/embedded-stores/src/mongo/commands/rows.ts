/** Reading rows for commands that then count or change them. */
import { checkQuery } from '../check.ts';
import { planSelection, select, type SelectedRow, type Selection } from '../store/select.ts';
import { type Collection } from '../store/store.ts';
import { type CommandContext } from './command.ts';

/**
 * All rows of a selection. They are collected before the first change, because a change may put a row ahead of the
 * scan.
 */
export function selectRows(
  { store, checkQueries }: Pick<CommandContext, 'store' | 'checkQueries'>,
  collection: Collection,
  selection: Selection,
): SelectedRow[] {
  const path = planSelection(collection, selection);
  if (checkQueries) {
    const run = (way: typeof path): Buffer[] =>
      [...select(store, collection, selection, way)].map(({ raw }) => raw);
    checkQuery(selection.needs, path, run, collection.namespace, 'order');
  }
  return [...select(store, collection, selection, path)];
}
