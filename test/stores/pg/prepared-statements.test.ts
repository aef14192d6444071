/** Statements that every turn runs are parsed and planned once by each connection, also while a newer server changes tables. */
import { expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { ServiceBusyError } from '../../../src/base/errors.ts';
import { createLogger } from '../../../src/base/log.ts';
import { openDatabase, PREPARED, transact, type Db } from '../../../src/stores/pg/database.ts';
import { createTestDatabase } from '../../support/databases.ts';

const log = createLogger('silent');

async function withTable(work: (db: Db) => Promise<void>): Promise<void> {
  const database = await createTestDatabase();
  const store = openDatabase(database.url, { log, connections: 1 });
  await sql`create table things (id int primary key)`.execute(store.db);
  await sql`insert into things values (1), (2)`.execute(store.db);
  await work(store.db);
  await store.close();
  await database.drop();
}

const readThing = async (db: Db, id: number): Promise<unknown> =>
  (await sql`${PREPARED}select * from things where id = ${id}`.execute(db)).rows[0];

test('a statement is prepared once, whatever its values', async () => {
  await withTable(async (db) => {
    expect([await readThing(db, 1), await readThing(db, 2)]).toEqual([{ id: 1 }, { id: 2 }]);
    const { rows } = await sql`
      select (custom_plans + generic_plans)::int as uses from pg_prepared_statements where statement like '%from things%'
    `.execute(db);
    expect(rows).toEqual([{ uses: 2 }]);
  });
});

test('one whose table has another column meanwhile is prepared anew: transactions notice nothing, readers try again', async () => {
  await withTable(async (db) => {
    await readThing(db, 1);
    await sql`alter table things add column name text`.execute(db);
    expect(await transact(db, (tx) => readThing(tx, 1))).toEqual({ id: 1, name: null });
    await sql`alter table things add column size int`.execute(db);
    const outdated = readThing(db, 1);
    await expect(outdated).rejects.toThrow(ServiceBusyError);
    expect(await readThing(db, 1)).toEqual({ id: 1, name: null, size: null });
  });
});
