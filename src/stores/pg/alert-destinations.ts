/** Where messages go. Targets hold secrets: only who sends reads them. */
import { type Selectable, sql } from 'kysely';
import type { DestinationWithTarget, QuietHours } from '../../domain/alerts/destination.ts';
import type { Viewer } from '../../domain/conversation/session.ts';
import { toStoredJson, toStoredText } from '../../domain/text/stored-text.ts';
import type { Db, Tx } from './database.ts';
import { isOneOf, newId } from './ids.ts';
import { lockName } from './named-lock.ts';
import { camelKeys } from './row-keys.ts';
import type { Database } from './tables.ts';

export type DestinationToSave = Pick<
  DestinationWithTarget,
  'name' | 'kind' | 'target' | 'quiet' | 'recoveriesSince' | 'events'
>;

/** As they were made; their number is limited. */
export async function listDestinations(
  db: Db | Tx,
  projectId: string,
): Promise<readonly DestinationWithTarget[]> {
  const rows = await db
    .selectFrom('alert_destinations')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('id')
    .execute();
  return rows.map(rowToDestination);
}

/** All destinations with hours in which messages wait, of all projects. */
export async function listQuietHours(
  db: Db,
): Promise<readonly { readonly id: string; readonly quiet: QuietHours | null }[]> {
  return db.selectFrom('alert_destinations').select(['id', 'quiet']).where('quiet', 'is not', null).execute();
}

/** Nobody else changes it until the transaction ends. */
export async function lockDestination(
  tx: Tx,
  projectId: string,
  id: string,
): Promise<DestinationWithTarget | null> {
  const row = await tx
    .selectFrom('alert_destinations')
    .selectAll()
    .where(isOneOf('id', [id]))
    .where('project_id', '=', projectId)
    .forUpdate()
    .executeTakeFirst();
  return row === undefined ? null : rowToDestination(row);
}

/** Null, without a change, if the project has `most` of them. */
export async function insertDestination(
  tx: Tx,
  viewer: Viewer,
  destination: DestinationToSave,
  { most, now }: { readonly most: number; readonly now: Date },
): Promise<DestinationWithTarget | null> {
  await lockName(tx, `alert destinations of ${viewer.projectId}`);
  if ((await listDestinations(tx, viewer.projectId)).length >= most) return null;
  const row = await tx
    .insertInto('alert_destinations')
    .values({
      ...toColumns(viewer, destination, now),
      id: newId(),
      project_id: viewer.projectId,
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return rowToDestination(row);
}

/** Replaces one, whose row must be locked; what failed before is forgotten. */
export async function replaceDestination(
  tx: Tx,
  viewer: Viewer,
  id: string,
  destination: DestinationToSave,
  now: Date,
): Promise<DestinationWithTarget> {
  const row = await tx
    .updateTable('alert_destinations')
    .set(toColumns(viewer, destination, now))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return rowToDestination(row);
}

/** What a destination is at first, and again once a message arrived. */
const WORKS = {
  failures: 0,
  failing_since: null,
  rests_until: null,
  disabled_at: null,
  disabled_reason: null,
} as const;

/** Notes that one takes messages, which switches it on again. */
export async function enableDestination(
  db: Db | Tx,
  { id }: Pick<DestinationWithTarget, 'id'>,
): Promise<void> {
  await db.updateTable('alert_destinations').set(WORKS).where('id', '=', id).execute();
}

/** Removes one with its messages; rules forget it. */
export async function deleteDestination(tx: Tx, projectId: string, id: string): Promise<void> {
  await tx.deleteFrom('alert_delivery_items').where('destination_id', '=', id).execute();
  await tx.deleteFrom('alert_deliveries').where('destination_id', '=', id).execute();
  await tx.deleteFrom('alert_destinations').where('id', '=', id).execute();
  await tx
    .updateTable('alert_rules')
    .set({ destination_ids: sql<string>`(destination_ids::jsonb - ${id}::text)::json` })
    .where('project_id', '=', projectId)
    .execute();
}

const toColumns = (
  viewer: Viewer,
  { name, kind, target, quiet, recoveriesSince, events }: DestinationToSave,
  now: Date,
) => ({
  viewer_id: viewer.id,
  name: toStoredText(name),
  kind,
  target: toStoredJson(target),
  quiet: quiet === null ? null : toStoredJson(quiet),
  recoveries_since: recoveriesSince,
  events: [...events],
  ...WORKS,
  updated_at: now,
});

export const rowToDestination = (row: Selectable<Database['alert_destinations']>): DestinationWithTarget =>
  camelKeys(row);
