import { sql } from 'kysely';
import type { Tx } from './database.ts';

/**
 * Lets transactions that name the same thing pass one after another: from here to its end each sees what those before it
 * stored. For limits on a number of rows, which no constraint can hold.
 */
export async function lockName(tx: Tx, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx);
}
