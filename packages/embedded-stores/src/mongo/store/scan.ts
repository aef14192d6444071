/**
 * Reads rows in collection or index order. Rows come in chunks, each by its own statement that starts after the last
 * row seen, so nothing stays open between two batches of a cursor, and writes may happen in between.
 */
import { type KeyRange, type Plan } from './planner.ts';
import { bytesOf, type Row } from './sqlite.ts';
import { type Collection, type Index, type Store } from './store.ts';
import { type RowId } from './documents.ts';

/** A stored document as read by a scan. */
export type ScannedRow = { readonly rowId: RowId; readonly raw: Buffer };

/** What a scan has touched; for `explain`. */
export type ScanCounts = { keysExamined: number; docsExamined: number };

/** Nothing touched yet. */
export const noCounts = (): ScanCounts => ({ keysExamined: 0, docsExamined: 0 });

/** A place in an index: the next entry lies after it, in scan direction. */
export type Position = { readonly key: Buffer; readonly rowId: RowId };

const FIRST_CHUNK = 32;
const LARGEST_CHUNK = 512;
/** Bytes of documents held at once. */
const CHUNK_BYTES = 8 * 1024 * 1024;
/** No key is smaller, so the range from it to itself is empty. */
const NO_KEY = Buffer.alloc(0);

/** Every document, in insertion order or against it. */
export function* scanCollection(
  store: Store,
  collection: Collection,
  counts: ScanCounts,
  backward = false,
): Generator<ScannedRow> {
  const [after, order] = backward ? ['<', ' DESC'] : ['>', ''];
  const sql = `SELECT id, document FROM ${collection.table} WHERE id ${after} ? ORDER BY id${order} LIMIT ?`;
  let last = backward ? Number.MAX_SAFE_INTEGER : 0;
  for (let size = FIRST_CHUNK; ;) {
    const rows = store.sqlite.all(sql, last, size).map(rowOf);
    for (const row of rows) {
      counts.docsExamined++;
      last = row.rowId;
      yield row;
    }
    if (rows.length < size) return;
    size = nextChunk(rows, size);
  }
}

/** What is left to read of a key range: the entries past `after` and before `bound`, in scan direction. */
export type Rest = { readonly after: Position; readonly bound: Buffer };

/** The documents of an index scan in its order; each document once, even with several entries. */
export function* scanIndex(
  store: Store,
  collection: Collection,
  plan: Plan,
  counts: ScanCounts,
): Generator<ScannedRow> {
  const seen = new Set<RowId>();
  const ranges = plan.backward ? plan.ranges.toReversed() : plan.ranges;
  let first = 0;
  let after: Entry | undefined;
  for (let size = FIRST_CHUNK; first < ranges.length;) {
    const some = ranges.slice(first, first + (plan.backward ? 1 : size));
    const entries = readChunk(store, collection, plan, some, after, size);
    for (const entry of entries) {
      counts.keysExamined++;
      if (plan.index.arrays !== 0) {
        if (seen.has(entry.rowId)) continue;
        seen.add(entry.rowId);
      }
      counts.docsExamined++;
      yield entry;
    }
    // A full chunk may have stopped within a range.
    after = entries.length < size ? undefined : entries.at(-1);
    first += after ? after.range : some.length;
    size = nextChunk(entries, size);
  }
}

function readChunk(
  store: Store,
  collection: Collection,
  plan: Plan,
  ranges: readonly KeyRange[],
  after: Position | undefined,
  size: number,
): Entry[] {
  const [first, ...others] = ranges.map((range) => restOf(plan, range));
  if (!first) return [];
  const rest = after ? { ...first, after } : first;
  return others.length === 0
    ? readEntries(store, collection, plan, rest, size)
    : readRanges(store, collection, plan.index, [rest, ...others], size);
}

/** All of a key range, in the direction of the plan. */
export function restOf({ backward }: Plan, { from, to }: KeyRange): Rest {
  return backward
    ? { after: { key: to, rowId: 0 }, bound: from }
    : { after: { key: from, rowId: 0 }, bound: to };
}

/** So many documents are sorted in some milliseconds. */
const FEW = 1_000;
/** Ranges whose entries are counted. */
const MOST_COUNTED = 16;

