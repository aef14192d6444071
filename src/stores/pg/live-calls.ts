import { sql } from 'kysely';
import type { LiveQuota } from '../../domain/live/live-reading.ts';
import type { Db } from './database.ts';
import { lockName } from './named-lock.ts';

/** Whose live calls are counted. */
export type LiveCallScope = { readonly projectId: string; readonly chipId: string };

/** Most calls within a minute, of one chip and of all chips of a project. */
export type LiveCallLimits = { readonly perChip: number; readonly perProject: number };

/** Whether a call may be made, which is then counted; else how long until one may. */
export type LiveCallPermission =
  { readonly allowed: true } | { readonly allowed: false; readonly retryAfterMs: number };

/**
 * Counts an attempt, however it will end, unless a limit is reached; refused ones are not counted, or nobody who keeps
 * asking would ever be let in. Processes that ask at once wait for each other, so that a limit is never passed.
 */
export function takeLiveCall(
  db: Db,
  scope: LiveCallScope,
  limits: LiveCallLimits,
): Promise<LiveCallPermission> {
  const { projectId, chipId } = scope;
  return db.transaction().execute(async (tx) => {
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

/** What is left of the limits now; nothing is counted. */
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

async function readCalls(db: Db, { projectId, chipId }: LiveCallScope): Promise<CallsOfLastMinute> {
  const ofThisChip = sql`filter (where chip_id = ${chipId})`;
  const freeInMs = (oldest: typeof ofThisChip) =>
    sql`60000 - 1000 * extract(epoch from statement_timestamp() - ${oldest})::float8`;
  const { rows } = await sql<{
    of_chip: number;
    of_project: number;
    chip_free_in_ms: number | null;
    project_free_in_ms: number | null;
  }>`
    select
      count(*) ${ofThisChip}::int as of_chip,
      count(*)::int as of_project,
      ${freeInMs(sql`min(called_at) ${ofThisChip}`)} as chip_free_in_ms,
      ${freeInMs(sql`min(called_at)`)} as project_free_in_ms
    from live_calls
    where project_id = ${projectId} and called_at > statement_timestamp() - interval '1 minute'
  `.execute(db);
  const [row] = rows;
  return {
    ofChip: row?.of_chip ?? 0,
    ofProject: row?.of_project ?? 0,
    chipFreeInMs: Math.max(1, Math.ceil(row?.chip_free_in_ms ?? 0)),
    projectFreeInMs: Math.max(1, Math.ceil(row?.project_free_in_ms ?? 0)),
  };
}
