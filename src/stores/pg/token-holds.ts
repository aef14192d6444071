/** Tokens that are set aside for the model calls of running turns, so that turns at once do not spend the same ones. */
import { sql } from 'kysely';
import type { Db, Tx } from './database.ts';
import { lockName } from './named-lock.ts';
import { type Spender, spentBySession, spentToday, type TokensSpent } from './usage.ts';

/** What others leave: counted by turns that have ended, and set aside for those that run. */
export type TokensTaken = { readonly spent: TokensSpent; readonly held: TokensSpent };

/**
 * Sets tokens aside for a turn, in the place of what was set aside for it before: as many as `grant` says of what others
 * have taken. Holds of one user and of one project wait for each other, so each sees those before it. Those of turns
 * whose lease ran out count no more, and a turn that has ended is given none.
 */
export async function holdTokens(
  db: Db,
  turn: Spender & { readonly id: string },
  grant: (taken: TokensTaken) => number,
): Promise<TokensTaken> {
  return db.transaction().execute(async (tx) => {
    // Always in this order, so that nobody waits in a circle.
    await lockName(tx, `tokens of viewer ${turn.viewerId}`);
    await lockName(tx, `tokens of project ${turn.projectId}`);
    const taken = await readTaken(tx, turn);
    const tokens = Math.max(0, Math.floor(grant(taken)));
    await sql`
      insert into token_holds (turn_id, session_id, viewer_id, project_id, tokens)
      select id, session_id, viewer_id, project_id, ${tokens} from turns
      where id = ${turn.id} and status = 'RUNNING'
      on conflict (turn_id) do update set tokens = excluded.tokens
    `.execute(tx);
    return taken;
  });
}

/** Lets go of what is set aside for a turn that ends; its usage is counted in the same transaction. */
export async function releaseHold(tx: Tx, turnId: string): Promise<void> {
  await tx.deleteFrom('token_holds').where('turn_id', '=', turnId).execute();
}

/** One statement, so that a turn which ends meanwhile is seen either as running or as counted. */
async function readTaken(tx: Tx, turn: Spender & { readonly id: string }): Promise<TokensTaken> {
  const { rows } = await sql<{ session: number; viewer: number; project: number } & HeldRow>`
    with held as (
      select
        coalesce(sum(tokens) filter (where token_holds.session_id = ${turn.sessionId}), 0)::float8 as held_session,
        coalesce(sum(tokens) filter (where token_holds.viewer_id = ${turn.viewerId}), 0)::float8 as held_viewer,
        coalesce(sum(tokens) filter (where token_holds.project_id = ${turn.projectId}), 0)::float8 as held_project
      from token_holds join turns on turns.id = token_holds.turn_id
      where turn_id <> ${turn.id} and turns.status = 'RUNNING' and turns.lease_expires_at > now()
    )
    select held.*, ${spentBySession(turn)} as session, ${spentToday('VIEWER', turn.viewerId)} as viewer,
      ${spentToday('PROJECT', turn.projectId)} as project
    from held
  `.execute(tx);
  const [row] = rows;
  return {
    spent: {
      bySession: row?.session ?? 0,
      byViewerToday: row?.viewer ?? 0,
      byProjectToday: row?.project ?? 0,
    },
    held: {
      bySession: row?.held_session ?? 0,
      byViewerToday: row?.held_viewer ?? 0,
      byProjectToday: row?.held_project ?? 0,
    },
  };
}

type HeldRow = {
  readonly held_session: number;
  readonly held_viewer: number;
  readonly held_project: number;
};
