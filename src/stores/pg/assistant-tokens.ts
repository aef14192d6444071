/**
 * How an assistant gets its tokens, renews and gives them back. Everything happens under the lock of the assistant, so of two that
 * present one secret at once the second sees it spent.
 */
import { sql } from 'kysely';
import type { Scope } from '../../domain/members/scope.ts';
import { LIFETIMES } from './assistants.ts';
import { type Db, transact, type Tx } from './database.ts';

/** Hashes of the tokens to give out. */
export type NewTokens = { readonly access: string; readonly refresh: string };

/** Whose an assistant is, for records. */
export type Holder = { readonly assistantId: string; readonly userId: string; readonly name: string };

/** What came of it. `ended`: the secret was stolen, or treated as if it were, and the assistant has ended. */
export type Granted =
  | { readonly kind: 'granted'; readonly scopes: readonly Scope[]; readonly holder: Holder }
  | { readonly kind: 'refused'; readonly reason: 'unknown' | 'expired' | 'other resource' | 'more rights' }
  | {
      readonly kind: 'ended';
      readonly reason: 'used twice' | 'presented by another';
      readonly holder: Holder;
    };

/** A secret with what proves whose it is. */
type Presented = {
  readonly hash: string;
  readonly clientId: string;
  /** Null: the one that the secret is for. */
  readonly resource: string | null;
  readonly tokens: NewTokens;
};

export type AssistantTokens = ReturnType<typeof createAssistantTokens>;

export const createAssistantTokens = (db: Db) => ({
  /** Exchanges a code for tokens, once. The program's earlier assistants of the same person and project end. */
  exchange(
    given: Presented & { readonly redirectUri: string; readonly challenge: string },
  ): Promise<Granted> {
    return transact(db, async (tx) => {
      const found = await lock(tx, 'code', given.hash);
      if (found === null) return UNKNOWN;
      if (found.isSpent) return end(tx, found, 'used twice');
      if (found.isExpired) return { kind: 'refused', reason: 'expired' };
      const isTheirs =
        found.clientId === given.clientId &&
        found.redirectUri === given.redirectUri &&
        found.challenge === given.challenge;
      if (!isTheirs) return end(tx, found, 'presented by another');
      if (given.resource !== null && given.resource !== found.resource)
        return { kind: 'refused', reason: 'other resource' };
      await replaceEarlier(tx, found);
      const until = sql<Date>`created_at + ${LIFETIMES.assistant} * interval '1 second'`;
      const { end: endsAt } = await tx
        .updateTable('auth.assistants')
        .set({ connected_at: sql<Date>`now()`, expires_at: until })
        .where('id', '=', found.holder.assistantId)
        .returning('expires_at as end')
        .executeTakeFirstOrThrow();
      await tx
        .updateTable('auth.oauth_clients')
        .set({
          used_at: sql<Date>`now()`,
          expires_at: sql<Date>`greatest(expires_at, ${endsAt}::timestamptz)`,
        })
        .where('id', '=', given.clientId)
        .execute();
      return give(tx, found, given, found.scopes);
    });
  },

  /**
   * Renews tokens; the refresh token is spent by it. One that comes again is stolen, or its answer got lost: if that is a
   * moment ago and nobody used what was given for it, that is taken back and given anew.
   */
  renew(given: Presented & { readonly scopes: readonly Scope[] | null }): Promise<Granted> {
    return transact(db, async (tx) => {
      const found = await lock(tx, 'refresh', given.hash);
      if (found === null) return UNKNOWN;
      if (found.clientId !== given.clientId) return end(tx, found, 'presented by another');
      if (found.isSpent && !(await isRetry(tx, given.hash))) return end(tx, found, 'used twice');
      if (found.isExpired) return { kind: 'refused', reason: 'expired' };
      if (given.resource !== null && given.resource !== found.resource)
        return { kind: 'refused', reason: 'other resource' };
      const scopes = given.scopes ?? found.scopes;
      if (scopes.some((scope) => !found.scopes.includes(scope)))
        return { kind: 'refused', reason: 'more rights' };
      if (found.isSpent) await takeBack(tx, given.hash);
      return give(tx, found, given, scopes);
    });
  },

  /** Ends the assistant of an access or refresh token of a program; null if there is none. */
  revoke(hash: string, clientId: string): Promise<Holder | null> {
    return transact(db, async (tx) => {
      const found = (await lock(tx, 'refresh', hash)) ?? (await lock(tx, 'access', hash));
      if (found === null || found.clientId !== clientId) return null;
      await remove(tx, found);
      return found.holder;
    });
  },
});

const UNKNOWN = { kind: 'refused', reason: 'unknown' } as const;

