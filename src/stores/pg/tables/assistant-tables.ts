import type { Generated } from 'kysely';
import type { Scope } from '../../../domain/members/scope.ts';

/** A program that registered itself, and where it may be sent back to. */
export type OAuthClientsTable = {
  id: string;
  name: string;
  redirect_uris: readonly string[];
  created_at: Generated<Date>;
  expires_at: Date;
  /** Null: nobody connected it yet. */
  used_at: Date | null;
};

/** What somebody allowed a program to do for them. */
export type AssistantsTable = {
  id: string;
  user_id: string;
  client_id: string;
  project_id: string;
  scopes: readonly Scope[];
  resource: string;
  redirect_uri: string;
  challenge: string;
  created_at: Generated<Date>;
  expires_at: Date;
  /** When it fetched its tokens; null: not yet. */
  connected_at: Date | null;
  used_at: Date | null;
};

/** Secrets of an assistant, as SHA-256. */
export type AssistantTokensTable = {
  hash: string;
  assistant_id: string;
  kind: 'code' | 'access' | 'refresh';
  scopes: readonly Scope[];
  /** Of the code or refresh token that it was given for. */
  parent: string | null;
  expires_at: Date;
  spent_at: Date | null;
  used_at: Date | null;
};
