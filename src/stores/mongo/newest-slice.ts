import type { Collection, Document } from 'mongodb';
import type { TimeCursor } from '../calibration-store.ts';
import { unionOf } from './newest-of-each.ts';
import { ONE_REPLY } from './read-helpers.ts';

/** Which rows, and their order: `idField` is unique among rows of the same time. */
export type SliceQuery = {
  readonly filter: Document;
  /** Filters that divide the rows of `filter`, each with an index in order of time; by default that filter alone. */
  readonly parts?: readonly Document[] | null;
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

/** A kind of stored time, in the order of pages: `starts` is the least value of its type, null for no time at all. */
const KINDS = [
  { starts: new Date(-8_640_000_000_000_000), has: (time: unknown) => time instanceof Date },
  { starts: '', has: (time: unknown) => typeof time === 'string' },
  { starts: null, has: (time: unknown) => time === null },
] as const;

type Kind = (typeof KINDS)[number];

/**
 * The next rows in descending order of time and id. Rows with text for a time come after those with a time, and rows
 * without any come last. A cursor is a position, not an offset, so pages neither repeat nor skip rows when newer ones
 * arrive, and an index scan begins at it. One command for a full page, and another if rows of one time were cut apart.
 */
export async function newestSlice(collection: Collection, query: SliceQuery): Promise<NewestSlice> {
  const rows: Document[] = [];
  const first = query.after === null ? 0 : KINDS.findIndex(({ has }) => has(query.after?.at));
  for (const [place, kind] of KINDS.slice(first).entries()) {
    if (rows.length < query.limit)
      rows.push(
        ...(await sliceOf(
          collection,
          query,
          kind,
          query.limit - rows.length,
          place === 0 ? query.after : null,
        )),
      );
  }
  return rows.map((row) => ({ row, cursor: cursorOf(row, query) }));
}

/** Rows of one kind after the cursor. */
async function sliceOf(
  collection: Collection,
  { filter, parts, timeField, idField, projection, storedId }: SliceQuery,
  { starts }: Kind,
  limit: number,
  after: TimeCursor | null,
): Promise<readonly Document[]> {
  const find = (conditions: readonly Document[], sort: string, count: number): Promise<Document[]> => {
    const newest = [{ $sort: { [sort]: -1 } }, { $limit: count }];
    const [first = [], ...others] = (parts ?? [filter]).map((part) => [
      { $match: { $and: [part, ...conditions] } },
      ...newest,
      { $project: projection },
    ]);
    const all = others.length === 0 ? [] : [...unionOf(collection, others), ...newest];
    return collection.aggregate([...first, ...all], ONE_REPLY).toArray();
  };
  const smallerId = after === null ? {} : { [idField]: { $lt: storedId ? storedId(after.id) : after.id } };
  if (starts === null) {
    const noTimes = KINDS.map((kind) => ({ [timeField]: { $not: { $gte: kind.starts } } })).slice(0, -1);
    return find([...noTimes, smallerId], idField, limit);
  }
  const within = { [timeField]: { $gte: starts, $not: { $type: 'array' } } };
  const at = after?.at;
  // The first of the two conditions lets the scan begin at the cursor.
  const past =
    at === undefined
      ? []
      : [
          { [timeField]: { $lte: at } },
          { $or: [{ [timeField]: { $lt: at } }, { [timeField]: at, ...smallerId }] },
        ];
  const rows = await find([within, ...past], timeField, limit + 1);
  const byId = (a: Document, b: Document): number =>
    isSameTime(a[timeField], b[timeField])
      ? Buffer.compare(Buffer.from(String(b[idField])), Buffer.from(String(a[idField])))
      : 0;
  const last: unknown = rows[limit - 1]?.[timeField];
  if (rows.length <= limit || !isSameTime(last, rows[limit]?.[timeField])) {
    return rows.toSorted(byId).slice(0, limit);
  }
  // The index orders by time only, and this page ends among rows of one time.
  const before = rows.filter((row) => !isSameTime(row[timeField], last));
  const tied = await find([...past, { [timeField]: last }], idField, limit - before.length);
  return [...before.toSorted(byId), ...tied];
}

const isSameTime = (a: unknown, b: unknown): boolean =>
  a instanceof Date && b instanceof Date ? a.getTime() === b.getTime() : a === b;

function cursorOf(row: Document, { timeField, idField }: SliceQuery): TimeCursor {
  const raw: unknown = row[timeField];
  return {
    at: raw instanceof Date || typeof raw === 'string' ? raw : null,
    id: String(row[idField]),
  };
}