/** Whether a plan has few entries, and another one ten times as many. */
export function isFarSmaller(store: Store, plan: Plan, other: Plan): boolean {
  if (Math.max(plan.ranges.length, other.ranges.length) > MOST_COUNTED) return false;
  const few = countEntries(store, plan, FEW + 1);
  return few <= FEW && countEntries(store, other, few * 10 + 1) > few * 10;
}

/** Entries of a plan; the count ends at `most`. */
function countEntries({ sqlite }: Store, { index, ranges }: Plan, most: number): number {
  const entries = `SELECT 1 FROM ${index.table} WHERE key >= ? AND key < ? LIMIT ?`;
  return ranges.reduce((count, { from, to }) => {
    const row = sqlite.get(`SELECT count(*) AS n FROM (${entries})`, from, to, most - count);
    return count + Number(row?.['n']);
  }, 0);
}

/** Rows to read next: twice as many, unless they are large. */
function nextChunk(rows: readonly ScannedRow[], size: number): number {
  const bytes = rows.reduce((sum, { raw }) => sum + raw.length, 0);
  const fitting = Math.floor((CHUNK_BYTES * rows.length) / Math.max(1, bytes));
  return Math.max(1, Math.min(size * 2, LARGEST_CHUNK, rows.length > 0 ? fitting : Infinity));
}

/** An index entry with its document; `range` is the position of its range in the plan. */
export type Entry = ScannedRow & Position & { readonly range: number };

/** Up to `size` entries of one range, in scan direction. */
export function readEntries(
  store: Store,
  collection: Collection,
  { index, backward }: Plan,
  { after, bound }: Rest,
  size: number,
): Entry[] {
  const [past, within, order] = backward ? ['<', '>=', ' DESC'] : ['>', '<', ''];
  const sql =
    `SELECT 0 AS range, i.key, i.id, d.document FROM ${index.table} i CROSS JOIN ${collection.table} d ON d.id = i.id ` +
    `WHERE (i.key, i.id) ${past} (?, ?) AND i.key ${within} ? ORDER BY i.key${order}, i.id${order} LIMIT ?`;
  return store.sqlite.all(sql, after.key, after.rowId, bound, size).map(entryOf);
}

/**
 * Up to `size` entries of many ranges, forwards: range by range, as the order of a CROSS JOIN is that of its
 * tables.
 */
function readRanges(
  store: Store,
  collection: Collection,
  index: Index,
  rests: readonly Rest[],
  size: number,
): Entry[] {
  const slots = slotsFor(rests.length);
  const sql =
    `SELECT r.column1 AS range, i.key, i.id, d.document FROM (VALUES ${slotsText(slots)}) r ` +
    `CROSS JOIN ${index.table} i CROSS JOIN ${collection.table} d ` +
    'WHERE (i.key, i.id) > (r.column2, r.column3) AND i.key < r.column4 AND d.id = i.id LIMIT ?';
  const values = rests.flatMap(({ after, bound }) => [after.key, after.rowId, bound]);
  for (let i = rests.length; i < slots; i++) values.push(NO_KEY, 0, NO_KEY);
  return store.sqlite.all(sql, ...values, size).map(entryOf);
}

function entryOf(row: Row): Entry {
  return { range: Number(row['range']), key: bytesOf(row['key']), ...rowOf(row) };
}

/** Prepared statements are cached by their text, so there are few sizes; unused slots hold empty ranges. */
function slotsFor(ranges: number): number {
  return 2 ** Math.ceil(Math.log2(ranges));
}

function slotsText(slots: number): string {
  return Array.from({ length: slots }, (_unused, i) => `(${i}, ?, ?, ?)`).join(', ');
}

/** The document in a row, if it is still there. */
export function readRow(store: Store, collection: Collection, rowId: RowId): Buffer | undefined {
  const row = store.sqlite.get(`SELECT document FROM ${collection.table} WHERE id = ?`, rowId);
  return row && bytesOf(row['document']);
}

function rowOf(row: Row): ScannedRow {
  return { rowId: Number(row['id']), raw: bytesOf(row['document']) };
}
