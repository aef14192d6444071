import { sql } from 'kysely';
import type { Db } from './database.ts';
import { isOneOf } from './ids.ts';
import { camelKeys } from './row-keys.ts';
import type { TurnRef } from './turn-finish.ts';
import type { Lease } from './turn-start.ts';

/** A running turn, and whether it was to be cancelled. */
export type RunningTurn = TurnRef & {
  readonly owner: string;
  readonly isExpired: boolean;
  readonly cancelRequested: boolean;
};

/**
 * Extends the leases of the owner's running turns, by the database clock. Turns that somebody holds at the moment keep
 * theirs until the next time: one locked row must not cost the others their leases.
 */
export async function renewLeases(
  db: Db,
  { owner, leaseMs }: Pick<Lease, 'owner' | 'leaseMs'>,
  turnIds: readonly string[],
): Promise<void> {
  await db
    .updateTable('turns')
    .set({ lease_expires_at: sql<Date>`now() + ${leaseMs} * interval '1 millisecond'` })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('turns')
        .select('id')
        .where(isOneOf('id', turnIds))
        .where('owner', '=', owner)
        .where('status', '=', 'RUNNING')
        .forUpdate()
        .skipLocked(),
    )
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

/**
 * The running turns of all owners. None counts as expired in the first moments of a Postgres that started anew: their
 * owners could not renew them while it was away.
 */
export async function findRunningTurns(db: Db, graceMs: number): Promise<RunningTurn[]> {
  const rows = await db
    .selectFrom('turns')
    .select([
      'id',
      'session_id',
      sql<string>`owner`.as('owner'),
      sql<boolean>`cancel_requested_at is not null`.as('cancel_requested'),
      sql<boolean>`lease_expires_at < now()
        and pg_postmaster_start_time() < now() - ${graceMs} * interval '1 millisecond'`.as('is_expired'),
    ])
    .where('status', '=', 'RUNNING')
    .execute();
  return rows.map(camelKeys);
}
