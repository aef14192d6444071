/** Alerts: what rules warn of. A unique index keeps a second open one of a rule and a part out. */
import { type Selectable, sql } from 'kysely';
import type { Alert, AlertEnding, StoredRule } from '../../domain/alerts/alert.ts';
import type { AlertEvidence, Verdict } from '../../domain/alerts/evaluate.ts';
import { toStoredJson, toStoredText } from '../../domain/text/stored-text.ts';
import type { Db, Tx } from './database.ts';
import { isOneOf, newId } from './ids.ts';
import { camelKeys } from './row-keys.ts';
import type { Database } from './tables.ts';

/** Which alerts of a project; the last opened first. */
export type AlertFilter = { readonly chipId: string | null; readonly isOpen: boolean; readonly most: number };

export async function listAlerts(
  db: Db,
  projectId: string,
  { chipId, isOpen, most }: AlertFilter,
): Promise<readonly Alert[]> {
  let query = db
    .selectFrom('alerts')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('closed_at', isOpen ? 'is' : 'is not', null);
  if (chipId !== null) query = query.where('chip_id', '=', chipId);
  const rows = await query.orderBy('opened_at', 'desc').orderBy('id', 'desc').limit(most).execute();
  return rows.map(rowToAlert);
}

/** Open alerts of a project, and those that nobody acknowledged. */
export async function countAlerts(
  db: Db,
  projectId: string,
): Promise<{ readonly open: number; readonly waiting: number }> {
  const { open, waiting } = await db
    .selectFrom('alerts')
    .select([
      sql<string>`count(*)`.as('open'),
      sql<string>`count(*) filter (where acknowledged_at is null)`.as('waiting'),
    ])
    .where('project_id', '=', projectId)
    .where('closed_at', 'is', null)
    .executeTakeFirstOrThrow();
  return { open: Number(open), waiting: Number(waiting) };
}

/** Opens those that are not open yet, and brings the evidence of the others up to date. Returns how many are new. */
export async function openAlerts(
  tx: Tx,
  { id, projectId, rule, text }: StoredRule,
  verdicts: readonly Verdict[],
  { now, repeatHours }: { readonly now: Date; readonly repeatHours: number },
): Promise<number> {
  if (verdicts.length === 0) return 0;
  const rows = verdicts.map(({ qid, label, evidence }) => ({
    id: newId(),
    rule_id: id,
    project_id: projectId,
    chip_id: rule.chipId,
    kind: rule.kind,
    qid,
    label,
    parameter: rule.parameter,
    rule_text: toStoredText(text),
    evidence: toStoredJson(evidence),
    opened_at: now,
    notify_at: now,
  }));
  const stored = await tx
    .insertInto('alerts')
    .values(rows)
    .onConflict((on) =>
      on
        .columns(['project_id', 'rule_id', 'kind', 'qid'])
        .where('closed_at', 'is', null)
        .doUpdateSet((eb) => ({ evidence: eb.ref('excluded.evidence') })),
    )
    .returning('id')
    .execute();
  const given = new Set(rows.map((row) => row.id));
  const opened = stored.filter((row) => given.has(row.id)).map((row) => row.id);
  // Of what was sent a short time ago the next message waits.
  await sql`update alerts set notify_at = before.sent_at + ${repeatHours} * interval '1 hour'
    from (select past.kind, past.qid, max(past.notify_at) as sent_at from alerts past
      where past.project_id = ${projectId} and past.rule_id = ${id} and past.closed_at is not null
        and exists (select from alert_delivery_items where project_id = past.project_id and alert_id = past.id)
      group by past.kind, past.qid) as before
    where alerts.id = any(${opened}::uuid[]) and alerts.kind = before.kind and alerts.qid = before.qid
      and before.sent_at + ${repeatHours} * interval '1 hour' > ${now}`.execute(tx);
  return opened.length;
}

/** Closes open alerts of a rule: of some parts, null for all. */
export async function closeAlerts(
  tx: Tx,
  { id: ruleId, projectId }: Pick<StoredRule, 'id' | 'projectId'>,
  qids: readonly string[] | null,
  { ending, now }: { readonly ending: AlertEnding; readonly now: Date },
): Promise<void> {
  if (qids?.length === 0) return;
  let query = tx
    .updateTable('alerts')
    .set({ closed_at: now, ending })
    .where('project_id', '=', projectId)
    .where('rule_id', '=', ruleId)
    .where('closed_at', 'is', null);
  if (qids !== null) query = query.where('qid', 'in', qids);
  await query.execute();
}

/** Closes open alerts of a rule of which it does not warn any more, with the values that ended them. */
export async function closeRecovered(
  tx: Tx,
  { id: ruleId, projectId }: Pick<StoredRule, 'id' | 'projectId'>,
  verdicts: readonly Verdict[],
  now: Date,
): Promise<void> {
  if (verdicts.length === 0) return;
  const values = toStoredJson(verdicts.map(({ qid, evidence }) => ({ qid, evidence })));
  await sql`update alerts set closed_at = ${now}, ending = 'RECOVERED', recovery = value.evidence
    from json_to_recordset(${values}::json) as value(qid text, evidence json)
    where project_id = ${projectId} and rule_id = ${ruleId} and closed_at is null and alerts.qid = value.qid`.execute(
    tx,
  );
}

/** Notes who has seen it; the first one stays. Null where the project has no such alert. */
export async function acknowledge(
  db: Db | Tx,
  projectId: string,
  id: string,
  { by, at, note }: { readonly by: string; readonly at: Date; readonly note: string | null },
): Promise<Alert | null> {
  const row = await db
    .updateTable('alerts')
    .set({
      acknowledged_by: sql<string>`coalesce(acknowledged_by, ${by})`,
      acknowledged_at: sql<Date>`coalesce(acknowledged_at, ${at})`,
      note: sql<string | null>`case when acknowledged_at is null then ${note} else note end`,
    })
    .where(isOneOf('id', [id]))
    .where('project_id', '=', projectId)
    .returningAll()
    .executeTakeFirst();
  return row === undefined ? null : rowToAlert(row);
}

/** Removes a batch of alerts that ended so many days ago. Returns how many. */
export async function removeOldAlerts(db: Db, days: number): Promise<number> {
  const before = sql<Date>`now() - ${days} * interval '1 day'`;
  const old = db.selectFrom('alerts').select('id').where('closed_at', '<', before).limit(BATCH);
  const alerts = await db.deleteFrom('alerts').where('id', 'in', old).returning('id').execute();
  const ids = alerts.map(({ id }) => id);
  await db.deleteFrom('alert_delivery_items').where(isOneOf('alert_id', ids)).execute();
  return ids.length;
}

const BATCH = 500;

export const rowToAlert = (row: Selectable<Database['alerts']>): Alert => {
  const { notifyAt: _at, evidence, recovery, ...alert } = camelKeys(row);
  return {
    ...alert,
    evidence: readEvidence(evidence),
    recovery: recovery === null ? null : readEvidence(recovery),
  };
};

const readEvidence = ({
  measuredAt,
  ...evidence
}: Selectable<Database['alerts']>['evidence']): AlertEvidence => ({
  ...evidence,
  measuredAt: measuredAt === null ? null : new Date(measuredAt),
});
