/**
 * Assistants of other makers that people connect: programs that registered, what each was allowed, and its tokens. An assistant is
 * one consent; whatever ends it, its tokens go with it. Secrets are given as SHA-256.
 */
import { sql } from 'kysely';
import { ConflictError, NotFoundError } from '../../base/errors.ts';
import type { Scope } from '../../domain/members/scope.ts';
import { type Db, transact } from './database.ts';
import { newId } from './ids.ts';
import { lockName } from './named-lock.ts';
import type { KeyCap } from './people.ts';
import { PERSON, personOf, type Person } from './person-columns.ts';
import { camelKeys } from './row-keys.ts';

/** A program that registered. */
export type OAuthClient = {
  readonly id: string;
  /** What it calls itself. */
  readonly name: string;
  readonly redirectUris: readonly string[];
};

/** What somebody allows a program. */
export type Consent = {
  readonly userId: string;
  readonly clientId: string;
  readonly projectId: string;
  readonly scopes: readonly Scope[];
  /** Address that its tokens are for. */
  readonly resource: string;
  readonly redirectUri: string;
  /** Of PKCE, by S256. */
  readonly challenge: string;
};

/** An assistant as the person sees it who connected it. */
export type Assistant = {
  readonly id: string;
  readonly name: string;
  readonly redirectUri: string;
  readonly projectId: string;
  readonly scopes: readonly Scope[];
  readonly connectedAt: Date;
  readonly expiresAt: Date;
  readonly usedAt: Date | null;
};

const DAY_S = 24 * 3600;

/** How long everything holds, in seconds. */
export const LIFETIMES = {
  /** A registration that nobody connects. */
  client: DAY_S,
  code: 60,
  access: 15 * 60,
  /** Since it was last renewed. */
  refresh: 30 * DAY_S,
  /** Since somebody agreed. */
  assistant: 90 * DAY_S,
  /** In which an answer with tokens that got lost may be asked for again. */
  retry: 60,
} as const;

/** Connected assistants of one person. */
const MOST_ASSISTANTS = 50;

export type Assistants = ReturnType<typeof createAssistants>;

export const createAssistants = (db: Db) => ({
  /** Adds a program for a day, within which somebody must connect it; null if `most` others wait for that. */
  register(client: OAuthClient, most: number): Promise<Date | null> {
    return transact(db, async (tx) => {
      await lockName(tx, 'registrations of OAuth');
      const { waiting } = await tx
        .selectFrom('auth.oauth_clients')
        .select(({ fn }) => fn.countAll<string>().as('waiting'))
        .where('used_at', 'is', null)
        .where('expires_at', '>', sql<Date>`now()`)
        .executeTakeFirstOrThrow();
      if (Number(waiting) >= most) return null;
      const { created_at: at } = await tx
        .insertInto('auth.oauth_clients')
        .values({
          id: client.id,
          name: client.name,
          redirect_uris: client.redirectUris,
          expires_at: inSeconds(LIFETIMES.client),
          used_at: null,
        })
        .returning('created_at')
        .executeTakeFirstOrThrow();
      return at;
    });
  },

  async client(id: string): Promise<OAuthClient | null> {
    const row = await db
      .selectFrom('auth.oauth_clients')
      .select(['id', 'name', 'redirect_uris'])
      .where('id', '=', id)
      .where('expires_at', '>', sql<Date>`now()`)
      .executeTakeFirst();
    return row === undefined ? null : camelKeys(row);
  },

  /** Keeps a consent with the code for its tokens; returns its id. @throws ConflictError where the person has too many */
  allow(consent: Consent, codeHash: string): Promise<string> {
    const { userId, clientId, projectId, scopes, resource, redirectUri, challenge } = consent;
    return transact(db, async (tx) => {
      await lockName(tx, `assistants of ${userId}`);
      const { count } = await tx
        .selectFrom('auth.assistants')
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .where('user_id', '=', userId)
        .where('expires_at', '>', sql<Date>`now()`)
        .executeTakeFirstOrThrow();
      if (Number(count) >= MOST_ASSISTANTS)
        throw new ConflictError(
          `you have ${MOST_ASSISTANTS} connected assistants; end some on your account page`,
        );
      const id = newId();
      await tx
        .insertInto('auth.assistants')
        .values({
          id,
          user_id: userId,
          client_id: clientId,
          project_id: projectId,
          scopes,
          resource,
          redirect_uri: redirectUri,
          challenge,
          expires_at: inSeconds(LIFETIMES.code),
          connected_at: null,
          used_at: null,
        })
        .execute();
      await tx
        .insertInto('auth.assistant_tokens')
        .values({
          ...UNUSED,
          hash: codeHash,
          assistant_id: id,
          kind: 'code',
          scopes,
          expires_at: inSeconds(LIFETIMES.code),
        })
        .execute();
      return id;
    });
  },

  /** Whose access token for this resource that is, and until when; null if it was never one, or if its assistant has ended. */
  async byAccessToken(
    hash: string,
    resource: string,
  ): Promise<{
    readonly keyId: string;
    readonly person: Person;
    readonly cap: KeyCap;
    readonly until: Date;
  } | null> {
    const row = await db
      .selectFrom('auth.assistant_tokens as t')
      .innerJoin('auth.assistants as a', 'a.id', 't.assistant_id')
      .innerJoin('auth.user as u', 'u.id', 'a.user_id')
      .select([...PERSON, 'a.id as keyId', 'a.project_id', 't.scopes', 't.expires_at as until'])
      .where('t.hash', '=', hash)
      .where('t.kind', '=', 'access')
      .where('a.resource', '=', resource)
      .where('a.expires_at', '>', sql<Date>`now()`)
      .where('u.disabled', '=', false)
      .executeTakeFirst();
    if (row === undefined) return null;
    const { keyId, until, scopes, project_id: projectId, ...person } = row;
    const isOld = sql<boolean>`used_at is null or used_at < now() - interval '1 minute'`;
    const used = { used_at: sql<Date>`now()` };
    await db.updateTable('auth.assistant_tokens').set(used).where('hash', '=', hash).where(isOld).execute();
    await db.updateTable('auth.assistants').set(used).where('id', '=', keyId).where(isOld).execute();
    // Nothing at /mcp needs more than a viewer.
    return { keyId, until, person: personOf(person), cap: { role: 'viewer', projectId, scopes } };
  },

  /** Newest first. */
  async of(userId: string): Promise<readonly Assistant[]> {
    const rows = await db
      .selectFrom('auth.assistants as a')
      .innerJoin('auth.oauth_clients as c', 'c.id', 'a.client_id')
      .select(['a.id', 'c.name', 'a.redirect_uri', 'a.project_id', 'a.scopes', 'a.expires_at', 'a.used_at'])
      .select(sql<Date>`a.connected_at`.as('connected_at'))
      .where('a.user_id', '=', userId)
      .where('a.connected_at', 'is not', null)
      .where('a.expires_at', '>', sql<Date>`now()`)
      .orderBy('a.connected_at', 'desc')
      .execute();
    return rows.map(camelKeys);
  },

  /** @throws NotFoundError */
  async remove(userId: string, id: string): Promise<void> {
    const removed = await db
      .deleteFrom('auth.assistants')
      .where('user_id', '=', userId)
      .where('id', '=', id)
      .executeTakeFirst();
    if (removed.numDeletedRows === 0n) throw new NotFoundError('you have no such assistant');
  },
});

const inSeconds = (seconds: number) => sql<Date>`now() + ${seconds} * interval '1 second'`;
const UNUSED = { parent: null, spent_at: null, used_at: null } as const;
