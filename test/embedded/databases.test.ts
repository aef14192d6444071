import { expect, test } from '@jest/globals';
import { Client } from 'pg';
import { createTestDatabase } from '../support/databases.ts';

async function tablesOf(url: string): Promise<string[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1",
  );
  await client.end();
  return rows.map(({ name }) => name);
}

test('test databases are made side by side from one template and keep their rows apart', async () => {
  const [first, second] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  const client = new Client({ connectionString: first.url });
  await client.connect();
  await client.query('CREATE TABLE only_here (id int)');
  await client.end();
  expect(await tablesOf(first.url)).toContain('only_here');
  expect(await tablesOf(second.url)).not.toContain('only_here');
  await Promise.all([first.drop(), second.drop()]);
});
