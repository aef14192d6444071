/**
 * Removes what is older than its period, a batch at a time. A batch leaves out what somebody else has locked, another
 * sweeper or a message that arrives, so servers share the work and nobody waits for it.
 */
import { sql, type RawBuilder } from 'kysely';
import { type Db, transact, type Tx } from './database.ts';
import { lockJob } from './job-claims.ts';
import { deleteSession } from './session-delete.ts';
import { rowToSession } from './sessions.ts';
import { purgeShared } from './step-records.ts';

const daysAgo = (days: number): RawBuilder<Date> => sql<Date>`now() - ${days} * interval '1 day'`;

/** Condition on `sessions`: nobody wrote in it for so long, no turn is open, and a job of it ended as long ago. */
const isQuiet = (days: number): RawBuilder<boolean> => sql<boolean>`
  sessions.updated_at < ${daysAgo(days)}
  and not exists (
    select from turns as open where open.session_id = sessions.id and open.status in ('RUNNING', 'QUEUED'))
  and not exists (
    select from jobs where jobs.session_id = sessions.id
      and (jobs.finished_at is null or jobs.finished_at >= ${daysAgo(days)}))`;

/** Removes the records of model calls in sessions that have been quiet for `days`; returns how many. */
export function removeStepRecords(db: Db, days: number): Promise<number> {
  return transact(db, async (tx) => {
    const { rows } = await sql<{ readonly tools: string; readonly prompt: string | null }>`
      with old as (
        select id from sessions where ${isQuiet(days)} and exists (
          select from turns join step_records on turn_id = turns.id where turns.session_id = sessions.id)
        limit 20 for update skip locked
      )
      delete from step_records using turns, old where turns.session_id = old.id and turn_id = turns.id
      returning tools_hash as tools, prompt_hash as prompt
    `.execute(tx);
    const hashes = rows.flatMap(({ tools, prompt }) => (prompt === null ? [tools] : [tools, prompt]));
    await purgeShared(tx, [...new Set(hashes)]);
    return rows.length;
  });
}

/** Removes the results that tools kept in sessions that have been quiet for `days`; returns how many. */
export async function removeKeptResults(db: Db, days: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    with old as (
      select id from sessions where ${isQuiet(days)} and exists (
        select from session_data where session_data.session_id = sessions.id)
      limit 20 for update skip locked
    )
    delete from session_data using old where session_id = old.id
  `.execute(db);
  return Number(numAffectedRows);
}

/** What a sweep of sessions removes. */
export type OldSessions = { readonly kind: 'COPILOT' | 'JOB'; readonly days: number };

/** Deletes sessions that have been quiet for so long, each with everything in it; returns the uploads of each. */
export async function removeOldSessions(db: Db, { kind, days }: OldSessions): Promise<readonly string[][]> {
  const { rows } = await sql<{ readonly id: string }>`
    select id from sessions where kind = ${kind} and ${isQuiet(days)} order by updated_at limit 20
  `.execute(db);
  const removed: string[][] = [];
  for (const { id } of rows) {
    const uploads = await transact(db, (tx) => removeIfQuiet(tx, id, days));
    if (uploads !== null) removed.push([...uploads]);
  }
  return removed;
}

async function removeIfQuiet(tx: Tx, id: string, days: number): Promise<readonly string[] | null> {
  const job = await tx.selectFrom('jobs').select('id').where('session_id', '=', id).executeTakeFirst();
  if (job !== undefined) await lockJob(tx, job.id); // before its session, as everybody does
  const row = await tx
    .selectFrom('sessions')
    .selectAll()
    .where('id', '=', id)
    .where(isQuiet(days))
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  return row === undefined ? null : deleteSession(tx, rowToSession(row));
}

/** Removes proposed jobs that were opened so long ago; returns how many. */
export async function removeOpenedDrafts(db: Db, days: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('job_drafts')
    .where('opened_at', '<', daysAgo(days))
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Locks those of these jobs that ended so long ago, null for none of them, and adds those that were deleted. */
export async function lockForgottenJobs(
  tx: Tx,
  ids: readonly string[],
  days: number | null,
): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly id: string }>`
    with ended as (
      select id from jobs where id = any(${ids}::uuid[]) and finished_at < ${daysAgo(days ?? 0)}
        and ${days !== null} for update skip locked
    )
    select id from ended union all
    select job_id from deleted_sessions where job_id = any(${ids}::uuid[])
  `.execute(tx);
  return rows.map(({ id }) => id);
}

/** Counters, notes of what is gone, and what expired: how long they are of use. */
const NOTES: readonly (readonly [table: string, time: string, period: string])[] = [
  ['daily_usage', 'day', '90 days'],
  ['daily_uploads', 'day', '90 days'],
  ['deleted_sessions', 'deleted_at', '90 days'],
  ['deleted_turns', 'created_at', '2 days'],
  ['live_calls', 'called_at', '1 hour'],
  ['model_lessons', 'learned_at', '30 days'],
  ['rate_buckets', 'at', '1 day'],
  ['auth.session', 'expiresAt', '1 day'],
  ['auth.verification', 'expiresAt', '1 day'],
  ['auth.deviceCode', 'expiresAt', '1 day'],
  ['auth.invitations', 'expires_at', '30 days'],
  // Longer than any call lasts: one that began with a token goes on when the token expires.
  ['auth.assistant_tokens', 'expires_at', '1 hour'],
  ['auth.assistants', 'expires_at', '1 hour'],
  ['auth.oauth_clients', 'expires_at', '1 hour'],
];

/** Removes counters that nothing reads any more; returns how many. */
export async function removeOldNotes(db: Db): Promise<number> {
  let removed = 0n;
  for (const [table, time, period] of NOTES) {
    const { numAffectedRows = 0n } = await sql`
      delete from ${sql.table(table)} where ctid = any(array(
        select ctid from ${sql.table(table)} where ${sql.ref(time)} < now() - ${period}::interval
        limit 1000 for update skip locked))
    `.execute(db);
    removed += numAffectedRows;
  }
  return Number(removed);
}
