import type { Generated } from 'kysely';
import type { Role } from '../../../domain/members/role.ts';

/** A person, by any way of signing in. better-auth names the columns. */
export type AuthUserTable = {
  id: string;
  name: string;
  email: string;
  emailVerified: boolean;
  /** Administers the installation. */
  isAdmin: boolean;
  disabled: boolean;
  twoFactorEnabled: boolean | null;
  /** JSON array of the groups that an identity provider named at the last sign-in. */
  groups: string | null;
  createdAt: Generated<Date>;
};

export type AuthSessionTable = {
  id: string;
  token: string;
  userId: string;
  expiresAt: Date;
};

export type ApiKeysTable = {
  id: string;
  user_id: string;
  name: string;
  hash: string;
  hint: string;
  role: Role;
  project_id: string | null;
  created_at: Generated<Date>;
  expires_at: Date;
  used_at: Date | null;
};

export type InvitationsTable = {
  id: string;
  hash: string;
  email: string | null;
  project_id: string | null;
  role: Role | null;
  is_admin: Generated<boolean>;
  invited_by: string | null;
  created_at: Generated<Date>;
  expires_at: Date;
};

export type AuthAccountTable = {
  id: string;
  accountId: string;
  providerId: string;
  userId: string;
  password: string | null;
  updatedAt: Date;
};
