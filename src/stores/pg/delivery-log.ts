/** The log of messages to destinations: what was sent and how it went, what is sent again, and when it is forgotten. */
import { sql } from 'kysely';
import type { Delivery, DeliveryState, DestinationWithTarget } from '../../domain/alerts/destination.ts';
import { type Db, type Tx, transact } from './database.ts';
import { isItemOf } from './delivery-queue.ts';
import { isOneOf } from './ids.ts';
import { camelKeys } from './row-keys.ts';

/** The last messages to a destination, the newest first; `state` null: of any. */
export async function listDeliveries(
  db: Db,
  { id, projectId }: Pick<DestinationWithTarget, 'id' | 'projectId'>,
  { most, state }: { readonly most: number; readonly state: DeliveryState | null },
): Promise<readonly Delivery[]> {
  const rows = await deliveries(db)
    .where('m.project_id', '=', projectId)
    .where('m.destination_id', '=', id)
    .$if(state !== null, (query) => query.where('m.state', '=', state ?? 'WAITING'))
    .orderBy('m.created_at', 'desc')
    .orderBy('m.id', 'desc')
    .limit(most)
    .execute();
  return rows.map(toDelivery);
}

const deliveries = (db: Db | Tx) =>
  db
    .selectFrom('alert_deliveries as m')
    .innerJoin('alert_destinations as d', 'd.id', 'm.destination_id')
    .select([
      'm.id',
      'm.destination_id',
      'm.about',
      'm.state',
      'm.ended',
      'm.attempts',
      'm.error',
      'm.response_code',
      'm.created_at',
      'm.sent_at',
      sql<Date | null>`case when m.state = 'WAITING' then greatest(m.next_at, d.rests_until) end`.as(
        'next_at',
      ),
      sql<string>`(select count(*) from alert_delivery_items i
        where i.project_id = m.project_id and ${isItemOf})`.as('alert_count'),
    ]);

const toDelivery = ({
  alert_count: count,
  ...row
}: Awaited<ReturnType<ReturnType<typeof deliveries>['executeTakeFirstOrThrow']>>): Delivery => ({
  ...camelKeys(row),
  alertCount: Number(count),
});

/**
 * Puts a message into the queue again, under its id and with all its attempts; one that waits is tried at once. Null:
 * there is none; words: why its destination is switched off.
 */
export function sendAgain(db: Db, projectId: string, id: string): Promise<Delivery | string | null> {
  return transact(db, async (tx) => {
    const found = await tx
      .selectFrom('alert_deliveries as m')
      .innerJoin('alert_destinations as d', 'd.id', 'm.destination_id')
      .select(['m.id', 'd.id as destination_id', 'd.disabled_reason'])
      .where(isOneOf('m.id', [id]))
      .where('m.project_id', '=', projectId)
      .forUpdate('d')
      .executeTakeFirst();
    if (found === undefined) return null;
    if (found.disabled_reason !== null) return found.disabled_reason;
    await tx
      .updateTable('alert_destinations')
      .set({ rests_until: null })
      .where('id', '=', found.destination_id)
      .execute();
    await tx
      .updateTable('alert_deliveries')
      .set({ state: 'WAITING', attempts: 0, sent_at: null, next_at: sql<Date>`clock_timestamp()` })
      .where('id', '=', found.id)
      .where(sql<boolean>`(claim is null or claimed_until < clock_timestamp())`) // else it is on its way
      .execute();
    return toDelivery(await deliveries(tx).where('m.id', '=', found.id).executeTakeFirstOrThrow());
  });
}

/** Removes a batch of messages that are not waiting: about alerts after so many days, about ended work after fewer. Returns how many. */
export async function removeOldDeliveries(
  db: Db,
  { alertDays, endedDays }: { readonly alertDays: number; readonly endedDays: number },
): Promise<number> {
  const before = (days: number) => sql<Date>`now() - ${days} * interval '1 day'`;
  const old = db
    .selectFrom('alert_deliveries')
    .select('id')
    .where('state', '<>', 'WAITING')
    .where('created_at', '<', before(endedDays))
    .where((eb) => eb.or([eb('ended', 'is not', null), eb('created_at', '<', before(alertDays))]))
    .limit(BATCH);
  const removed = await db.deleteFrom('alert_deliveries').where('id', 'in', old).returning('id').execute();
  return removed.length;
}

const BATCH = 500;
