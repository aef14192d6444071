import { sql, type RawBuilder } from 'kysely';
import type { BudgetDefaults, BudgetLimits, Budgets } from '../../domain/members/budget.ts';
import type { Viewer } from '../../domain/conversation/session.ts';
import { type Db, readOne } from './database.ts';

/** Whose a set budget is, beside an id of a member. */
export const OF_PROJECT = '';
export const OF_EACH_MEMBER = '*';

/** Limits that somebody set; null: as set for each member, else by configuration. */
export type SetBudget = BudgetLimits & {
  /** Of a member, or {@link OF_PROJECT}, or {@link OF_EACH_MEMBER}. */
  readonly personId: string;
  readonly setBy: string;
  readonly setAt: Date;
};

/** The call that reads what applies to a member, within a statement. */
export const budgetsCall = (
  { id, projectId }: Pick<Viewer, 'id' | 'projectId'>,
  defaults: BudgetDefaults,
): RawBuilder<Budgets> => sql<Budgets>`budgets_of(${projectId}, ${id}, ${JSON.stringify(defaults)}::jsonb)`;

/** What applies to a member, and what was used of it today. */
export async function readBudgets(
  db: Db,
  viewer: Pick<Viewer, 'id' | 'projectId'>,
  defaults: BudgetDefaults,
): Promise<Budgets> {
  const row = sql<{ readonly budgets: Budgets }>`select ${budgetsCall(viewer, defaults)} as budgets`;
  return (await readOne(row, db)).budgets;
}

/** What was set in a project: for all first, then by member. */
export async function listBudgets(db: Db, projectId: string): Promise<readonly SetBudget[]> {
  const rows = await db
    .selectFrom('budgets')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('person_id')
    .execute();
  return rows.map(
    ({ person_id: personId, cost_usd: costUsd, set_by: setBy, set_at: setAt, tokens, turns }) => ({
      personId,
      tokens,
      costUsd,
      turns,
      setBy,
      setAt,
    }),
  );
}

/** Sets all limits of a budget; one without any is removed. */
export async function setBudget(
  db: Db,
  projectId: string,
  { personId, tokens, costUsd, turns, setBy }: Omit<SetBudget, 'setAt'>,
): Promise<void> {
  if (tokens === null && costUsd === null && turns === null) {
    await db
      .deleteFrom('budgets')
      .where('project_id', '=', projectId)
      .where('person_id', '=', personId)
      .execute();
    return;
  }
  const limits = { tokens, cost_usd: costUsd, turns, set_by: setBy };
  await db
    .insertInto('budgets')
    .values({ project_id: projectId, person_id: personId, ...limits })
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'person_id']).doUpdateSet({ ...limits, set_at: sql`now()` }),
    )
    .execute();
}
