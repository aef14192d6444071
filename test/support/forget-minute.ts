import { sql } from 'kysely';
import { createLogger } from '../../src/base/log.ts';
import { openDatabase } from '../../src/stores/pg/database.ts';

/** Makes everything that limits of a minute count an hour older, so that no test meets them by accident. */
export async function forgetMinute(databaseUrl: string): Promise<void> {
  const database = openDatabase(databaseUrl, { log: createLogger('silent'), connections: 1 });
  try {
    await sql`update turns set created_at = created_at - interval '1 hour'`.execute(database.db);
    await sql`delete from deleted_turns`.execute(database.db);
    await sql`delete from live_calls`.execute(database.db);
  } finally {
    await database.close();
  }
}
