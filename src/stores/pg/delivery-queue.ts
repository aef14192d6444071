/**
 * Messages to destinations: a durable queue. One goes to a destination at a time, whatever servers send, so one that is slow holds up itself alone; one that fails again and again rests, and is switched off.
 */
import { sql } from 'kysely';
import type { Alert } from '../../domain/alerts/alert.ts';
import type { AlertAbout, DestinationWithTarget } from '../../domain/alerts/destination.ts';
import type { EndedWork } from '../../domain/alerts/ended-work.ts';
import { enableDestination, rowToDestination } from './alert-destinations.ts';
import { rowToAlert } from './alerts.ts';
import { type Db, type Tx, transact } from './database.ts';
import { isOneOf } from './ids.ts';

/** What has to be sent, by one server until the claim runs out. */
export type ClaimedDelivery = {
  readonly id: string;
  readonly attempts: number;
  readonly projectId: string;
  readonly createdAt: Date;
  readonly destination: DestinationWithTarget;
} & (
  | { readonly ended: null; readonly about: AlertAbout; readonly alerts: readonly Alert[] }
  | {
      readonly ended: EndedWork;
      /** Of its conversation, if that is shared with the project; null else. */
      readonly title: string | null;
    }
);

/** Of items `i` and messages `m`. */
export const isItemOf = sql<boolean>`m.id in (i.delivery_id, i.recovery_id)`;

/** Of messages `m`: about the end of a turn or job, where others are about alerts. */
const isNotice = sql<boolean>`(m.ended is not null)`;

/** Of messages `m`: they may be sent now. */
const isDue = sql<boolean>`m.state = 'WAITING' and m.next_at <= now()
  and (m.claimed_until is null or m.claimed_until < now())`;

/**
 * Messages whose time has come, by the clock of the database: of each destination that is neither `quiet` nor resting
 * nor sent to at the moment, the one that waits longest, those about alerts first. Each goes to one server for `leaseMs`.
 */
export async function claimDeliveries(
  db: Db,
  given: {
    readonly claim: string;
    readonly leaseMs: number;
    readonly most: number;
    /** Ids of destinations. */
    readonly quiet: readonly string[];
  },
): Promise<readonly ClaimedDelivery[]> {
  const rows = await db
    .with('heads', (eb) =>
      eb
        .selectFrom('alert_destinations as d')
        .innerJoinLateral(
          (of) =>
            of
              .selectFrom('alert_deliveries as m')
              .select(['m.id', 'm.next_at', isNotice.as('is_notice')])
              .whereRef('m.project_id', '=', 'd.project_id')
              .whereRef('m.destination_id', '=', 'd.id')
              .where(isDue)
              .orderBy(isNotice)
              .orderBy('m.next_at')
              .orderBy('m.id')
              .limit(1)
              .as('head'),
          (join) => join.onTrue(),
        )
        .select('head.id')
        .where('d.disabled_at', 'is', null)
        .where(sql<boolean>`(d.rests_until is null or d.rests_until <= now())`)
        .where(sql<boolean>`d.id <> all(${[...given.quiet]}::uuid[])`)
        .where(
          sql<boolean>`not exists (select from alert_deliveries b where b.project_id = d.project_id
            and b.destination_id = d.id and b.claim is not null and b.claimed_until >= now())`,
        )
        .orderBy('head.is_notice')
        .orderBy('head.next_at')
        .limit(given.most),
    )
    .updateTable('alert_deliveries')
    .set({
      claim: given.claim,
      claimed_until: sql<Date>`clock_timestamp() + ${given.leaseMs} * interval '1 millisecond'`,
      attempts: sql<number>`attempts + 1`,
    })
    // What another server has taken meanwhile is looked at again as its row is locked.
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('alert_deliveries as m')
        .select('m.id')
        .where('m.id', 'in', (of) => of.selectFrom('heads').select('heads.id'))
        .where(isDue)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .execute();
  if (rows.length === 0) return [];
  const ids = rows.filter(({ ended }) => ended === null).map(({ id }) => id);
  const conversationIds = rows.flatMap(({ ended }) => ended?.conversationId ?? []);
  const [destinations, alerts, shared] = await Promise.all([
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
    ids.length === 0 ? [] : alertsOf(db, ids),
    conversationIds.length === 0 ? [] : sharedTitles(db, conversationIds),
  ]);
  return rows.flatMap((row) => {
    const destination = destinations.find(({ id }) => id === row.destination_id);
    if (destination === undefined) return []; // it was deleted meanwhile, with its messages
    const message = {
      id: row.id,
      attempts: row.attempts,
      projectId: row.project_id,
      createdAt: row.created_at,
      destination: rowToDestination(destination),
    };
    const { ended, about } = row;
    if (ended === null)
      return {
        ...message,
        ended,
        about: about as AlertAbout,
        alerts: alerts.flatMap(({ delivery_id: of, ...alert }) => (of === row.id ? [rowToAlert(alert)] : [])),
      };
    return { ...message, ended, title: shared.find(({ id }) => id === ended.conversationId)?.title ?? null };
  });
}

