/** Budgets of a day in the project of the request, and who may use how much of them. */
import {
  BUDGET_SCOPES,
  BUDGET_UNITS,
  type Budgets,
  type BudgetScope,
  type BudgetUnit,
  type BudgetUse,
} from '../src/domain/members/budget.ts';
import type { BudgetOwner, ProjectBudget as DomainBudget } from '../src/services/members/budgets.ts';
import { builder } from './builder.ts';
import { enumOf } from './enums.ts';
import { objectResult } from './errors.ts';

const BudgetOwnerEnum = enumOf<BudgetOwner>('BudgetOwner', 'Whose a budget is.', {
  MEMBER: 'That of one member.',
  EACH_MEMBER: 'That of each member for whom nothing else is set.',
  PROJECT: 'That of all members together.',
});

const BudgetUnitEnum = enumOf<'TOKENS' | 'COST_USD' | 'TURNS'>(
  'BudgetUnit',
  'What a budget counts in a day.',
  {
    TOKENS: 'Tokens of models; cached input counts at its share of the price.',
    COST_USD: 'Cost in USD, of models that have a price.',
    TURNS: 'Answers of the copilot and the builder, and phases of jobs; those that run or wait count.',
  },
);
const UNITS = { tokens: 'TOKENS', costUsd: 'COST_USD', turns: 'TURNS' } as const satisfies Record<
  BudgetUnit,
  string
>;

type Used = BudgetUse & { readonly scope: BudgetScope; readonly unit: BudgetUnit };

/** Implemented here, used by the viewer. */
export const BudgetRef = builder.objectRef<Used>('Budget').implement({
  description: 'What may be used in a day, which begins at 00:00 UTC, and what was used today.',
  fields: (t) => ({
    of: t.field({
      type: BudgetOwnerEnum,
      description: 'MEMBER: of the viewer in this project; PROJECT: of all members together.',
      resolve: ({ scope }) => (scope === 'member' ? 'MEMBER' : 'PROJECT'),
    }),
    unit: t.field({
      type: BudgetUnitEnum,
      description: 'What is counted.',
      resolve: ({ unit }) => UNITS[unit],
    }),
    used: t.exposeFloat('used', { description: 'Used today.' }),
    limit: t.exposeFloat('limit', { nullable: true, description: 'Most in a day; null for no limit.' }),
  }),
});

/** One entry for each scope and unit. */
export const listed = (budgets: Budgets): Used[] =>
  BUDGET_SCOPES.flatMap((scope) => BUDGET_UNITS.map((unit) => ({ ...budgets[scope][unit], scope, unit })));

const limits = {
  tokens: 'Tokens a day; null: as for each member, else by configuration.',
  costUsd: 'USD a day; null as for tokens.',
  turns: 'Turns a day; null as for tokens.',
};

const ProjectBudget = builder.objectRef<DomainBudget>('ProjectBudget').implement({
  description: 'Limits that an admin of the project set.',
  fields: (t) => ({
    of: t.expose('of', { type: BudgetOwnerEnum, description: 'Whose it is.' }),
    userId: t.exposeID('userId', { nullable: true, description: 'The member, with MEMBER; else null.' }),
    tokensPerDay: t.exposeFloat('tokens', { nullable: true, description: limits.tokens }),
    costUsdPerDay: t.exposeFloat('costUsd', { nullable: true, description: limits.costUsd }),
    turnsPerDay: t.exposeFloat('turns', { nullable: true, description: limits.turns }),
    setBy: t.exposeID('setBy', { description: 'Id of the user who set it.' }),
    setAt: t.expose('setAt', { type: 'DateTime', description: 'When it was set.' }),
  }),
});

const ProjectBudgets = builder.objectRef<readonly DomainBudget[]>('ProjectBudgets').implement({
  description: 'All limits that were set in the project.',
  fields: (t) => ({
    all: t.field({ type: [ProjectBudget], description: 'By user id.', resolve: (budgets) => [...budgets] }),
  }),
});

const SetBudgetInput = builder.inputType('SetBudgetInput', {
  description: 'The three limits of one budget; one that is left out is no longer set.',
  fields: (t) => ({
    of: t.field({ type: BudgetOwnerEnum, description: 'Whose it is.' }),
    userId: t.id({ required: false, description: 'Id of a user, as `Viewer.id` has it; with MEMBER only.' }),
    tokensPerDay: t.float({ required: false, description: limits.tokens }),
    costUsdPerDay: t.float({ required: false, description: limits.costUsd }),
    turnsPerDay: t.float({ required: false, description: limits.turns }),
  }),
});

builder.queryField('budgets', (t) =>
  t.field({
    rule: 'admin: project',
    type: [ProjectBudget],
    description:
      'Limits of a day that admins have set in the project; where nothing is set, configuration holds.',
    resolve: async (_root, _args, { services, viewer }) => [...(await services.budgets.list(viewer))],
  }),
);

builder.mutationField('setBudget', (t) =>
  t.field({
    rule: 'admin: project',
    audit: 'ADMINISTER',
    type: objectResult('SetBudget', {
      field: 'budgets',
      type: ProjectBudgets,
      about: 'All limits that are set now.',
      description: 'The budget is set.',
      errors: ['INVALID_INPUT', 'FORBIDDEN'],
    }),
    description:
      'Sets how much a member, each member or the whole project may use in a day. It holds from the next message and model call on; jobs and the builder count as well. A cost limit binds only models that have a price.',
    args: { input: t.arg({ type: SetBudgetInput, description: 'The budget.' }) },
    resolve: async (_root, { input }, { services, viewer }) => ({
      budgets: await services.budgets.set(viewer, input),
    }),
  }),
);
