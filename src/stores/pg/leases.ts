import { sql } from 'kysely';
import type { Db } from './database.ts';
import { isOneOf } from './ids.ts';
import { camelKeys } from './row-keys.ts';
import type { SuccessionRight, TurnRef } from './turn-finish.ts';
import type { Lease } from './turn-start.ts';

/** An abandoned turn, and whether it was to be cancelled. */
export type AbandonedTurn = TurnRef & { readonly cancelRequested: boolean };

/** Extends the leases of the owner's running turns, by the database clock. */
export async function renewLeases(
  db: Db,
  { owner, leaseMs }: Pick<Lease, 'owner' | 'leaseMs'>,
  turnIds: readonly string[],
): Promise<void> {
  await db
    .updateTable('turns')
    .set({ lease_expires_at: sql<Date>`now() + ${leaseMs} * interval '1 millisecond'` })
    .where(isOneOf('id', turnIds))
    .where('owner', '=', owner)
    .where('status', '=', 'RUNNING')
    .execute();
}

/** The owner's running turns, by id: whether it is to be cancelled. A missing turn was closed by another owner. */
export async function readOwnTurns(db: Db, owner: string): Promise<ReadonlyMap<string, boolean>> {
  const rows = await db
    .selectFrom('turns')
    .select(['id', 'cancel_requested_at'])
    .where('owner', '=', owner)
    .where('status', '=', 'RUNNING')
    .execute();
  return new Map(rows.map((row) => [row.id, row.cancel_requested_at !== null]));
}

/** Running turns to be closed by another owner: those with an expired lease or, for an heir, all of other owners. */
export async function findAbandonedTurns(db: Db, right: SuccessionRight): Promise<AbandonedTurn[]> {
  const running = db
    .selectFrom('turns')
    .select(['id', 'session_id', sql<boolean>`cancel_requested_at is not null`.as('cancel_requested')])
    .where('status', '=', 'RUNNING');
  const rows = await (
    right.as === 'heir'
      ? running.where('owner', '!=', right.owner)
      : running.where('lease_expires_at', '<', sql<Date>`now()`)
  ).execute();
  return rows.map(camelKeys);
}
