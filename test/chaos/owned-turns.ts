/** The turns that a server runs when a fault begins, and how long they stay open. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'pg';
import type { Cluster, Node } from './cluster.ts';

const POLL_MS = 30;
/** The id of an owner ends with its process id, six hexadecimal digits, and the time of its start. */
const OPEN = `select id from turns where status = 'RUNNING' and owner::text like '%-' || lpad(to_hex($1::int), 6, '0') || '______'`;
const STILL_OPEN = `select from turns where status = 'RUNNING' and id = any($1)`;

/** Looks before anything happens, so that only the turns are waited for. */
export async function turnsOf(node: Node, { databaseUrl }: Pick<Cluster, 'databaseUrl'>) {
  const pool = new Pool({ connectionString: databaseUrl, max: 1, application_name: 'chaos' });
  pool.on('error', () => undefined);
  const pid = node.pid();
  const ids = (await pool.query<{ id: string }>(OPEN, [pid])).rows.map(({ id }) => id);
  const open = async (): Promise<number> => (await pool.query(STILL_OPEN, [ids])).rowCount ?? 0;
  const since = performance.now();
  return {
    /** Milliseconds; null if not in time, absent if the server ran none. Nobody can look while the database is away. */
    async ended(timeoutMs: number): Promise<number | null | undefined> {
      if (ids.length === 0) return undefined;
      while (performance.now() - since < timeoutMs) {
        if ((await open().catch(() => null)) === 0) return performance.now() - since;
        await sleep(POLL_MS);
      }
      return null;
    },
    close: () => pool.end().catch(() => undefined),
  };
}
