import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Alerts: rules, what they warned of, where messages go, and the messages. */
async function alerts(db: Kysely<never>): Promise<void> {
  for (const statement of [
    `create table alert_rules (
      id uuid primary key, project_id text not null, viewer_id text not null, chip_id text not null,
      text text not null, rule json not null, is_enabled boolean not null,
      destination_ids json not null,
      outcome text not null, words text not null,
      data_version text, -- of the chip, as of the last evaluation
      evaluated_at timestamptz, checked_at timestamptz,
      claim uuid, claimed_until timestamptz, -- by the server that evaluates it
      created_at timestamptz not null, updated_at timestamptz not null)`,
    `create index alert_rules_of_project on alert_rules (project_id, chip_id, id)`,
    `create index alert_rules_to_check on alert_rules (checked_at) where is_enabled`,
    `create table alerts (
      id uuid primary key, rule_id uuid not null, project_id text not null, chip_id text not null,
      kind text not null, qid text not null, label text not null, parameter text,
      rule_text text not null, evidence json not null,
      opened_at timestamptz not null, closed_at timestamptz, ending text,
      acknowledged_by text, acknowledged_at timestamptz, note text,
      notify_at timestamptz not null)`,
    // One open alert of a rule and a part, whoever evaluates.
    `create unique index alerts_open on alerts (project_id, rule_id, kind, qid) where closed_at is null`,
    `create index alerts_of_project on alerts (project_id, opened_at desc, id desc)`,
    `create index alerts_of_part on alerts (project_id, rule_id, kind, qid)`,
    `create table alert_destinations (
      id uuid primary key, project_id text not null, viewer_id text not null,
      name text not null, kind text not null,
      target json not null, -- addresses and secrets: read by who sends, shown to nobody
      quiet json, created_at timestamptz not null, updated_at timestamptz not null)`,
    `create index alert_destinations_of_project on alert_destinations (project_id, id)`,
    `create table alert_deliveries (
      id uuid primary key, project_id text not null, destination_id uuid not null,
      state text not null, attempts integer not null, next_at timestamptz not null,
      claim uuid, claimed_until timestamptz, error text,
      created_at timestamptz not null, sent_at timestamptz)`,
    `create index alert_deliveries_to_send on alert_deliveries (next_at) where state = 'WAITING'`,
    `create index alert_deliveries_of_destination on alert_deliveries (project_id, destination_id, created_at desc)`,
    // An alert goes to a destination once.
    `create table alert_delivery_items (
      alert_id uuid not null, destination_id uuid not null, project_id text not null, delivery_id uuid not null,
      primary key (project_id, alert_id, destination_id))`,
    `create index alert_delivery_items_of_delivery on alert_delivery_items (project_id, delivery_id)`,
  ]) {
    await sql.raw(statement).execute(db);
  }
}

/** These migrations by name. */
export const MIGRATIONS_20261223: Readonly<Record<string, Migration>> = {
  '20261223-1-alerts': { up: alerts },
};
