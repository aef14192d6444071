/** Tokens reserved for the model calls of running turns, so that concurrent turns do not spend the same ones. */
import { sql } from 'kysely';
import { type Db, readOne, type Tx } from './database.ts';
import { lockName } from './named-lock.ts';
import { type Spender, spentBySession, spentToday, type TokensSpent } from './usage.ts';

/** Tokens of others: spent by turns that have ended, and reserved by running ones. */
export type TokensTaken = { readonly spent: TokensSpent; readonly held: TokensSpent };

/**
 * Reserves tokens for a turn, replacing its earlier reservation: as many as `grant` returns for what others have
 * taken. Reservations of one user and of one project are serialised, so each sees those before it. Those of turns
 * with an expired lease no longer count, and a turn that has ended gets none.
 */
export async function holdTokens(
  db: Db,
  turn: Spender & { readonly id: string },
  grant: (taken: TokensTaken) => number,
): Promise<TokensTaken> {
  return db.transaction().execute(async (tx) => {
    // Always in this order, which avoids deadlocks.
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

/** Releases the reservation of a turn that ends; its usage is counted in the same transaction. */
export async function releaseHold(tx: Tx, turnId: string): Promise<void> {
  await tx.deleteFrom('token_holds').where('turn_id', '=', turnId).execute();
}

/** One statement, so that a turn that ends in the meantime counts either as held or as spent. */
function readTaken(tx: Tx, turn: Spender & { readonly id: string }): Promise<TokensTaken> {
  const heldBy = (column: 'session_id' | 'viewer_id' | 'project_id', id: string) =>
    sql`coalesce(sum(tokens) filter (where ${sql.ref(`token_holds.${column}`)} = ${id}), 0)`;
  const statement = sql<TokensTaken>`
    select
      json_build_object('bySession', ${spentBySession(turn)}, 'byViewerToday', ${spentToday('VIEWER', turn.viewerId)},
        'byProjectToday', ${spentToday('PROJECT', turn.projectId)}) as spent,
      json_build_object('bySession', ${heldBy('session_id', turn.sessionId)},
        'byViewerToday', ${heldBy('viewer_id', turn.viewerId)},
        'byProjectToday', ${heldBy('project_id', turn.projectId)}) as held
    from token_holds join turns on turns.id = token_holds.turn_id
    where turn_id <> ${turn.id} and turns.status = 'RUNNING' and turns.lease_expires_at > now()
  `;
  return readOne(statement, tx);
}
