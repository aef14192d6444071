import { sql } from 'kysely';
import type { Db } from './database.ts';

/** Tokens spent, as the finished turns report them; those of deleted sessions count for their day. */
export type TokensSpent = { readonly bySession: number; readonly byViewerToday: number };

/** What a viewer did lately, all projects together. */
export type Activity = {
  /** Turns asked for within the last minute, by the clock of the database. */
  readonly turnsLastMinute: number;
  /** How long until the oldest of them is a minute old; 0 without any. */
  readonly minuteOverInMs: number;
  /** Sessions other than the given one with a running or waiting turn. */
  readonly otherBusySessions: number;
};

/** Sums of the session and of the viewer's day, which begins at 00:00 UTC. */
export async function readTokensSpent(
  db: Db,
  { viewerId, sessionId }: { readonly viewerId: string; readonly sessionId: string },
): Promise<TokensSpent> {
  const { rows } = await sql<{ session: number; day: number }>`
    select
      (select coalesce(sum(total_tokens), 0)::float8 from turns where session_id = ${sessionId}) as session,
      (select coalesce(sum(total_tokens), 0)::float8 from turns
       where viewer_id = ${viewerId} and created_at >= date_trunc('day', now(), 'UTC'))
      + (select coalesce(sum(total_tokens), 0)::float8 from deleted_turns
         where viewer_id = ${viewerId} and created_at >= date_trunc('day', now(), 'UTC')) as day
  `.execute(db);
  const [row] = rows;
  return { bySession: row?.session ?? 0, byViewerToday: row?.day ?? 0 };
}

/** Counts what limits are set on. */
export async function readActivity(
  db: Db,
  { viewerId, sessionId }: { readonly viewerId: string; readonly sessionId: string },
): Promise<Activity> {
  const { rows } = await sql<{ recent: number; over_in_ms: number | null; busy: number }>`
    with recent as (
      select created_at from turns where viewer_id = ${viewerId} and created_at > now() - interval '1 minute'
      union all
      select created_at from deleted_turns
      where viewer_id = ${viewerId} and created_at > now() - interval '1 minute'
    )
    select
      (select count(*)::int from recent) as recent,
      (select 60000 - 1000 * extract(epoch from now() - min(created_at))::float8 from recent) as over_in_ms,
      (select count(distinct session_id)::int from turns
       where viewer_id = ${viewerId} and session_id <> ${sessionId} and status in ('RUNNING', 'QUEUED')) as busy
  `.execute(db);
  const [row] = rows;
  return {
    turnsLastMinute: row?.recent ?? 0,
    minuteOverInMs: Math.ceil(row?.over_in_ms ?? 0),
    otherBusySessions: row?.busy ?? 0,
  };
}
