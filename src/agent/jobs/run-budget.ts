import type { TurnError } from '../../domain/conversation/session.ts';
import type { TokenBudget } from '../../domain/conversation/token-budget.ts';

/** What a run of a job has left for a phase. */
export type RunBudget = {
  readonly budget: TokenBudget;
  /** The error of a phase, naming the job's own limit where that was the one reached. */
  readonly describe: (error: TurnError | null) => TurnError | null;
};

/** Adds the token limit of a run, part of which its earlier phases spent, to the budgets of user and project. */
export function openRunBudget(others: TokenBudget, limit: number, spent: number): RunBudget {
  const left = Math.max(0, limit - spent);
  let isBound = false;
  return {
    budget: {
      async hold(tokens) {
        const grant = await others.hold(tokens);
        isBound = left <= grant.tokens;
        return isBound ? { tokens: left, bound: boundOf(spent, limit) } : grant;
      },
    },
    describe: (error) =>
      isBound && error?.code === 'BUDGET_EXCEEDED'
        ? { ...error, code: 'TOKEN_LIMIT', retryable: true }
        : error,
  };
}

const boundOf = (spent: number, limit: number): string =>
  `the phases before used ${spent.toLocaleString('en-US')} of the ${limit.toLocaleString('en-US')} tokens of this job; try it again to go on from there with as many anew`;
