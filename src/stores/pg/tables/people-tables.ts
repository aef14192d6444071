import type { Generated } from 'kysely';
import type { Role } from '../../../domain/members/role.ts';

/** A person, by any way of signing in. better-auth names the columns. */
export type AuthUserTable = {
  id: string;
  name: string;
  /** Unique. With a password the address that is typed to sign in; else made up, and shown to nobody. */
  email: string;
  /** The address that is shown; several people may have one. */
  address: string | null;
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
  /** A keyed hash of the token. */
  token: string;
  userId: string;
  createdAt: Date;
  expiresAt: Date;
  ipAddress: string | null;
  userAgent: string | null;
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
  /** Of a provider or an assertion the issuer and the subject, as a JSON array; else the id in the system that is named. */
  accountId: string;
  providerId: string;
  userId: string;
  password: string | null;
  updatedAt: Date;
};
