import type { Collection, Document } from 'mongodb';
import type { TimeCursor } from '../calibration-store.ts';
import { unionOf } from './newest-of-each.ts';
import { ONE_REPLY } from './read-helpers.ts';

/** One list of rows. */
export type RowList = {
  readonly filter: Document;
  /** Filters that divide the rows of `filter`, each with an index in order of time; by default that filter alone. */
  readonly parts?: readonly Document[] | null;
};

/** The order of rows and how many are read: `idField` is unique among rows of the same time. */
export type SliceOrder = {
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

/** The field that tells which list a row belongs to, where several are read together. */
const LIST = '__list';

/** So many lists are read by one command: MongoDB refuses a pipeline of more than 1,000 stages. */
const LISTS_PER_COMMAND = 500;

/** The next rows of one list: see {@link newestSlices}. */
export async function newestSlice(collection: Collection, query: RowList & SliceOrder): Promise<NewestSlice> {
  const [slice = []] = await newestSlices(collection, [query], query);
  return slice;
}

/**
 * The next rows of each list in descending order of time and id. Rows with text for a time come after those with a time,
 * and rows without any come last. A cursor is a position, not an offset, so pages neither repeat nor skip rows when newer
 * ones arrive, and an index scan begins at it. All lists are read together: one command if every page is full, a second
 * if rows of one time were cut apart, and as many again for text and for no time.
 */
export async function newestSlices(
  collection: Collection,
  lists: readonly RowList[],
  order: SliceOrder,
): Promise<readonly NewestSlice[]> {
  const pages = lists.map((list) => ({ list, rows: [] as Document[] }));
  const first = order.after === null ? 0 : KINDS.findIndex(({ has }) => has(order.after?.at));
  for (const [place, kind] of KINDS.slice(first).entries()) {
    const short = pages.filter(({ rows }) => rows.length < order.limit);
    const wanted = short.map(({ list, rows }) => ({ list, count: order.limit - rows.length }));
    const found = await slicesOf(collection, wanted, kind, {
      ...order,
      after: place === 0 ? order.after : null,
    });
    for (const [index, { rows }] of short.entries()) rows.push(...(found[index] ?? []));
  }
  return pages.map(({ rows }) => rows.map((row) => ({ row, cursor: cursorOf(row, order) })));
}

type Wanted = { readonly list: RowList; readonly count: number };

/** Up to `count` rows of one kind of each list, after the cursor. */
async function slicesOf(
  collection: Collection,
  wanted: readonly Wanted[],
  { starts }: Kind,
  { timeField, idField, projection, storedId, after }: SliceOrder,
): Promise<readonly (readonly Document[])[]> {
  const find = (reads: readonly Read[]) => readLists(collection, reads, projection);
  const smallerId = after === null ? {} : { [idField]: { $lt: storedId ? storedId(after.id) : after.id } };
  if (starts === null) {
    const noTimes = KINDS.map((kind) => ({ [timeField]: { $not: { $gte: kind.starts } } })).slice(0, -1);
    return find(wanted.map((one) => ({ ...one, conditions: [...noTimes, smallerId], sort: idField })));
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
  const conditions = [within, ...past];
  const found = await find(
    wanted.map(({ list, count }) => ({ list, count: count + 1, conditions, sort: timeField })),
  );
  const byId = (a: Document, b: Document): number =>
    isSameTime(a[timeField], b[timeField])
      ? Buffer.compare(Buffer.from(String(b[idField])), Buffer.from(String(a[idField])))
      : 0;
  const slices = wanted.map(({ list, count }, index) => {
    const rows = found[index] ?? [];
    const last: unknown = rows[count - 1]?.[timeField];
    if (rows.length <= count || !isSameTime(last, rows[count]?.[timeField])) {
      return { rows: rows.toSorted(byId).slice(0, count), tie: null };
    }
    // The index orders by time only, and this page ends among rows of one time.
    const before = rows.filter((row) => !isSameTime(row[timeField], last));
    const tie = {
      list,
      count: count - before.length,
      conditions: [...past, { [timeField]: last }],
      sort: idField,
    };
    return { rows: before.toSorted(byId), tie };
  });
  const tied = await find(slices.flatMap(({ tie }) => tie ?? []));
  let next = 0;
  return slices.map(({ rows, tie }) => (tie === null ? rows : [...rows, ...(tied[next++] ?? [])]));
}

type Read = Wanted & { readonly conditions: readonly Document[]; readonly sort: string };

/** The rows of each read, in its order; commands are shared. */
async function readLists(
  collection: Collection,
  reads: readonly Read[],
  projection: Document,
): Promise<readonly Document[][]> {
  const pipelines = reads.map(({ list, conditions, sort, count }, index) => {
    const newest = [{ $sort: { [sort]: -1 } }, { $limit: count }];
    const [first = [], ...others] = (list.parts ?? [list.filter]).map((part) => [
      { $match: { $and: [part, ...conditions] } },
      ...newest,
      { $project: projection },
    ]);
    const all = others.length === 0 ? [] : [...unionOf(collection, others), ...newest];
    return [...first, ...all, ...(reads.length === 1 ? [] : [{ $set: { [LIST]: index } }])];
  });
  const rows: Document[][] = reads.map(() => []);
  for (let from = 0; from < pipelines.length; from += LISTS_PER_COMMAND) {
    const [first = [], ...others] = pipelines.slice(from, from + LISTS_PER_COMMAND);
    const found = await collection.aggregate([...first, ...unionOf(collection, others)], ONE_REPLY).toArray();
    for (const { [LIST]: index = 0, ...row } of found) rows[Number(index)]?.push(row);
  }
  return rows;
}

const isSameTime = (a: unknown, b: unknown): boolean =>
  a instanceof Date && b instanceof Date ? a.getTime() === b.getTime() : a === b;

function cursorOf(row: Document, { timeField, idField }: SliceOrder): TimeCursor {
  const raw: unknown = row[timeField];
  return {
    at: raw instanceof Date || typeof raw === 'string' ? raw : null,
    id: String(row[idField]),
  };
}
