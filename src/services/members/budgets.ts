import { z } from 'zod';
import { BudgetExceededError } from '../../base/errors.ts';
import type { Viewer } from '../../domain/conversation/session.ts';
import {
  usedUpBudget,
  type BudgetDefaults,
  type BudgetLimits,
  type Budgets,
} from '../../domain/members/budget.ts';
import { listBudgets, OF_EACH_MEMBER, OF_PROJECT, readBudgets, setBudget } from '../../stores/pg/budgets.ts';
import type { Db } from '../../stores/pg/database.ts';
import { checkInput } from '../copilot/copilot-input.ts';

/** Whose a budget is. */
export const BUDGET_OWNERS = ['MEMBER', 'EACH_MEMBER', 'PROJECT'] as const;
export type BudgetOwner = (typeof BUDGET_OWNERS)[number];

/** Limits that an admin set; null: as set for each member, else by configuration. */
export type ProjectBudget = BudgetLimits & {
  readonly of: BudgetOwner;
  /** Of a member; null for the others. */
  readonly userId: string | null;
  readonly setBy: string;
  readonly setAt: Date;
};

const limit = z.number().min(0).max(1e12).nullish();
const setBudgetInput = z
  .object({
    of: z.enum(BUDGET_OWNERS),
    userId: z.string().trim().min(1).max(200).nullish(),
    tokensPerDay: limit,
    costUsdPerDay: limit,
    turnsPerDay: limit,
  })
  .refine(
    ({ of, userId }) => (of === 'MEMBER') === (typeof userId === 'string' && userId !== OF_EACH_MEMBER),
    {
      path: ['userId'],
      error: 'is the id of the member where `of` is MEMBER, and is left out otherwise',
    },
  );
export type SetBudgetInput = z.input<typeof setBudgetInput>;

/** Budgets of the viewer's project. */
export type BudgetsService = ReturnType<typeof createBudgetsService>;

export function createBudgetsService({
  db,
  defaults,
}: {
  readonly db: Db;
  readonly defaults: BudgetDefaults;
}) {
  const list = async ({ projectId }: Viewer): Promise<readonly ProjectBudget[]> =>
    (await listBudgets(db, projectId)).map(({ personId, ...budget }) => {
      const of = personId === OF_PROJECT ? 'PROJECT' : personId === OF_EACH_MEMBER ? 'EACH_MEMBER' : 'MEMBER';
      return { ...budget, of, userId: of === 'MEMBER' ? personId : null };
    });
  return {
    /** What applies to the viewer, and what was used of it today. */
    of: (viewer: Viewer): Promise<Budgets> => readBudgets(db, viewer, defaults),
    /** What admins have set. */
    list,
    /** Sets all three limits of one budget; without any, configuration holds again. @throws InvalidInputError */
    async set(viewer: Viewer, input: SetBudgetInput): Promise<readonly ProjectBudget[]> {
      const { of, userId, ...limits } = checkInput(setBudgetInput, input);
      await setBudget(db, viewer.projectId, {
        personId: userId ?? (of === 'PROJECT' ? OF_PROJECT : OF_EACH_MEMBER),
        tokens: limits.tokensPerDay ?? null,
        costUsd: limits.costUsdPerDay ?? null,
        turns: limits.turnsPerDay ?? null,
        setBy: viewer.id,
      });
      return list(viewer);
    },
  };
}

/** @throws BudgetExceededError where nothing is left of a budget */
export function assertBudgetsLeft(budgets: Budgets): void {
  const usedUp = usedUpBudget(budgets);
  if (usedUp !== null) throw new BudgetExceededError(usedUp);
}
