/** Tokens reserved for the model calls of running turns, so that concurrent turns do not spend the same ones. */
import { sql, type QueryCreator } from 'kysely';
import { PREPARED, readOne, type Db } from './database.ts';
import type { Database } from './tables.ts';
import { NO_BUDGETS, type BudgetDefaults, type Budgets } from '../../domain/members/budget.ts';
import type { Spender, TokensSpent } from './usage.ts';

/** Tokens of others: spent by turns that have ended, and reserved by running ones. */
export type TokensTaken = {
  readonly spent: TokensSpent;
  readonly held: TokensSpent;
  /** Of the day, with what others hold of the member's tokens. */
  readonly budgets: Budgets;
  readonly heldByMember: number;
};

/** What a turn wants, and the most that session, user and project may have spent and reserved with it. */
export type WantedTokens = {
  readonly tokens: number;
  readonly sessionTokens: number;
  readonly userTokensPerDay: number;
  readonly projectTokensPerDay: number;
  /** Of the configuration. */
  readonly budgets?: BudgetDefaults | undefined;
};

/**
 * Reserves tokens for a turn, replacing its earlier reservation: what it wants, or what others have left of the limits.
 * Reservations of one user and of one project are serialised, so each sees those before it. Those of turns with an
 * expired lease no longer count, and a turn that has ended gets none.
 */
export async function holdTokens(
  db: Db,
  turn: Spender & { readonly id: string },
  { tokens, sessionTokens, userTokensPerDay, projectTokensPerDay, budgets = NO_BUDGETS }: WantedTokens,
): Promise<TokensTaken> {
  const statement = sql<{ readonly taken: TokensTaken }>`${PREPARED}
    select hold_within_budgets(${turn.id}, ${turn.sessionId}, ${turn.viewerId}, ${turn.projectId},
      ${tokens}, ${sessionTokens}, ${userTokensPerDay}, ${projectTokensPerDay},
      ${JSON.stringify(budgets)}::jsonb) as taken
  `;
  return (await readOne(statement, db)).taken;
}

/** Releases the reservation of a turn that ends; its usage is counted in the same transaction. */
export const releaseHold = (db: QueryCreator<Database>, turnId: string) =>
  db.deleteFrom('token_holds').where('turn_id', '=', turnId);
