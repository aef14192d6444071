import { expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { Client } from 'pg';
import { createTestDatabase, createTestMongo } from '../support/databases.ts';

async function tablesOf(url: string): Promise<string[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1",
  );
  await client.end();
  return rows.map(({ name }) => name);
}

test("test databases are made side by side with QPilot's tables and keep their rows apart", async () => {
  const [first, second] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  const client = new Client({ connectionString: first.url });
  await client.connect();
  await client.query('CREATE TABLE only_here (id int)');
  await client.end();
  const [changed, untouched] = [await tablesOf(first.url), await tablesOf(second.url)];
  expect(untouched).toEqual(expect.arrayContaining(['sessions', 'turns', 'events']));
  expect(changed).toEqual([...untouched, 'only_here'].sort());
  await Promise.all([first.drop(), second.drop()]);
});

test('test databases of the document store are kept apart and leave nothing behind', async () => {
  const [first, second] = await Promise.all([createTestMongo(), createTestMongo()]);
  const client = await MongoClient.connect(first.uri);
  const count = (dbName: string): Promise<number> => client.db(dbName).collection('chip').countDocuments({});
  await client.db(first.dbName).collection('chip').insertOne({ chip_id: '64Qv3' });
  expect([await count(first.dbName), await count(second.dbName)]).toEqual([1, 0]);
  await Promise.all([first.drop(), second.drop()]);
  expect(await count(first.dbName)).toBe(0);
  await client.close();
});
