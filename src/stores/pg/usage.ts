/** Counters of usage and activity, for limits and reports. Days are UTC. */
import { type RawBuilder, sql } from 'kysely';
import type { TokenTotals, Turn, TurnExtra, Viewer } from '../../domain/conversation/session.ts';
import { NO_BUDGETS, type BudgetDefaults, type Budgets } from '../../domain/members/budget.ts';
import { budgetsCall } from './budgets.ts';
import { type Db, readOne } from './database.ts';
import { inOrder, isOneOf, isReadableBy } from './ids.ts';

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
  readonly spent: TokensSpent;
  readonly budgets: Budgets;
  /** Of the given session: its running turn, then its queue in order. */
  readonly open: readonly Pick<Turn, 'id' | 'status'>[];
  /** Of the given session. */
  readonly lacks: readonly TurnExtra[];
};

const TODAY = sql<Date>`(now() at time zone 'UTC')::date`;

/** The counters of a session with those of a turn that ends now, as the assignments of an update. */
export const countedInSession = (usage: TokenTotals): RawBuilder<unknown> => {
  const { inputTokens, outputTokens, cachedTokens, chargedTokens, costUsd } = countedOf(usage);
  return sql`input_tokens = input_tokens + ${inputTokens}, output_tokens = output_tokens + ${outputTokens},
    cached_tokens = cached_tokens + ${cachedTokens}, charged_tokens = charged_tokens + ${chargedTokens},
    cost_usd = cost_usd + ${costUsd}::float8`;
};

/** Counts a turn that ends now for its viewer, its project, and the viewer within it: the most contended rows, always in this order. */
export function countInDay(
  spender: Omit<Spender, 'sessionId'>,
  usage: TokenTotals = NOTHING_SPENT,
): RawBuilder<unknown> {
  const { inputTokens, outputTokens, cachedTokens, chargedTokens, costUsd } = countedOf(usage);
  return sql`
    insert into daily_usage as counted
      (scope, id, day, input_tokens, output_tokens, cached_tokens, charged_tokens, cost_usd, turns)
    select scope, id, ${TODAY}, ${inputTokens}, ${outputTokens}, ${cachedTokens}, ${chargedTokens}, ${costUsd}::float8, 1
    from (values (1, 'VIEWER', ${spender.viewerId}), (2, 'PROJECT', ${spender.projectId}),
      (3, 'MEMBER', member_key(${spender.projectId}, ${spender.viewerId}))) as who (place, scope, id)
    order by place
    on conflict (scope, id, day) do update set
      input_tokens = counted.input_tokens + excluded.input_tokens,
      output_tokens = counted.output_tokens + excluded.output_tokens,
      cached_tokens = counted.cached_tokens + excluded.cached_tokens,
      charged_tokens = counted.charged_tokens + excluded.charged_tokens,
      cost_usd = counted.cost_usd + excluded.cost_usd, turns = counted.turns + 1`;
}

/** A turn without tokens costs nothing, with or without a price. */
const countedOf = ({ totalTokens, chargedTokens = totalTokens, costUsd, ...usage }: TokenTotals) => ({
  ...usage,
  chargedTokens,
  costUsd: totalTokens === 0 ? 0 : costUsd,
});

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
    where ${isOneOf('id', ids)} and ${isReadableBy(viewer, 'sessions', 'sessions.id')}
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

/** Counts what is limited, and the open turns of the session. Phases of jobs do not count. */
export async function readActivity(
  db: Db,
  { viewerId, projectId, sessionId }: Spender,
  defaults: BudgetDefaults = NO_BUDGETS,
): Promise<Activity> {
  const statement = sql<{ activity: Omit<Activity, 'budgets'>; budgets: Budgets }>`
    select activity_of(${viewerId}, ${projectId}, ${sessionId}) as activity,
      ${budgetsCall({ id: viewerId, projectId }, defaults)} as budgets`;
  const { activity, budgets } = await readOne(statement, db);
  return { ...activity, budgets };
}
