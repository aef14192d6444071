import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Messages about ended turns and jobs, in the log of those about alerts; destinations that fail rest, and are switched off. */
async function endedWork(db: Kysely<never>): Promise<void> {
  for (const statement of [
    `alter table alert_destinations
      add column events text[] not null default '{}', -- events it subscribes to, in addition to alerts
      add column failures integer not null default 0, -- in a row
      add column failing_since timestamptz, add column rests_until timestamptz,
      add column disabled_at timestamptz, add column disabled_reason text`,
    `alter table alert_deliveries
      add column ended json, -- ids, times, status and usage of the turn or job, as it ended
      add column response_code integer`,
    // Of each destination that which waits longest, and whether one is on its way.
    `drop index alert_deliveries_to_send`,
    `create index alert_deliveries_to_send on alert_deliveries (project_id, destination_id, next_at) where state = 'WAITING'`,
    `create index alert_deliveries_on_their_way on alert_deliveries (project_id, destination_id) where claim is not null`,
    `create index alert_deliveries_by_age on alert_deliveries (created_at)`,
  ]) {
    await sql.raw(statement).execute(db);
  }
}

/** These migrations by name. */
export const MIGRATIONS_20261228: Readonly<Record<string, Migration>> = {
  '20261228-1-ended-work': { up: endedWork },
};
