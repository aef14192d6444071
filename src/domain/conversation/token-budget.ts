/** What a turn may spend in all, and in words which budget says so, how much of it is used, and when there is more. */
export type TokenGrant = { readonly tokens: number; readonly bound: string };

/** The budgets of one turn: those of its session, its user and its project. */
export type TokenBudget = {
  /**
   * Sets `tokens` aside for the turn, what it spent so far included, or as many as there are. Asked again, the new
   * number takes the place of the old one; they are let go when the turn ends.
   */
  hold(tokens: number): Promise<TokenGrant>;
};