type Found = {
  readonly holder: Holder;
  readonly clientId: string;
  readonly projectId: string;
  readonly redirectUri: string;
  readonly challenge: string;
  readonly resource: string;
  /** Of the whole assistant. */
  readonly scopes: readonly Scope[];
  readonly isExpired: boolean;
  readonly isSpent: boolean;
};

/** The assistant of a secret, locked; null where there is none, or its person was disabled. */
async function lock(tx: Tx, kind: 'code' | 'access' | 'refresh', hash: string): Promise<Found | null> {
  const named = await tx
    .selectFrom('auth.assistant_tokens')
    .select('assistant_id')
    .where('hash', '=', hash)
    .where('kind', '=', kind)
    .executeTakeFirst();
  if (named === undefined) return null;
  const assistant = await tx
    .selectFrom('auth.assistants as a')
    .innerJoin('auth.user as u', 'u.id', 'a.user_id')
    .select([
      'a.id',
      'a.user_id',
      'a.client_id',
      'a.project_id',
      'a.redirect_uri',
      'a.challenge',
      'a.resource',
    ])
    .select(['a.scopes', 'u.name', sql<boolean>`a.expires_at <= now()`.as('ended')])
    .where('a.id', '=', named.assistant_id)
    .where('u.disabled', '=', false)
    .forUpdate('a')
    .executeTakeFirst();
  // Read after the lock: somebody else may have spent it meanwhile.
  const token = await tx
    .selectFrom('auth.assistant_tokens')
    .select([sql<boolean>`expires_at <= now()`.as('expired'), 'spent_at'])
    .where('hash', '=', hash)
    .executeTakeFirst();
  if (assistant === undefined || token === undefined) return null;
  return {
    holder: { assistantId: assistant.id, userId: assistant.user_id, name: assistant.name },
    clientId: assistant.client_id,
    projectId: assistant.project_id,
    redirectUri: assistant.redirect_uri,
    challenge: assistant.challenge,
    resource: assistant.resource,
    scopes: assistant.scopes,
    isExpired: token.expired || assistant.ended,
    isSpent: token.spent_at !== null,
  };
}

async function remove(tx: Tx, { holder }: Found): Promise<void> {
  await tx.deleteFrom('auth.assistants').where('id', '=', holder.assistantId).execute();
}

async function end(tx: Tx, found: Found, reason: 'used twice' | 'presented by another'): Promise<Granted> {
  await remove(tx, found);
  return { kind: 'ended', reason, holder: found.holder };
}

async function replaceEarlier(tx: Tx, { holder, clientId, projectId }: Found): Promise<void> {
  await tx
    .deleteFrom('auth.assistants')
    .where('user_id', '=', holder.userId)
    .where('client_id', '=', clientId)
    .where('project_id', '=', projectId)
    .where('id', '!=', holder.assistantId)
    .where('connected_at', 'is not', null)
    .execute();
}

/** Whether a refresh token was spent a moment ago, and nothing that was given for it has been used. */
async function isRetry(tx: Tx, hash: string): Promise<boolean> {
  const { fresh, used } = await tx
    .selectFrom('auth.assistant_tokens as t')
    .select(sql<boolean>`t.spent_at > now() - ${LIFETIMES.retry} * interval '1 second'`.as('fresh'))
    .select(
      sql<boolean>`exists (select from auth.assistant_tokens as n where n.parent = t.hash
        and n.assistant_id = t.assistant_id and coalesce(n.used_at, n.spent_at) is not null)`.as('used'),
    )
    .where('t.hash', '=', hash)
    .executeTakeFirstOrThrow();
  return fresh && !used;
}

/** Removes what was given for a refresh token. */
async function takeBack(tx: Tx, parent: string): Promise<void> {
  await sql`
    delete from auth.assistant_tokens as n using auth.assistant_tokens as t
    where t.hash = ${parent} and n.parent = t.hash and n.assistant_id = t.assistant_id
  `.execute(tx);
}

async function give(
  tx: Tx,
  { holder }: Found,
  { hash, tokens }: Presented,
  scopes: readonly Scope[],
): Promise<Granted> {
  const { assistantId } = holder;
  await tx
    .updateTable('auth.assistant_tokens')
    .set({ spent_at: sql<Date>`coalesce(spent_at, now())` })
    .where('hash', '=', hash)
    .execute();
  const row = (kind: 'access' | 'refresh') => ({
    hash: tokens[kind],
    assistant_id: assistantId,
    kind,
    scopes,
    parent: hash,
    expires_at: sql<Date>`now() + ${LIFETIMES[kind]} * interval '1 second'`,
    spent_at: null,
    used_at: null,
  });
  await tx
    .insertInto('auth.assistant_tokens')
    .values([row('access'), row('refresh')])
    .execute();
  return { kind: 'granted', scopes, holder };
}
