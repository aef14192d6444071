import type { Generated } from 'kysely';
import type { Role } from '../../../domain/members/role.ts';

export type MembersTable = {
  project_id: string;
  user_id: string;
  role: Role;
  added_by: string | null;
  added_at: Generated<Date>;
};
