import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Messages that alerts recovered, to destinations that were told of their opening. */
async function recoveries(db: Kysely<never>): Promise<void> {
  for (const statement of [
    `alter table alerts add column recovery json`,
    // What recovered before this version is not told.
    `alter table alert_destinations add column recoveries_since timestamptz`,
    `update alert_destinations set recoveries_since = now()`,
    `alter table alert_deliveries add column about text not null default 'OPENED'`,
    `alter table alert_delivery_items add column recovery_id uuid`,
    `create index alert_delivery_items_of_recovery on alert_delivery_items (project_id, recovery_id)
      where recovery_id is not null`,
    `create index alerts_recovered on alerts (project_id, closed_at) where recovery is not null`,
  ]) {
    await sql.raw(statement).execute(db);
  }
}

/** These migrations by name. */
export const MIGRATIONS_20261225: Readonly<Record<string, Migration>> = {
  '20261225-1-alert-recoveries': { up: recoveries },
};
