import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Assistants of other makers that people connect by OAuth. Secrets are kept as SHA-256 only; each has 256 random bits. */
async function assistants(db: Kysely<never>): Promise<void> {
  for (const statement of [
    `create table auth.oauth_clients (
      id text primary key, name text not null, redirect_uris text[] not null, created_at timestamptz not null default now(),
      expires_at timestamptz not null, used_at timestamptz)`,
    `create index oauth_clients_by_end on auth.oauth_clients (expires_at)`,
    `create table auth.assistants (
      id uuid primary key, user_id text not null, client_id text not null references auth.oauth_clients on delete cascade,
      project_id text not null, scopes text[] not null, resource text not null, redirect_uri text not null,
      challenge text not null, created_at timestamptz not null default now(), expires_at timestamptz not null,
      connected_at timestamptz, used_at timestamptz)`,
    `create index assistants_of_user on auth.assistants (user_id)`,
    `create index assistants_of_client on auth.assistants (client_id)`,
    `create index assistants_by_end on auth.assistants (expires_at)`,
    `create table auth.assistant_tokens (
      hash text primary key, assistant_id uuid not null references auth.assistants on delete cascade, kind text not null,
      scopes text[] not null, parent text, expires_at timestamptz not null, spent_at timestamptz, used_at timestamptz)`,
    `create index assistant_tokens_of_assistant on auth.assistant_tokens (assistant_id)`,
    `create index assistant_tokens_by_end on auth.assistant_tokens (expires_at)`,
  ]) {
    await sql.raw(statement).execute(db);
  }
}

/** These migrations by name. */
export const MIGRATIONS_20261227: Readonly<Record<string, Migration>> = {
  '20261227-1-assistants': { up: assistants },
};
