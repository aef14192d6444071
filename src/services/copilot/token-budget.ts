/**
 * Token budgets of a conversation, of a user per day and of a project per day. They are checked before a turn starts
 * and before each model call, which reserves tokens so that concurrent turns do not spend the same ones.
 */
import type { SessionKind } from '../../domain/conversation/session.ts';
import type { TokenBudget, TokenGrant } from '../../domain/conversation/tokens.ts';
import { BUDGET_SCOPES, budgetText, type BudgetDefaults } from '../../domain/members/budget.ts';
import { BudgetExceededError } from '../../base/errors.ts';
import type { Db } from '../../stores/pg/database.ts';
import { holdTokens } from '../../stores/pg/token-holds.ts';
import type { TokensTaken } from '../../stores/pg/token-holds.ts';
import type { Spender, TokensSpent } from '../../stores/pg/usage.ts';

/** Most tokens that may be spent. A day begins at 00:00 UTC. */
export type TokenLimits = {
  readonly sessionTokens: number;
  readonly userTokensPerDay: number;
  readonly projectTokensPerDay: number;
  /** What admins may change; none without. */
  readonly budgets?: BudgetDefaults;
};

/** Whether a session's turns share its token limit. Each run of a job has a limit of its own instead. */
const SHARES_SESSION_LIMIT: Readonly<Record<SessionKind, boolean>> = {
  COPILOT: true,
  BUILDER: true,
  JOB: false,
};

/** The budgets of a turn in a session of this kind. */
export function openTokenBudget(
  db: Db,
  turn: Spender & { readonly id: string; readonly kind: SessionKind },
  limits: TokenLimits,
): TokenBudget {
  const applying = SHARES_SESSION_LIMIT[turn.kind] ? limits : { ...limits, sessionTokens: Infinity };
  return {
    async hold(tokens) {
      const taken = await holdTokens(db, turn, { tokens, ...applying });
      return leastOf([...grantsOf(applying, taken), ...budgetGrants(taken)]);
    },
  };
}

/** @throws BudgetExceededError when a budget is used up */
export function assertTokensLeft(spent: TokensSpent, limits: TokenLimits): void {
  const nothingHeld = { bySession: 0, byViewerToday: 0, byProjectToday: 0 };
  const { tokens, bound } = leastOf(grantsOf(limits, { spent, held: nothingHeld }));
  if (tokens <= 0) throw new BudgetExceededError(bound);
}

type Taken = Pick<TokensTaken, 'spent' | 'held'>;

function grantsOf(limits: TokenLimits, { spent, held }: Taken): readonly TokenGrant[] {
  const { sessionTokens, userTokensPerDay, projectTokensPerDay } = limits;
  return [
    grant('this conversation has used', spent.bySession, held.bySession, sessionTokens, 'start a new one'),
    grant('you have used', spent.byViewerToday, held.byViewerToday, userTokensPerDay, NEXT_DAY),
    grant('this project has used', spent.byProjectToday, held.byProjectToday, projectTokensPerDay, NEXT_DAY),
  ];
}

/** What is left of tokens, or nothing where the cost is used up, which no call knows beforehand. */
function budgetGrants({ budgets, held, heldByMember }: TokensTaken): readonly TokenGrant[] {
  const heldBy = { member: heldByMember, project: held.byProjectToday };
  return BUDGET_SCOPES.flatMap((scope) => {
    const { tokens, costUsd } = budgets[scope];
    const isSpent = costUsd.limit !== null && costUsd.used >= costUsd.limit;
    return [
      ...(tokens.limit === null
        ? []
        : [
            {
              tokens: Math.max(0, tokens.limit - tokens.used - heldBy[scope]),
              bound: budgetText(scope, 'tokens', { used: tokens.used, limit: tokens.limit }),
            },
          ]),
      ...(isSpent
        ? [{ tokens: 0, bound: budgetText(scope, 'costUsd', { used: costUsd.used, limit: costUsd.limit }) }]
        : []),
    ];
  });
}

/** Limited by the budget with the least left. */
const leastOf = (grants: readonly TokenGrant[]): TokenGrant =>
  grants.reduce((least, each) => (each.tokens < least.tokens ? each : least));

const NEXT_DAY = 'the next day begins at 00:00 UTC';

function grant(who: string, spent: number, held: number, limit: number, remedy: string): TokenGrant {
  const ofWhat = remedy === NEXT_DAY ? `the ${count(limit)} tokens of a day` : `its ${count(limit)} tokens`;
  const aside = held > 0 ? `, and ${count(held)} are reserved for other answers` : '';
  return {
    tokens: Math.max(0, limit - spent - held),
    bound: `${who} ${count(spent)} of ${ofWhat}${aside}; ${remedy}`,
  };
}

const count = (tokens: number): string => tokens.toLocaleString('en-US');
