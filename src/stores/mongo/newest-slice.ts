import type { Collection, Document } from 'mongodb';
import type { TimeCursor } from '../calibration-store.ts';
import { ONE_REPLY } from './read-helpers.ts';

/** Which rows, and their order: `idField` is unique among rows of the same time. */
export type SliceQuery = {
  readonly filter: Document;
  readonly timeField: string;
  readonly idField: string;
  readonly projection: Document;
  readonly limit: number;
  readonly after: TimeCursor | null;
  /** The id as the database holds it, where that is not text. */
  readonly storedId?: (id: string) => unknown;
};

/** Rows with their cursors. */
export type NewestSlice = readonly { readonly row: Document; readonly cursor: TimeCursor }[];

/**
 * The next rows in descending order of time and id, in two commands. Rows without a time come last. A cursor is a
 * position, not an offset, so pages neither repeat nor skip rows when newer ones arrive.
 */
export async function newestSlice(collection: Collection, query: SliceQuery): Promise<NewestSlice> {
  const { filter: given, timeField, idField, projection, limit, after } = query;
  const filter = { $and: [given, ...(after ? [rowsAfter(after, query)] : [])] };
  // The index orders by time, but not within equal times. The last time of the page bounds what has to be sorted.
  const [last] = await collection
    .find(filter, {
      projection: { [timeField]: 1 },
      sort: { [timeField]: -1 },
      skip: limit - 1,
      limit: 1,
    })
    .toArray();
  const rows = await collection
    .find(
      { $and: [filter, ...(last ? notBefore(last[timeField], timeField) : [])] },
      { projection, sort: { [timeField]: -1, [idField]: -1 }, limit, ...ONE_REPLY },
    )
    .toArray();
  return rows.map((row) => ({ row, cursor: cursorOf(row, query) }));
}

/**
 * Rows after the cursor. MongoDB orders times before text and text before nothing, and comparisons stay within
 * one type, so each type that comes later is named.
 */
function rowsAfter({ at, id }: TimeCursor, { timeField, idField, storedId }: SliceQuery): Document {
  const smallerId = { [idField]: { $lt: storedId ? storedId(id) : id } };
  if (at === null) return { [timeField]: { $not: { $type: ['date', 'string'] } }, ...smallerId };
  const notLater = at instanceof Date ? ['date'] : ['date', 'string'];
  return {
    $or: [
      { [timeField]: { $lt: at } },
      { [timeField]: at, ...smallerId },
      { [timeField]: { $not: { $type: notLater } } },
    ],
  };
}

/** Rows down to this time in the same order; no bound for text and missing times. */
function notBefore(time: unknown, timeField: string): Document[] {
  return time instanceof Date ? [{ [timeField]: { $gte: time } }] : [];
}

function cursorOf(row: Document, { timeField, idField }: SliceQuery): TimeCursor {
  const raw: unknown = row[timeField];
  return {
    at: raw instanceof Date || typeof raw === 'string' ? raw : null,
    id: String(row[idField]),
  };
}
