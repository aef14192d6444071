/** Messages about alerts: a durable queue, and the log of what was sent. An alert goes to a destination once, and once more when it recovers. */
import { type RawBuilder, sql } from 'kysely';
import type { Alert } from '../../domain/alerts/alert.ts';
import type { Delivery, DeliveryAbout, DestinationWithTarget } from '../../domain/alerts/destination.ts';
import { rowToDestination } from './alert-destinations.ts';
import { rowToAlert } from './alerts.ts';
import { type Db, transact } from './database.ts';
import { isOneOf, newId } from './ids.ts';
import { camelKeys } from './row-keys.ts';

/** What has to be sent, by one server until the claim runs out. */
export type ClaimedDelivery = {
  readonly id: string;
  readonly attempts: number;
  readonly projectId: string;
  readonly createdAt: Date;
  readonly about: DeliveryAbout;
  readonly destination: DestinationWithTarget | null;
  readonly alerts: readonly Alert[];
};

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

const DUE: Readonly<Record<DeliveryAbout, DueWhen>> = { OPENED: isOpeningDue, RECOVERED: isRecoveryDue };

/** Destinations that a message is due to. */
export async function dueDestinations(
  db: Db,
  about: DeliveryAbout,
  now: Date,
): Promise<readonly DestinationWithTarget[]> {
  const rows = await db
    .selectFrom('alert_destinations as d')
    .selectAll()
    .where(sql<boolean>`exists (select from alerts a where ${DUE[about](now)})`)
    .execute();
  return rows.map(rowToDestination);
}

/** Of items `i` and messages `m`. */
const isItemOf = sql<boolean>`m.id in (i.delivery_id, i.recovery_id)`;

/** Puts all alerts that are due to a destination into one message. Returns how many; 0 where another server does it. */
export function enqueueDelivery(
  db: Db,
  { id: destinationId, projectId }: Pick<DestinationWithTarget, 'id' | 'projectId'>,
  about: DeliveryAbout,
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

/** Messages whose time has come, by the clock of the database; each goes to one server for `leaseMs`. */
export async function claimDeliveries(
  db: Db,
  { claim, leaseMs, most }: { readonly claim: string; readonly leaseMs: number; readonly most: number },
): Promise<readonly ClaimedDelivery[]> {
  const rows = await db
    .updateTable('alert_deliveries')
    .set({
      claim,
      claimed_until: sql<Date>`clock_timestamp() + ${leaseMs} * interval '1 millisecond'`,
      attempts: sql<number>`attempts + 1`,
    })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('alert_deliveries')
        .select('id')
        .where('state', '=', 'WAITING')
        .where(sql<boolean>`next_at <= clock_timestamp()`)
        .where(sql<boolean>`claimed_until is null or claimed_until < clock_timestamp()`)
        .orderBy('next_at')
        .limit(most)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .execute();
  if (rows.length === 0) return [];
  const [destinations, alerts] = await Promise.all([
    db
      .selectFrom('alert_destinations')
      .selectAll()
      .where(
        isOneOf(
          'id',
          rows.map((row) => row.destination_id),
        ),
      )
      .execute(),
    db
      .selectFrom('alert_delivery_items as i')
      .innerJoin('alerts', 'alerts.id', 'i.alert_id')
      .innerJoin('alert_deliveries as m', (join) =>
        join.onRef('m.project_id', '=', 'i.project_id').on(isItemOf),
      )
      .selectAll('alerts')
      .select('m.id as delivery_id')
      .where(
        isOneOf(
          'm.id',
          rows.map((row) => row.id),
        ),
      )
      .orderBy('alerts.opened_at')
      .orderBy('alerts.id')
      .execute(),
  ]);
  return rows.map((row) => {
    const destination = destinations.find(({ id }) => id === row.destination_id);
    return {
      id: row.id,
      attempts: row.attempts,
      projectId: row.project_id,
      createdAt: row.created_at,
      about: row.about,
      destination: destination === undefined ? null : rowToDestination(destination),
      alerts: alerts.flatMap(({ delivery_id: of, ...alert }) => (of === row.id ? [rowToAlert(alert)] : [])),
    };
  });
}

/** How an attempt ended; `againMs`: when to try again, null for never. */
export type Attempt =
  { readonly error: null; readonly at: Date } | { readonly error: string; readonly againMs: number | null };

/** Notes it, unless the message went to another server meanwhile. */
export async function finishAttempt(
  db: Db,
  { id, claim }: { readonly id: string; readonly claim: string },
  attempt: Attempt,
): Promise<void> {
  const set =
    attempt.error === null
      ? { state: 'SENT' as const, error: null, sent_at: attempt.at }
      : attempt.againMs === null
        ? { state: 'FAILED' as const, error: attempt.error }
        : {
            error: attempt.error,
            next_at: sql<Date>`clock_timestamp() + ${attempt.againMs} * interval '1 millisecond'`,
          };
  await db
    .updateTable('alert_deliveries')
    .set({ ...set, claim: null, claimed_until: null })
    .where('id', '=', id)
    .where('claim', '=', claim)
    .execute();
}

/** The last messages to a destination, the newest first. */
export async function listDeliveries(
  db: Db,
  { id, projectId }: Pick<DestinationWithTarget, 'id' | 'projectId'>,
  most: number,
): Promise<readonly Delivery[]> {
  const rows = await db
    .selectFrom('alert_deliveries as m')
    .select([
      'm.id',
      'm.destination_id',
      'm.about',
      'm.state',
      'm.attempts',
      'm.error',
      'm.created_at',
      'm.sent_at',
    ])
    .select(
      sql<string>`(select count(*) from alert_delivery_items i
        where i.project_id = m.project_id and ${isItemOf})`.as('alert_count'),
    )
    .where('m.project_id', '=', projectId)
    .where('m.destination_id', '=', id)
    .orderBy('m.created_at', 'desc')
    .orderBy('m.id', 'desc')
    .limit(most)
    .execute();
  return rows.map(({ alert_count: count, ...row }) => ({ ...camelKeys(row), alertCount: Number(count) }));
}
