/** Which alerts go to which destination: each once when it opens, and once when it recovers. */
import { type RawBuilder, sql } from 'kysely';
import type { AlertAbout, DestinationWithTarget } from '../../domain/alerts/destination.ts';
import { rowToDestination } from './alert-destinations.ts';
import { type Db, transact } from './database.ts';
import { newId } from './ids.ts';

/** Of one message; the rest goes with the next one. */
const MOST_ALERTS = 500;

/** Conditions on alerts `a` and destinations `d`. */
type DueWhen = (now: Date) => RawBuilder<boolean>;

const isOfRule = sql<boolean>`a.project_id = d.project_id
  and exists (select from alert_rules r where r.id = a.rule_id and r.destination_ids::jsonb @> to_jsonb(d.id::text))`;

/** Open, due, not yet seen by anybody, and in no message to there. */
const isOpeningDue: DueWhen = (now) => sql`${isOfRule} and a.closed_at is null
  and a.acknowledged_at is null and a.notify_at <= ${now}
  and not exists (select from alert_delivery_items i
    where i.project_id = a.project_id and i.alert_id = a.id and i.destination_id = d.id)`;

/** Recovered, within the last week (no quiet time is longer), and the receiver has the message of its opening; the part is not open again, nor was that told again. */
const isRecoveryDue: DueWhen = (now) => sql`${isOfRule} and a.recovery is not null
  and a.closed_at >= greatest(d.recoveries_since, ${now}::timestamptz - interval '7 days')
  and d.recoveries_since is not null
  and exists (select from alert_delivery_items i
    join alert_deliveries m on m.project_id = i.project_id and m.id = i.delivery_id and m.state = 'SENT'
    where i.project_id = a.project_id and i.alert_id = a.id and i.destination_id = d.id and i.recovery_id is null)
  and not exists (select from alerts b where b.project_id = a.project_id and b.rule_id = a.rule_id
    and b.kind = a.kind and b.qid = a.qid and b.id <> a.id and b.opened_at >= a.closed_at
    and (b.closed_at is null or exists (select from alert_delivery_items i
      where i.project_id = b.project_id and i.alert_id = b.id and i.destination_id = d.id)))`;

const DUE: Readonly<Record<AlertAbout, DueWhen>> = { OPENED: isOpeningDue, RECOVERED: isRecoveryDue };

/** Destinations that a message is due to. */
export async function dueDestinations(
  db: Db,
  about: AlertAbout,
  now: Date,
): Promise<readonly DestinationWithTarget[]> {
  const rows = await db
    .selectFrom('alert_destinations as d')
    .selectAll()
    .where('d.disabled_at', 'is', null)
    .where(sql<boolean>`exists (select from alerts a where ${DUE[about](now)})`)
    .execute();
  return rows.map(rowToDestination);
}

/** Puts all alerts that are due to a destination into one message. Returns how many; 0 where another server does it. */
export function enqueueDelivery(
  db: Db,
  { id: destinationId, projectId }: Pick<DestinationWithTarget, 'id' | 'projectId'>,
  about: AlertAbout,
  now: Date,
): Promise<number> {
  return transact(db, async (tx) => {
    const locked = await tx
      .selectFrom('alert_destinations')
      .select('id')
      .where('id', '=', destinationId)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst();
    if (locked === undefined) return 0;
    const deliveryId = newId();
    const due = sql`select a.id, d.id as destination_id, d.project_id from alerts a
      join alert_destinations d on d.id = ${destinationId}::uuid
      where ${DUE[about](now)} order by a.opened_at, a.id limit ${MOST_ALERTS}`;
    const { rows } =
      about === 'OPENED'
        ? await sql`insert into alert_delivery_items (alert_id, destination_id, project_id, delivery_id)
            select due.*, ${deliveryId}::uuid from (${due}) as due
            on conflict do nothing returning alert_id`.execute(tx)
        : await sql`update alert_delivery_items i set recovery_id = ${deliveryId}::uuid from (${due}) as due
            where i.project_id = due.project_id and i.alert_id = due.id and i.destination_id = due.destination_id
            returning alert_id`.execute(tx);
    if (rows.length === 0) return 0;
    await tx
      .insertInto('alert_deliveries')
      .values({
        id: deliveryId,
        project_id: projectId,
        destination_id: destinationId,
        about,
        state: 'WAITING',
        attempts: 0,
        next_at: sql<Date>`clock_timestamp()`,
        created_at: now,
      })
      .execute();
    return rows.length;
  });
}
