import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Who people are, in a schema of its own. The first seven tables are those of better-auth, with its names of columns; a test
 * fails when a newer better-auth wants others. Keys and invitations are ours.
 */
async function people(db: Kysely<never>): Promise<void> {
  for (const statement of [
    `create schema if not exists auth`,
    `create table auth."user" (
      "id" text not null primary key, "name" text not null, "email" text not null unique,
      "emailVerified" boolean not null, "image" text, "createdAt" timestamptz default current_timestamp not null,
      "updatedAt" timestamptz default current_timestamp not null, "twoFactorEnabled" boolean,
      "isAdmin" boolean not null, "disabled" boolean not null, "groups" text)`,
    `create table auth."session" (
      "id" text not null primary key, "expiresAt" timestamptz not null, "token" text not null unique,
      "createdAt" timestamptz default current_timestamp not null, "updatedAt" timestamptz not null,
      "ipAddress" text, "userAgent" text,
      "userId" text not null references auth."user" ("id") on delete cascade)`,
    `create table auth."account" (
      "id" text not null primary key, "accountId" text not null, "providerId" text not null,
      "userId" text not null references auth."user" ("id") on delete cascade, "accessToken" text, "refreshToken" text,
      "idToken" text, "accessTokenExpiresAt" timestamptz, "refreshTokenExpiresAt" timestamptz, "scope" text,
      "password" text, "createdAt" timestamptz default current_timestamp not null, "updatedAt" timestamptz not null)`,
    `create table auth."verification" (
      "id" text not null primary key, "identifier" text not null, "value" text not null,
      "expiresAt" timestamptz not null, "createdAt" timestamptz default current_timestamp not null,
      "updatedAt" timestamptz default current_timestamp not null)`,
    `create table auth."twoFactor" (
      "id" text not null primary key, "secret" text not null, "backupCodes" text not null,
      "userId" text not null references auth."user" ("id") on delete cascade, "verified" boolean,
      "failedVerificationCount" integer, "lockedUntil" timestamptz)`,
    `create table auth."deviceCode" (
      "id" text not null primary key, "deviceCode" text not null, "userCode" text not null, "userId" text,
      "expiresAt" timestamptz not null, "status" text not null, "lastPolledAt" timestamptz, "pollingInterval" integer,
      "clientId" text, "scope" text)`,
    `create table auth."rateLimit" (
      "id" text not null primary key, "key" text not null unique, "count" integer not null, "lastRequest" bigint not null)`,
    `create index "session_userId_idx" on auth."session" ("userId")`,
    `create index "account_userId_idx" on auth."account" ("userId")`,
    `create index "verification_identifier_idx" on auth."verification" ("identifier")`,
    `create index "twoFactor_secret_idx" on auth."twoFactor" ("secret")`,
    `create index "twoFactor_userId_idx" on auth."twoFactor" ("userId")`,
    `create unique index "deviceCode_deviceCode_uidx" on auth."deviceCode" ("deviceCode")`,
    `create unique index "deviceCode_userCode_uidx" on auth."deviceCode" ("userCode")`,
    // Secrets are kept as SHA-256 only; each has 256 random bits.
    `create table auth.api_keys (
      id uuid primary key, user_id text not null, name text not null, hash text not null unique,
      hint text not null, -- its first characters, by which its owner recognises it
      role text not null, project_id text, -- null: every project of the user
      created_at timestamptz not null default now(), expires_at timestamptz not null, used_at timestamptz)`,
    `create index api_keys_of_user on auth.api_keys (user_id)`,
    `create table auth.invitations (
      id uuid primary key, hash text not null unique, email text, -- null: whoever has the link
      project_id text, role text, is_admin boolean not null default false, invited_by text,
      created_at timestamptz not null default now(), expires_at timestamptz not null)`,
  ]) {
    await sql.raw(statement).execute(db);
  }
}

/** These migrations by name. */
export const MIGRATIONS_20261210: Readonly<Record<string, Migration>> = {
  '20261210-1-people': { up: people },
};
