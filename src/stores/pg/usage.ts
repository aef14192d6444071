/** Counters of usage and activity, for limits and reports. Days are UTC. */
import { sql } from 'kysely';
import type { TokenTotals, Viewer } from '../../domain/conversation/session.ts';
import { type Db, readOne, type Tx } from './database.ts';
import { inOrder, isOneOf, isOwnedBy } from './ids.ts';

/** The session, viewer and project that a turn's tokens are charged to. */
export type Spender = { readonly sessionId: string; readonly viewerId: string; readonly projectId: string };

/** Tokens charged to turns that have ended; those of deleted sessions still count for their day. */
export type TokensSpent = {
  readonly bySession: number;
  readonly byViewerToday: number;
  readonly byProjectToday: number;
};

/** Recent activity of a viewer in all projects. */
export type Activity = {
  /** Turns asked for within the last minute, by the clock of the database. */
  readonly turnsLastMinute: number;
  /** How long until the oldest of them is a minute old; 0 without any. */
  readonly minuteOverInMs: number;
  /** Sessions other than the given one with a running turn. */
  readonly otherRunningSessions: number;
  /** Sessions other than the given one that only wait. */
  readonly otherWaitingSessions: number;
};

const TODAY = sql<Date>`(now() at time zone 'UTC')::date`;

/** Counts a turn that ends now. The transaction holds the session's row; the contended rows of the day come last. */
export async function addUsage(tx: Tx, spender: Spender, usage: TokenTotals): Promise<void> {
  const { inputTokens, outputTokens, cachedTokens, totalTokens, chargedTokens = totalTokens } = usage;
  const costUsd = totalTokens === 0 ? 0 : usage.costUsd; // a turn without tokens costs nothing, with or without a price
  await sql`
    with session as (
      update sessions set input_tokens = input_tokens + ${inputTokens},
        output_tokens = output_tokens + ${outputTokens}, cached_tokens = cached_tokens + ${cachedTokens},
        charged_tokens = charged_tokens + ${chargedTokens}, cost_usd = cost_usd + ${costUsd}::float8
      where id = ${spender.sessionId}
    )
    insert into daily_usage as counted
      (scope, id, day, input_tokens, output_tokens, cached_tokens, charged_tokens, cost_usd)
    select scope, id, ${TODAY}, ${inputTokens}, ${outputTokens}, ${cachedTokens}, ${chargedTokens}, ${costUsd}::float8
    from (values (1, 'VIEWER', ${spender.viewerId}), (2, 'PROJECT', ${spender.projectId})) as who (place, scope, id)
    order by place
    on conflict (scope, id, day) do update set
      input_tokens = counted.input_tokens + excluded.input_tokens,
      output_tokens = counted.output_tokens + excluded.output_tokens,
      cached_tokens = counted.cached_tokens + excluded.cached_tokens,
      charged_tokens = counted.charged_tokens + excluded.charged_tokens,
      cost_usd = counted.cost_usd + excluded.cost_usd
  `.execute(tx);
}

/** Sums of the session, of the viewer's day and of the project's. */
export const readTokensSpent = (db: Db, spender: Spender): Promise<TokensSpent> =>
  readOne(spentBy(spender), db);

const spentBy = ({ sessionId, viewerId, projectId }: Spender) => sql<TokensSpent>`
  select
    coalesce((select charged_tokens from sessions where id = ${sessionId}), 0)::float8 as "bySession",
    ${spentToday('VIEWER', viewerId)} as "byViewerToday", ${spentToday('PROJECT', projectId)} as "byProjectToday"`;

const spentToday = (scope: 'VIEWER' | 'PROJECT', id: string) =>
  sql<number>`coalesce((select charged_tokens from daily_usage
    where scope = ${scope} and id = ${id} and day = ${TODAY}), 0)::float8`;

type TotalsRow = {
  readonly id: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
  readonly chargedTokens: number;
  readonly costUsd: number | null;
};

const TOTALS = sql`input_tokens::float8 as "inputTokens", output_tokens::float8 as "outputTokens",
  cached_tokens::float8 as "cachedTokens", charged_tokens::float8 as "chargedTokens", cost_usd as "costUsd"`;

const NOTHING_SPENT: TokenTotals = {
  inputTokens: 0,
  outputTokens: 0,
  cachedTokens: 0,
  totalTokens: 0,
  chargedTokens: 0,
  costUsd: 0,
};

/** What the viewer's sessions spent, in the order of `ids`; zero for unknown ones. */
export async function findSessionUsage(
  db: Db,
  viewer: Viewer,
  ids: readonly string[],
): Promise<TokenTotals[]> {
  const { rows } = await sql<TotalsRow>`
    select id, ${TOTALS} from sessions
    where ${isOneOf('id', ids)} and ${isOwnedBy(viewer)}
  `.execute(db);
  return inOrder(ids, rows).map((row) => (row ? totalsOf(row) : NOTHING_SPENT));
}

/** What the viewer spent today, in all projects. */
export async function readViewerDay(db: Db, { id }: Viewer): Promise<TokenTotals> {
  const { rows } = await sql<TotalsRow>`
    select id, ${TOTALS} from daily_usage where scope = 'VIEWER' and id = ${id} and day = ${TODAY}
  `.execute(db);
  return rows[0] ? totalsOf(rows[0]) : NOTHING_SPENT;
}

const totalsOf = ({ id: _id, ...row }: TotalsRow): TokenTotals => ({
  ...row,
  totalTokens: row.inputTokens + row.outputTokens,
});

/** Counts what is limited. Phases of jobs do not count. */
export async function readActivity(
  db: Db,
  spender: Spender,
): Promise<Activity & { readonly spent: TokensSpent }> {
  const { viewerId, sessionId } = spender;
  const statement = sql<Activity & { readonly spent: TokensSpent }>`
    with recent as (
      select turns.created_at from turns join sessions on sessions.id = session_id
      where turns.viewer_id = ${viewerId} and kind <> 'JOB' and turns.created_at > now() - interval '1 minute'
      union all
      select created_at from deleted_turns
      where viewer_id = ${viewerId} and created_at > now() - interval '1 minute'
    ), other as (
      select bool_or(status = 'RUNNING') as runs from turns join sessions on sessions.id = session_id
      where turns.viewer_id = ${viewerId} and kind <> 'JOB' and session_id <> ${sessionId}
        and status in ('RUNNING', 'QUEUED')
      group by session_id
    )
    select
      (select count(*)::int from recent) as "turnsLastMinute",
      (select coalesce(ceil(60000 - 1000 * extract(epoch from now() - min(created_at))), 0)::float8
       from recent) as "minuteOverInMs",
      (select count(*)::int from other where runs) as "otherRunningSessions",
      (select count(*)::int from other where not runs) as "otherWaitingSessions",
      (select to_json(spent) from (${spentBy(spender)}) as spent) as spent
  `;
  return readOne(statement, db);
}
