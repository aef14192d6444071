import { sql } from 'kysely';
import type { LiveQuota } from '../../domain/live/live-reading.ts';
import { type Db, readOne, transact } from './database.ts';
import { lockName } from './named-lock.ts';

/** The scope in which live calls are counted. */
export type LiveCallScope = { readonly projectId: string; readonly chipId: string };

/** Calls allowed per minute, for one chip and for all chips of a project. */
export type LiveCallLimits = { readonly perChip: number; readonly perProject: number };

/** Whether a call is allowed, and counted; else how long to wait. */
export type LiveCallPermission =
  { readonly allowed: true } | { readonly allowed: false; readonly retryAfterMs: number };

/**
 * Counts an attempt, whatever its outcome, unless a limit is reached. Refused attempts are not counted, or a
 * client that keeps retrying would never get through. Concurrent requests are serialised, so a limit is never
 * exceeded.
 */
export function takeLiveCall(
  db: Db,
  scope: LiveCallScope,
  limits: LiveCallLimits,
): Promise<LiveCallPermission> {
  const { projectId, chipId } = scope;
  return transact(db, async (tx) => {
    await lockName(tx, `live calls of ${projectId}`);
    await sql`
      delete from live_calls
      where project_id = ${projectId} and called_at <= statement_timestamp() - interval '1 minute'
    `.execute(tx);
    const used = await readCalls(tx, scope);
    const waits = [
      ...(used.ofChip >= limits.perChip ? [used.chipFreeInMs] : []),
      ...(used.ofProject >= limits.perProject ? [used.projectFreeInMs] : []),
    ];
    if (waits.length > 0) return { allowed: false, retryAfterMs: Math.max(...waits) };
    await sql`insert into live_calls (project_id, chip_id) values (${projectId}, ${chipId})`.execute(tx);
    return { allowed: true };
  });
}

/** The calls left now; counts nothing. */
export async function readLiveQuota(
  db: Db,
  scope: LiveCallScope,
  { perChip, perProject }: LiveCallLimits,
): Promise<LiveQuota> {
  const { ofChip, ofProject } = await readCalls(db, scope);
  return {
    chip: { limit: perChip, left: Math.max(0, perChip - ofChip) },
    project: { limit: perProject, left: Math.max(0, perProject - ofProject) },
  };
}

type CallsOfLastMinute = {
  readonly ofChip: number;
  readonly ofProject: number;
  /** How long until the oldest of them is a minute old; at least 1. */
  readonly chipFreeInMs: number;
  readonly projectFreeInMs: number;
};

function readCalls(db: Db, { projectId, chipId }: LiveCallScope): Promise<CallsOfLastMinute> {
  const ofThisChip = sql`filter (where chip_id = ${chipId})`;
  const freeInMs = (oldest: typeof ofThisChip) =>
    sql`greatest(1, ceil(60000 - 1000 * extract(epoch from statement_timestamp() - ${oldest})))::float8`;
  const statement = sql<CallsOfLastMinute>`
    select
      count(*) ${ofThisChip}::int as "ofChip",
      count(*)::int as "ofProject",
      ${freeInMs(sql`min(called_at) ${ofThisChip}`)} as "chipFreeInMs",
      ${freeInMs(sql`min(called_at)`)} as "projectFreeInMs"
    from live_calls
    where project_id = ${projectId} and called_at > statement_timestamp() - interval '1 minute'
  `;
  return readOne(statement, db);
}
