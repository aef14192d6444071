import { Client } from 'pg';

/** Every row of every table of a database, as text. */
export async function readEverything(databaseUrl: string): Promise<string> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      `select quote_ident(tablename) as name from pg_tables where schemaname = 'public' order by 1`,
    );
    const tables: unknown[] = [];
    for (const { name } of rows) {
      const { rows: all } = await client.query(`select t::text from ${name} t order by 1`);
      tables.push([name, all]);
    }
    return JSON.stringify(tables);
  } finally {
    await client.end();
  }
}
