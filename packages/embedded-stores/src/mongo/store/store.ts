/**
 * The store: raw BSON documents and order-preserving index entries in SQLite tables. A collection is one table
 * `d<id>`, an index one table `i<id>`. It is independent of the wire protocol.
 */
import { Int32 } from 'bson';
import { MongoError } from '../errors.ts';
import { createNeeds } from '../query/needs.ts';
import { type Shuffle } from '../shuffle.ts';
import { decode, encode, type Doc } from '../query/values.ts';
import { createDecoder } from './bson-elements.ts';
import { type ArrayFields, type IndexSpec, parseIndex } from './index-spec.ts';
import { bytesOf, type Sqlite, textOf } from './sqlite.ts';

/** An index and the table of its entries. */
export type Index = {
  readonly id: number;
  readonly table: string;
  readonly spec: IndexSpec;
  /**
   * Fields that have held an array. Such an index provides no sort order, unless the query binds these fields to one value
   * each, and only one bound of a range.
   */
  arrays: ArrayFields;
};

/** A collection with its indexes; `_id_` is always the first. */
export type Collection = {
  readonly id: number;
  readonly database: string;
  readonly name: string;
  readonly namespace: string;
  readonly table: string;
  readonly indexes: readonly Index[];
  /** Decodes `_id` and the fields that index keys depend on. */
  readonly decodeKeyFields: (raw: Buffer) => Doc;
};

/** An open store. Everything is synchronous; writes happen inside {@link Store.transaction}. */
export type Store = {
  readonly sqlite: Sqlite;
  /** In the test mode that mixes what queries leave open. */
  readonly shuffle: Shuffle | undefined;
  readonly openedAtMs: number;
  collection(database: string, name: string): Collection | undefined;
  collections(): readonly Collection[];
  /** Runs `work` in one SQLite transaction; if it throws, everything is rolled back. */
  transaction<T>(work: () => T): T;
  /** Runs `work` as a part of the transaction; if it throws, only that part is rolled back. */
  savepoint<T>(work: () => T): T;
  /** Runs `work`; from `endsAtMs` of `performance.now()` on, {@link Store.isDue} throws MaxTimeMSExpired (50). */
  before<T>(endsAtMs: number, work: () => T): T;
  /** Call for each row that is read: true for every 128th, when others should have their turn. */
  isDue(): boolean;
  /** Re-reads collections and indexes after their tables were changed. */
  reload(): void;
  close(): void;
};

/** At some microseconds a row, others wait for less than a millisecond. */
const ROWS_BETWEEN_PAUSES = 128;

/** Definition of the index that every collection has. */
const ID_INDEX: Doc = { v: new Int32(2), key: { _id: new Int32(1) }, name: '_id_' };

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS collections (id INTEGER PRIMARY KEY, database TEXT NOT NULL, name TEXT NOT NULL, UNIQUE (database, name));
  CREATE TABLE IF NOT EXISTS indexes (id INTEGER PRIMARY KEY, collection INTEGER NOT NULL, definition BLOB NOT NULL, multikey INTEGER NOT NULL DEFAULT 0);
