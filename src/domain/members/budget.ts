/** Budgets of a day: of each member within a project, and of the project as a whole. A day begins at 00:00 UTC. */

export const BUDGET_UNITS = ['tokens', 'costUsd', 'turns'] as const;
export type BudgetUnit = (typeof BUDGET_UNITS)[number];

/** Most that may be used in a day; null: no limit. */
export type BudgetLimits = Readonly<Record<BudgetUnit, number | null>>;

/** Whose a budget is: one member's within the project, or that of all members together. */
export const BUDGET_SCOPES = ['member', 'project'] as const;
export type BudgetScope = (typeof BUDGET_SCOPES)[number];

/** What holds where nobody has set anything. */
export type BudgetDefaults = Readonly<Record<BudgetScope, BudgetLimits>>;

/** What was used today, and how much may be; turns that run or wait count. */
export type BudgetUse = { readonly used: number; readonly limit: number | null };

/** The budgets that apply to a member. */
export type Budgets = Readonly<Record<BudgetScope, Readonly<Record<BudgetUnit, BudgetUse>>>>;

const NO_LIMITS: BudgetLimits = { tokens: null, costUsd: null, turns: null };
export const NO_BUDGETS: BudgetDefaults = { member: NO_LIMITS, project: NO_LIMITS };

/** Of these budgets the first that is used up, in words; null while all have some left. */
export function usedUpBudget(budgets: Budgets, units: readonly BudgetUnit[] = BUDGET_UNITS): string | null {
  for (const scope of BUDGET_SCOPES) {
    for (const unit of units) {
      const { used, limit } = budgets[scope][unit];
      if (limit !== null && used >= limit) return budgetText(scope, unit, { used, limit });
    }
  }
  return null;
}

/** What of a budget is used, until when, and who may change it. */
export function budgetText(
  scope: BudgetScope,
  unit: BudgetUnit,
  { used, limit }: { readonly used: number; readonly limit: number },
): string {
  const who = scope === 'member' ? 'in this project you have used' : 'this project has used';
  return `${who} ${amount(unit, used)} of the ${amount(unit, limit)}${NAMES[unit]} of a day; the next day begins at 00:00 UTC, and admins of the project set this budget`;
}

const NAMES = { tokens: ' tokens', costUsd: '', turns: ' turns' } as const satisfies Record<
  BudgetUnit,
  string
>;

const amount = (unit: BudgetUnit, value: number): string =>
  unit === 'costUsd' ? `$${value.toFixed(2)}` : Math.round(value).toLocaleString('en-US');
