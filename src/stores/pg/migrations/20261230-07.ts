import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The process that works on a job, and since when. */
async function jobWorkers(db: Kysely<never>): Promise<void> {
  await sql`alter table jobs add column worker uuid, add column claimed_at timestamptz`.execute(db);
}

/** Messages about alerts go before those about turns and jobs. */
async function alertsFirst(db: Kysely<never>): Promise<void> {
  await sql`drop index alert_deliveries_to_send`.execute(db);
  await sql`create index alert_deliveries_to_send
    on alert_deliveries (project_id, destination_id, (ended is not null), next_at) where state = 'WAITING'`.execute(
    db,
  );
}

/** These migrations by name. */
export const MIGRATIONS_20261230_07: Readonly<Record<string, Migration>> = {
  '20261230-07-1-job-workers': { up: jobWorkers },
  '20261230-07-2-alerts-first': { up: alertsFirst },
};