const alertsOf = (db: Db, deliveryIds: readonly string[]) =>
  db
    .selectFrom('alert_delivery_items as i')
    .innerJoin('alerts', 'alerts.id', 'i.alert_id')
    .innerJoin('alert_deliveries as m', (join) =>
      join.onRef('m.project_id', '=', 'i.project_id').on(isItemOf),
    )
    .selectAll('alerts')
    .select('m.id as delivery_id')
    .where(isOneOf('m.id', deliveryIds))
    .orderBy('alerts.opened_at')
    .orderBy('alerts.id')
    .execute();

/** Of conversations that everybody in their project may read now. */
const sharedTitles = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom('sessions')
    .select(['id', 'title'])
    .where(isOneOf('id', ids))
    .where('visibility', '=', 'PROJECT')
    .execute();

/** How an attempt ended. `responseCode`: null without an answer. */
export type Attempt =
  | { readonly error: null; readonly at: Date; readonly responseCode: number }
  | {
      readonly error: string;
      readonly responseCode: number | null;
      /** When to try again; null for never. */
      readonly againMs: number | null;
      /** Says nothing about the receiver: it does not count against the destination. */
      readonly isOurs: boolean;
      /** The shortest rest of the destination after its {@link FAILURES_BEFORE_REST}th failure in a row. */
      readonly restMs: number;
    };

/**
 * After so many failures in a row a destination rests between attempts, each time as long as nothing has arrived: one
 * that is down is soon left alone, and one that fails now and then is not starved.
 */
const FAILURES_BEFORE_REST = 3;
const LONGEST_REST_MS = 300_000;
/** After so many failures in a row, over so many hours, it is switched off. */
const [FAILURES_OF_THE_DEAD, HOURS_OF_THE_DEAD] = [8, 24];
/** It says that it takes no messages ever again. */
const GONE = 410;

/**
 * Notes an attempt, unless the message went to another server meanwhile. Returns why the destination was switched off;
 * null if it was not.
 */
export function finishAttempt(
  db: Db,
  { id, claim, destination }: { readonly claim: string } & Pick<ClaimedDelivery, 'id' | 'destination'>,
  attempt: Attempt,
): Promise<string | null> {
  return transact(db, async (tx) => {
    // Whoever deletes a destination locks it before its messages, too.
    const locked = await tx
      .selectFrom('alert_destinations')
      .select('failures')
      .where('id', '=', destination.id)
      .forUpdate()
      .executeTakeFirst();
    if (locked === undefined) return null;
    const outcome =
      attempt.error === null
        ? { state: 'SENT' as const, sent_at: attempt.at }
        : attempt.againMs === null
          ? { state: 'FAILED' as const }
          : { next_at: sql<Date>`clock_timestamp() + ${attempt.againMs} * interval '1 millisecond'` };
    const { numUpdatedRows } = await tx
      .updateTable('alert_deliveries')
      .set({
        ...outcome,
        error: attempt.error,
        response_code: attempt.responseCode,
        claim: null,
        claimed_until: null,
      })
      .where('id', '=', id)
      .where('claim', '=', claim)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return null;
    if (attempt.error === null) {
      if (locked.failures > 0) await enableDestination(tx, destination);
      return null;
    }
    if (attempt.isOurs) return null;
    return noteFailure(tx, destination, { ...attempt, failures: locked.failures + 1 });
  });
}

async function noteFailure(
  tx: Tx,
  { id, projectId }: DestinationWithTarget,
  {
    failures,
    restMs,
    responseCode,
    error,
  }: Extract<Attempt, { error: string }> & { readonly failures: number },
): Promise<string | null> {
  const { isDead } = await tx
    .updateTable('alert_destinations')
    .set({
      failures,
      failing_since: sql<Date>`coalesce(failing_since, clock_timestamp())`,
      rests_until:
        failures < FAILURES_BEFORE_REST
          ? null
          : sql<Date>`clock_timestamp() + least(${LONGEST_REST_MS} * interval '1 millisecond',
              greatest(${restMs} * interval '1 millisecond', clock_timestamp() - failing_since))`,
    })
    .where('id', '=', id)
    .returning(
      sql<boolean>`failing_since <= clock_timestamp() - ${HOURS_OF_THE_DEAD} * interval '1 hour'`.as(
        'isDead',
      ),
    )
    .executeTakeFirstOrThrow();
  const reason =
    responseCode === GONE
      ? error
      : isDead && failures >= FAILURES_OF_THE_DEAD
        ? `nothing arrived for ${HOURS_OF_THE_DEAD} hours; last: ${error}`
        : null;
  if (reason === null) return null;
  await tx
    .updateTable('alert_destinations')
    .set({ disabled_at: sql<Date>`clock_timestamp()`, disabled_reason: reason })
    .where('id', '=', id)
    .execute();
  await tx
    .updateTable('alert_deliveries')
    .set({ state: 'FAILED', error: 'its destination was switched off', claim: null, claimed_until: null })
    .where('project_id', '=', projectId)
    .where('destination_id', '=', id)
    .where('state', '=', 'WAITING')
    .execute();
  return reason;
}
