/** The turns that a server runs when a fault begins, and how long they stay open. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { Cluster, Node } from './cluster.ts';

const POLL_MS = 30;
/** The id of an owner ends with its process id, six hexadecimal digits, and the time of its start. */
const OPEN = `select id from turns where status = 'RUNNING' and owner::text like '%-' || lpad(to_hex($1::int), 6, '0') || '______'`;

/** Connects before anything happens, so that only the turns are waited for. */
export async function turnsOf(node: Node, { databaseUrl }: Pick<Cluster, 'databaseUrl'>) {
  const client = new Client({ connectionString: databaseUrl, application_name: 'chaos' });
  client.on('error', () => undefined);
  await client.connect();
  const pid = node.pid();
  const open = async (): Promise<number> => (await client.query(OPEN, [pid])).rowCount ?? 0;
  const isBusy = (await open()) > 0;
  const since = performance.now();
  return {
    /** Milliseconds; null if not in time, absent if the server ran none. */
    async ended(timeoutMs: number): Promise<number | null | undefined> {
      if (!isBusy) return undefined;
      while (performance.now() - since < timeoutMs) {
        if ((await open()) === 0) return performance.now() - since;
        await sleep(POLL_MS);
      }
      return null;
    },
    close: () => client.end().catch(() => undefined),
  };
}
