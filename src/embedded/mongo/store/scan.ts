/**
 * Reads rows in collection or index order. Rows come in chunks, each by its own statement that starts after the last
 * row seen, so nothing stays open between two batches of a cursor and writes may happen in between.
 */
import { type Plan } from './planner.ts';
import { bytesOf, type Row } from './sqlite.ts';
import { type Collection, type Store } from './store.ts';
import { type RowId } from './documents.ts';

/** A stored document as read by a scan. */
export type ScannedRow = { readonly rowId: RowId; readonly raw: Buffer };

/** What a scan has touched; for `explain`. */
export type ScanCounts = { keysExamined: number; docsExamined: number };

/** A place in an index: the next entry lies after it, in scan direction. */
export type Position = { readonly key: Buffer; readonly rowId: RowId };

const FIRST_CHUNK = 32;
const LARGEST_CHUNK = 512;
/** Bytes of documents to hold at once, whatever their size. */
const CHUNK_BYTES = 8 * 1024 * 1024;

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
    size = nextChunk(rows);
  }
}

/** The documents of an index scan in its order; those with several entries come once. */
export function* scanIndex(
  store: Store,
  collection: Collection,
  plan: Plan,
  counts: ScanCounts,
): Generator<ScannedRow> {
  const seen = new Set<RowId>();
  const ranges = plan.backward ? plan.ranges.toReversed() : plan.ranges;
  for (const range of ranges) {
    let position: Position = { key: plan.backward ? range.to : range.from, rowId: 0 };
    const bound = plan.backward ? range.from : range.to;
    for (let size = FIRST_CHUNK; ;) {
      const entries = readEntries(store, collection, plan, position, bound, size);
      for (const entry of entries) {
        counts.keysExamined++;
        position = entry;
        if (plan.index.multikey) {
          if (seen.has(entry.rowId)) continue;
          seen.add(entry.rowId);
        }
        counts.docsExamined++;
        yield entry;
      }
      if (entries.length < size) break;
      size = nextChunk(entries);
    }
  }
}

/** Rows to read next: twice as many, unless they are large. */
function nextChunk(rows: readonly ScannedRow[]): number {
  const meanBytes = rows.reduce((sum, { raw }) => sum + raw.length, 0) / rows.length;
  return Math.max(1, Math.min(rows.length * 2, LARGEST_CHUNK, Math.floor(CHUNK_BYTES / meanBytes)));
}

/** Up to `size` index entries after `position` and before `bound`, with their documents. */
export function readEntries(
  store: Store,
  collection: Collection,
  plan: Plan,
  position: Position,
  bound: Buffer,
  size: number,
): (ScannedRow & Position)[] {
  const [after, within, order] = plan.backward ? ['<', '>=', ' DESC'] : ['>', '<', ''];
  const sql =
    `SELECT i.key, i.id, d.document FROM ${plan.index.table} i CROSS JOIN ${collection.table} d ON d.id = i.id ` +
    `WHERE (i.key, i.id) ${after} (?, ?) AND i.key ${within} ? ORDER BY i.key${order}, i.id${order} LIMIT ?`;
  return store.sqlite
    .all(sql, position.key, position.rowId, bound, size)
    .map((row) => ({ key: bytesOf(row['key']), ...rowOf(row) }));
}

/** The document in a row, if it is still there. */
export function readRow(store: Store, collection: Collection, rowId: RowId): Buffer | undefined {
  const row = store.sqlite.get(`SELECT document FROM ${collection.table} WHERE id = ?`, rowId);
  return row && bytesOf(row['document']);
}

function rowOf(row: Row): ScannedRow {
  return { rowId: Number(row['id']), raw: bytesOf(row['document']) };
}
