/** Nothing grows for ever unseen: every table that Postgres has is of exactly one kind of stored data. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createLogger } from '../../../src/base/log.ts';
import { STORED_KINDS } from '../../../src/services/storage/kinds.ts';
import { isOf } from '../../../src/services/storage/storage.ts';
import { openJobQueue } from '../../../src/stores/pg/job-queue.ts';
import { tableSizes, type TableSize } from '../../../src/stores/pg/table-sizes.ts';
import { openPgStore, type PgStore } from './pg-store.ts';

let store: PgStore;
let tables: readonly TableSize[];
beforeAll(async () => {
  store = await openPgStore();
  const url = store.pool.options.connectionString ?? '';
  const queue = await openJobQueue({ url, log: createLogger('silent') });
  tables = await tableSizes(store.db);
  await queue.close();
});
afterAll(() => store.close());

const kinds = Object.entries(STORED_KINDS);
const kindsOf = (table: TableSize): string[] =>
  kinds.flatMap(([kind, { tables: listed }]) => (listed.some((name) => isOf(table, name)) ? [kind] : []));

test('each table has one kind: a new one says how long its rows are kept in src/services/storage/kinds.ts', () => {
  const wrong = tables.flatMap((table) => {
    const found = kindsOf(table);
    return found.length === 1 ? [] : [`${table.schema ?? 'public'}.${table.name}: ${found.join(' and ')}`];
  });
  expect(wrong).toEqual([]);
  expect(tables.length).toBeGreaterThan(40);
});

test('each table of the list exists', () => {
  const listed = kinds.flatMap(([, { tables: names }]) => names);
  expect(listed.filter((name) => !tables.some((table) => isOf(table, name)))).toEqual([]);
});

test('no entry of the data folder is of two kinds', () => {
  const entries = kinds.flatMap(([, kind]) => kind.entries);
  expect(new Set(entries).size).toBe(entries.length);
});
