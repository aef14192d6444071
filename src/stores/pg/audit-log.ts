import { sql } from 'kysely';
import type { AuditEntry, AuditKind, NewAuditEntry } from '../../domain/audit/audit.ts';
import { recordCall } from './audited-act.ts';
import { type Db, transact } from './database.ts';
import { camelKeys } from './row-keys.ts';

/** Which records; all where nothing is said. */
export type AuditFilter = {
  readonly personId?: string | null | undefined;
  readonly kinds?: readonly AuditKind[] | null | undefined;
  /** From this time on. */
  readonly from?: Date | null | undefined;
  /** Before this time. */
  readonly to?: Date | null | undefined;
};

/** Where to look: a project, or everywhere, with what belongs to no project. */
export type AuditScope = { readonly projectId: string } | 'everywhere';

/** Stores a record by itself, where no transaction did. */
export async function insertAudit(db: Db, entry: NewAuditEntry): Promise<void> {
  await recordCall(entry).execute(db);
}

/** Records, newest first; those before the one of the number `before`. */
export async function findAudit(
  db: Db,
  scope: AuditScope,
  { personId, kinds, from, to }: AuditFilter,
  { most, before }: { readonly most: number; readonly before: string | null },
): Promise<readonly AuditEntry[]> {
  let found = db.selectFrom('audit_log').selectAll().orderBy('number', 'desc').limit(most);
  if (scope !== 'everywhere') found = found.where('project_id', '=', scope.projectId);
  if (before !== null) found = found.where('number', '<', before);
  if (personId) found = found.where('person_id', '=', personId);
  if (kinds) found = found.where('kind', 'in', [...kinds]);
  if (from) found = found.where('at', '>=', from);
  if (to) found = found.where('at', '<', to);
  return (await found.execute()).map(camelKeys);
}

const BATCH = 1_000;

/** Removes records of so many days ago; returns how many. The only way in which any goes. */
export function removeOldAudit(db: Db, days: number): Promise<number> {
  return transact(db, async (tx) => {
    await sql`select set_config('qpilot.sweeps_audit', 'on', true)`.execute(tx);
    const { numAffectedRows = 0n } = await sql`
      delete from audit_log where number = any(array(
        select number from audit_log where at < now() - ${days} * interval '1 day' order by at limit ${BATCH}))
    `.execute(tx);
    return Number(numAffectedRows);
  });
}
