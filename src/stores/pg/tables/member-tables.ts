import type { Generated } from 'kysely';
import type { Role } from '../../../domain/members/role.ts';

export type MembersTable = {
  project_id: string;
  user_id: string;
  role: Role;
  added_by: string | null;
  added_at: Generated<Date>;
};

export type BudgetsTable = {
  project_id: string;
  /** Of a member; `*`: of each member, empty: of the project. */
  person_id: string;
  tokens: number | null;
  cost_usd: number | null;
  turns: number | null;
  set_by: string;
  set_at: Generated<Date>;
};
