/**
 * The SQLite file of the store: opened exclusively, with a write-ahead log; commits are on disk before they
 * return.
 */
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { StoresError } from '../../stores-error.ts';

/** A row as SQLite returns it. */
export type Row = Record<string, SQLInputValue>;

/** An open file. Statements are prepared once and kept. */
export type Sqlite = {
  run(sql: string, ...values: readonly SQLInputValue[]): { readonly changes: number; readonly rowId: number };
  get(sql: string, ...values: readonly SQLInputValue[]): Row | undefined;
  all(sql: string, ...values: readonly SQLInputValue[]): Row[];
  /** Gives back some of the file's free pages if they are many; false once there is nothing left to do. */
  giveBack(): boolean;
  /** Changes the schema; prepared statements are dropped. */
  exec(sql: string): void;
  isInTransaction(): boolean;
  close(): void;
};

/** Value of `PRAGMA auto_vacuum`: a file shrinks on request. */
const INCREMENTAL = 2;
/** Free pages of 4 kB that stay for new documents: 4 MB. */
const KEPT_PAGES = 1_024;
/** Given back at once, which takes some milliseconds. */
const GIVEN_BACK = 512;

/** SQLite's result code for a lock that another process holds. */
const SQLITE_BUSY = 5;

/**
 * Opens `file` (`:memory:` for tests) and takes its exclusive lock, which the system drops with the process.
 * Throws StoresError if another process holds it or the file is not a database.
 */
export function openSqlite(file: string): Sqlite {
  const database = openLocked(file);
  const statements = new Map<string, StatementSync>();
  const statement = (sql: string): StatementSync => {
    let prepared = statements.get(sql);
    if (!prepared) statements.set(sql, (prepared = database.prepare(sql)));
    return prepared;
  };
  return {
    run: (sql, ...values) => {
      const { changes, lastInsertRowid } = statement(sql).run(...values);
      return { changes: Number(changes), rowId: Number(lastInsertRowid) };
    },
    get: (sql, ...values) => statement(sql).get(...values) as Row | undefined,
    all: (sql, ...values) => statement(sql).all(...values) as Row[],
    giveBack: () => {
      const free = Number(statement('PRAGMA freelist_count').get()?.['freelist_count']);
      if (free <= KEPT_PAGES) return false;
      const pages = Math.min(GIVEN_BACK, free - KEPT_PAGES);
      database.exec(`PRAGMA incremental_vacuum(${pages})`);
      if (pages < GIVEN_BACK) database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      return pages === GIVEN_BACK;
    },
    exec: (sql) => {
      database.exec(sql);
      statements.clear();
    },
    isInTransaction: () => database.isTransaction,
    close: () => {
      statements.clear();
      database.close();
    },
  };
}

function openLocked(file: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file);
    // Only a file without tables takes it at once.
    database.exec('PRAGMA auto_vacuum=INCREMENTAL;');
    database.exec('PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;');
    database.exec('PRAGMA cache_size=-65536; PRAGMA temp_store=MEMORY;');
    database.exec('BEGIN EXCLUSIVE; COMMIT;');
    rewriteOlder(database);
    return database;
  } catch (cause) {
    database?.close();
    const message = isBusy(cause)
      ? `${file} is in use by another process; stop that one or choose another data folder`
      : `${file} cannot be opened as a database: ${(cause as Error).message}`;
    throw new StoresError(message, { cause });
  }
}

/** A file of an earlier version cannot shrink before it is written anew, which is worth it only with much free space. */
function rewriteOlder(database: DatabaseSync): void {
  const read = (name: string): number => Number(database.prepare(`PRAGMA ${name}`).get()?.[name]);
  if (read('auto_vacuum') === INCREMENTAL || read('freelist_count') <= KEPT_PAGES) return;
  database.exec('PRAGMA auto_vacuum=INCREMENTAL; VACUUM; PRAGMA wal_checkpoint(TRUNCATE);');
}

/** The bytes of a BLOB column, not copied. */
export function bytesOf(value: SQLInputValue | undefined): Buffer {
  if (!(value instanceof Uint8Array)) throw new Error(`expected a BLOB column, found ${typeof value}`);
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
}

/** The content of a TEXT column. */
export function textOf(value: SQLInputValue | undefined): string {
  if (typeof value !== 'string') throw new Error(`expected a TEXT column, found ${typeof value}`);
  return value;
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
}
