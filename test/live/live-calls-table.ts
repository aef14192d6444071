import { sql } from 'kysely';
import type { Db } from '../../src/stores/pg/database.ts';
import { up } from '../../src/stores/pg/migrations/20261121-2-live-calls.ts';

/** Makes the table of live calls where the run's template does not have it. */
export async function ensureLiveCallsTable(db: Db): Promise<void> {
  const { rows } = await sql<{
    found: string | null;
  }>`select to_regclass('live_calls')::text as found`.execute(db);
  if (rows[0]?.found == null) await up(db.withTables<never>() as unknown as Parameters<typeof up>[0]);
}