`;

/** Opens the store in an open SQLite file, which it closes when it is closed. */
export function openStore(sqlite: Sqlite, shuffle?: Shuffle): Store {
  sqlite.exec(SCHEMA);
  let loaded = load(sqlite);
  const reload = (): void => {
    loaded = load(sqlite);
  };
  const guarded = <T>(begin: string, commit: string, rollback: readonly string[], work: () => T): T => {
    sqlite.run(begin);
    try {
      const result = work();
      sqlite.run(commit);
      return result;
    } catch (error) {
      // A full disk makes SQLite end the whole transaction by itself.
      if (sqlite.isInTransaction()) for (const sql of rollback) sqlite.run(sql);
      reload();
      throw error;
    }
  };
  let timeLimit = Infinity;
  let rowsRead = 0;
  return {
    sqlite,
    shuffle,
    openedAtMs: Date.now(),
    collection: (database, name) => loaded.get(`${database}.${name}`),
    collections: () => [...loaded.values()],
    transaction: (work) => guarded('BEGIN IMMEDIATE', 'COMMIT', ['ROLLBACK'], work),
    savepoint: (work) =>
      guarded('SAVEPOINT part', 'RELEASE part', ['ROLLBACK TO part', 'RELEASE part'], work),
    before: (endsAtMs, work) => {
      timeLimit = endsAtMs;
      try {
        return work();
      } finally {
        timeLimit = Infinity;
      }
    },
    isDue: () => {
      if (timeLimit !== Infinity && performance.now() > timeLimit)
        throw new MongoError('MaxTimeMSExpired', 'operation exceeded time limit');
      return ++rowsRead % ROWS_BETWEEN_PAUSES === 0;
    },
    reload,
    close: () => sqlite.close(),
  };
}

/** In the column `multikey`: 0 for none; 1 in older files, which do not say which fields; else the bits above the lowest. */
export const storedArrays = (arrays: ArrayFields): number => arrays * 2;
const readArrays = (stored: number): ArrayFields => (stored === 1 ? ~0 : stored / 2);

function load(sqlite: Sqlite): Map<string, Collection> {
  const collections = new Map<string, Collection>();
  for (const row of sqlite.all('SELECT id, database, name FROM collections ORDER BY database, name')) {
    const id = Number(row['id']);
    const database = textOf(row['database']);
    const name = textOf(row['name']);
    const namespace = `${database}.${name}`;
    const needs = createNeeds('_id');
    const indexes = sqlite
      .all('SELECT id, definition, multikey FROM indexes WHERE collection = ? ORDER BY id', id)
      .map((index) => ({
        id: Number(index['id']),
        table: `i${Number(index['id'])}`,
        spec: parseIndex(decode(bytesOf(index['definition'])), needs),
        arrays: readArrays(Number(index['multikey'])),
      }));
    collections.set(namespace, {
      id,
      database,
      name,
      namespace,
      table: `d${id}`,
      indexes,
      decodeKeyFields: createDecoder(needs),
    });
  }
  return collections;
}

/** The collection, created with its `_id_` index if missing. Call within a transaction. */
export function ensureCollection(store: Store, database: string, name: string): Collection {
  const existing = store.collection(database, name);
  if (existing) return existing;
  checkNamespace(database, name);
  const { rowId } = store.sqlite.run(
    'INSERT INTO collections (database, name) VALUES (?, ?)',
    database,
    name,
  );
  store.sqlite.exec(`CREATE TABLE d${rowId} (id INTEGER PRIMARY KEY, document BLOB NOT NULL)`);
  addIndexTable(store, rowId, true, encode(ID_INDEX));
  store.reload();
  const created = store.collection(database, name);
  if (!created) throw new Error(`collection ${database}.${name} is missing right after its creation`);
  return created;
}

/** Creates the table of an index and its row; returns its id. */
export function addIndexTable(store: Store, collection: number, unique: boolean, definition: Buffer): number {
  const { rowId } = store.sqlite.run(
    'INSERT INTO indexes (collection, definition) VALUES (?, ?)',
    collection,
    definition,
  );
  const primary = unique ? 'key' : 'key, id';
  store.sqlite.exec(
    `CREATE TABLE i${rowId} (key BLOB NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (${primary})) WITHOUT ROWID`,
  );
  return rowId;
}

/** Drops a collection and its indexes. Call within a transaction. */
export function dropCollection(store: Store, collection: Collection): void {
  for (const index of collection.indexes) store.sqlite.exec(`DROP TABLE ${index.table}`);
  store.sqlite.exec(`DROP TABLE ${collection.table}`);
  store.sqlite.run('DELETE FROM indexes WHERE collection = ?', collection.id);
  store.sqlite.run('DELETE FROM collections WHERE id = ?', collection.id);
  store.reload();
}

function checkNamespace(database: string, name: string): void {
  if (
    name === '' ||
    name.includes('$') ||
    name.includes('\0') ||
    name.startsWith('system.') ||
    name.startsWith('.')
  ) {
    throw new MongoError('InvalidNamespace', `Invalid namespace specified '${database}.${name}'`);
  }
  if (database === '' || /[\s/\\."$\0]/.test(database)) {
    throw new MongoError('InvalidNamespace', `Invalid database name '${database}'`);
  }
}
