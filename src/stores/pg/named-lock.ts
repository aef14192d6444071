import { sql } from 'kysely';
import type { Tx } from './database.ts';

/**
 * Serialises transactions that use the same name: from here to its end, each sees what the previous ones stored.
 * For limits on the number of rows, which no constraint can enforce.
 */
export async function lockName(tx: Tx, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx);
}
