/** Rules of alerts, and which server evaluates one. */
import { type Selectable, sql } from 'kysely';
import type { RuleOutcome, StoredRule } from '../../domain/alerts/alert.ts';
import type { Viewer } from '../../domain/conversation/session.ts';
import { toStoredJson, toStoredText } from '../../domain/text/stored-text.ts';
import type { Db, Tx } from './database.ts';
import { isOneOf, newId } from './ids.ts';
import { lockName } from './named-lock.ts';
import { camelKeys } from './row-keys.ts';
import type { Database } from './tables.ts';

export type RuleToSave = Pick<StoredRule, 'rule' | 'text' | 'isEnabled' | 'destinationIds'>;

/** A rule that this server evaluates until the claim runs out. */
export type ClaimedRule = StoredRule & { readonly dataVersion: string | null };

/** By chip, then as they were made; their number is limited. */
export async function listRules(db: Db, projectId: string): Promise<readonly StoredRule[]> {
  const rows = await db
    .selectFrom('alert_rules')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('chip_id')
    .orderBy('id')
    .execute();
  return rows.map(rowToRule);
}

/** Nobody else changes it until the transaction ends. */
export async function lockRule(tx: Tx, projectId: string, id: string): Promise<StoredRule | null> {
  const row = await tx
    .selectFrom('alert_rules')
    .selectAll()
    .where(isOneOf('id', [id]))
    .where('project_id', '=', projectId)
    .forUpdate()
    .executeTakeFirst();
  return row === undefined ? null : rowToRule(row);
}

/** Stores a rule of the viewer; null, without a change, if the project has `most` of them. */
export async function insertRule(
  tx: Tx,
  viewer: Viewer,
  rule: RuleToSave,
  { most, now }: { readonly most: number; readonly now: Date },
): Promise<StoredRule | null> {
  await lockName(tx, `alert rules of ${viewer.projectId}`);
  const { count } = await tx
    .selectFrom('alert_rules')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('project_id', '=', viewer.projectId)
    .executeTakeFirstOrThrow();
  if (Number(count) >= most) return null;
  const row = await tx
    .insertInto('alert_rules')
    .values({
      ...toColumns(viewer, rule, now),
      id: newId(),
      project_id: viewer.projectId,
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return rowToRule(row);
}

/** Replaces a rule, whose row must be locked. Who evaluates it at the moment loses it. */
export async function replaceRule(
  tx: Tx,
  viewer: Viewer,
  id: string,
  rule: RuleToSave,
  now: Date,
): Promise<StoredRule> {
  const row = await tx
    .updateTable('alert_rules')
    .set(toColumns(viewer, rule, now))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return rowToRule(row);
}

/** Removes a rule, whose row must be locked. */
export async function deleteRule(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('alert_rules').where('id', '=', id).execute();
}

/**
 * Rules that nobody looked at for `everyMs`, by the clock of the database; each goes to one server, which has it for
 * `leaseMs`.
 */
export async function claimRules(
  db: Db,
  { claim, everyMs, leaseMs, most }: { claim: string; everyMs: number; leaseMs: number; most: number },
): Promise<readonly ClaimedRule[]> {
  const ago = sql<Date>`clock_timestamp() - ${everyMs} * interval '1 millisecond'`;
  const rows = await db
    .updateTable('alert_rules')
    .set({
      claim,
      checked_at: sql<Date>`clock_timestamp()`,
      claimed_until: sql<Date>`clock_timestamp() + ${leaseMs} * interval '1 millisecond'`,
    })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('alert_rules')
        .select('id')
        .where('is_enabled', '=', true)
        .where(sql<boolean>`checked_at is null or checked_at <= ${ago}`)
        .where(sql<boolean>`claimed_until is null or claimed_until < clock_timestamp()`)
        .orderBy('checked_at', (by) => by.asc().nullsFirst())
        .limit(most)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .execute();
  return rows.map((row) => ({ ...rowToRule(row), dataVersion: row.data_version }));
}

/** Whether the rule is still this server's; its row is locked until the transaction ends. */
export async function ownsRule(tx: Tx, id: string, claim: string): Promise<boolean> {
  const row = await tx
    .selectFrom('alert_rules')
    .select('id')
    .where('id', '=', id)
    .where('claim', '=', claim)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

export type EvaluatedRule = {
  readonly outcome: RuleOutcome;
  readonly words: string;
  readonly dataVersion: string | null;
  readonly evaluatedAt: Date;
};

/** Stores what an evaluation came to, null where there was none, and gives the rule back. */
export async function releaseRule(
  db: Db | Tx,
  { id, claim }: { readonly id: string; readonly claim: string },
  evaluated: EvaluatedRule | null,
): Promise<void> {
  const found = evaluated && {
    outcome: evaluated.outcome,
    words: toStoredText(evaluated.words),
    data_version: evaluated.dataVersion,
    evaluated_at: evaluated.evaluatedAt,
  };
  await db
    .updateTable('alert_rules')
    .set({ ...found, claim: null, claimed_until: null })
    .where('id', '=', id)
    .where('claim', '=', claim)
    .execute();
}

const toColumns = (viewer: Viewer, { rule, text, isEnabled, destinationIds }: RuleToSave, now: Date) => ({
  viewer_id: viewer.id,
  chip_id: rule.chipId,
  text: toStoredText(text),
  rule: toStoredJson(rule),
  is_enabled: isEnabled,
  destination_ids: toStoredJson(destinationIds),
  outcome: 'NEW' as const,
  words: '',
  data_version: null,
  evaluated_at: null,
  checked_at: null,
  claim: null,
  claimed_until: null,
  updated_at: now,
});

function rowToRule(row: Selectable<Database['alert_rules']>): StoredRule {
  const {
    dataVersion: _version,
    checkedAt: _at,
    claim: _claim,
    claimedUntil: _until,
    chipId: _chip,
    ...rule
  } = camelKeys(row);
  return rule;
}
