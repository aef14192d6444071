import { Client } from 'pg';

const ANSWER_MS = 2_000;

/** Whether a server answers within two seconds. */
export async function answers(url: string): Promise<boolean> {
  return ask(url, (client) => client.query('SELECT 1')).then(
    () => true,
    () => false,
  );
}

/** Number of connections other than our own. */
export async function countOtherClients(url: string): Promise<number> {
  const { rows } = await ask(url, (client) =>
    client.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM pg_stat_activity
       WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`,
    ),
  );
  return rows[0]?.count ?? 0;
}

async function ask<T>(url: string, question: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: ANSWER_MS,
    query_timeout: ANSWER_MS,
  });
  client.on('error', () => undefined); // a server that goes away also fails the query
  try {
    await client.connect();
    return await question(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
