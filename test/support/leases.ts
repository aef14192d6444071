import type { Pool } from 'pg';

/**
 * Lets the leases of the turns of these sessions have run out, as they do when nobody renews them. The leases of
 * tests are long and end here, so that no machine is too slow to keep one.
 */
export async function endLeases(
  { pool }: { readonly pool: Pick<Pool, 'query'> },
  sessionIds: readonly string[],
): Promise<void> {
  await pool.query(
    `update turns set lease_expires_at = now() - interval '1 second'
     where session_id = any($1) and status = 'RUNNING'`,
    [sessionIds],
  );
}
