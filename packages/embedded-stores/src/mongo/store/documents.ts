/** Writing documents together with their index entries. Call all of it within a transaction of the store. */
import { ObjectId } from 'bson';
import { MongoError } from '../errors.ts';
import { decode, encode, type Doc, getField } from '../query/values.ts';
import { checkBson } from './bson-elements.ts';
import { indexKeys, keyValues } from './index-spec.ts';
import { type Collection, type Index, type Store, storedArrays } from './store.ts';

/** MongoDB's limit for one document. */
export const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;

/** Row number of a document in its collection; grows with insertion. */
export type RowId = number;

/** Stores a document with `_id` as its first field; throws DuplicateKey (11000). */
export function insertDocument(store: Store, collection: Collection, raw: Buffer): Doc {
  checkBson(raw);
  let stored = raw;
  let document = collection.decodeKeyFields(raw);
  if (!hasIdFirst(raw)) {
    stored = withIdFirst(decode(raw));
    document = collection.decodeKeyFields(stored);
  }
  checkStorable(stored, getField(document, '_id'));
  const { rowId } = store.sqlite.run(`INSERT INTO ${collection.table} (document) VALUES (?)`, stored);
  for (const index of collection.indexes) addKeys(store, collection, index, rowId, document);
  return document;
}

/** Replaces the document in a row; `before` is what was stored there. */
export function replaceDocument(
  store: Store,
  collection: Collection,
  rowId: RowId,
  before: Doc,
  after: Doc,
): void {
  const raw = encode(after);
  checkBson(raw);
  checkStorable(raw, getField(after, '_id'));
  for (const index of collection.indexes) {
    const old = indexKeys(index.spec, before).keys;
    const { keys } = indexKeys(index.spec, after);
    if (old.length === keys.length && old.every((key, i) => keys[i]?.equals(key))) continue;
    removeKeys(store, index, rowId, old);
    addKeys(store, collection, index, rowId, after);
  }
  store.sqlite.run(`UPDATE ${collection.table} SET document = ? WHERE id = ?`, raw, rowId);
}

/** Removes the document in a row. */
export function deleteDocument(store: Store, collection: Collection, rowId: RowId, document: Doc): void {
  for (const index of collection.indexes) {
    removeKeys(store, index, rowId, indexKeys(index.spec, document).keys);
  }
  store.sqlite.run(`DELETE FROM ${collection.table} WHERE id = ?`, rowId);
}

/** Adds a document to one index; also used to fill a new one. */
export function addKeys(
  store: Store,
  collection: Collection,
  index: Index,
  rowId: RowId,
  document: Doc,
): void {
  const { keys, arrays } = indexKeys(index.spec, document);
  if ((arrays & ~index.arrays) !== 0) {
    index.arrays |= arrays;
    store.sqlite.run('UPDATE indexes SET multikey = ? WHERE id = ?', storedArrays(index.arrays), index.id);
  }
  for (const key of keys) {
    const sql = `INSERT OR IGNORE INTO ${index.table} (key, id) VALUES (?, ?)`;
    if (store.sqlite.run(sql, key, rowId).changes === 0) throw duplicateKey(collection, index, document);
  }
}

function removeKeys(store: Store, index: Index, rowId: RowId, keys: readonly Buffer[]): void {
  for (const key of keys) store.sqlite.run(`DELETE FROM ${index.table} WHERE key = ? AND id = ?`, key, rowId);
}

function duplicateKey(collection: Collection, index: Index, document: Doc): MongoError {
  const values = keyValues(index.spec, document);
  return new MongoError(
    'DuplicateKey',
    `E11000 duplicate key error collection: ${collection.namespace} index: ${index.spec.name} dup key: ${JSON.stringify(values)}`,
    { keyPattern: index.spec.definition['key'], keyValue: values },
  );
}

/** The first element follows the length and its type byte. */
function hasIdFirst(raw: Buffer): boolean {
  return raw.toString('latin1', 5, 9) === '_id\0';
}

/** MongoDB stores `_id` first and makes an ObjectId where there is none. */
function withIdFirst({ _id: id = new ObjectId(), ...fields }: Doc): Buffer {
  return encode({ _id: id, ...fields });
}

function checkStorable(raw: Buffer, id: Doc[string] | undefined): void {
  if (raw.length > MAX_DOCUMENT_BYTES) {
    throw new MongoError(
      'BSONObjectTooLarge',
      `BSONObj size: ${raw.length} is invalid. Size must be between 0 and ${MAX_DOCUMENT_BYTES}`,
    );
  }
  if (Array.isArray(id)) throw new MongoError('InvalidIdField', "The '_id' value cannot be of type array");
}
