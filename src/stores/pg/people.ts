import { sql } from 'kysely';
import { ConflictError, NotFoundError } from '../../base/errors.ts';
import type { Role } from '../../domain/members/role.ts';
import type { Scope } from '../../domain/members/scope.ts';
import { type Db, transact, type Tx } from './database.ts';
import { newId } from './ids.ts';
import { lockName } from './named-lock.ts';
import { PERSON, personOf, type Person } from './person-columns.ts';
import { camelKeys } from './row-keys.ts';

/** What an API key, or an assistant, may do at most. */
export type KeyCap = {
  readonly role: Role;
  readonly projectId: string | null;
  /** Of assistants only: keys have no such limit. */
  readonly scopes?: readonly Scope[];
};

/** An API key as its owner sees it; nobody can see its secret again. */
export type ApiKey = {
  readonly id: string;
  readonly name: string;
  /** Its first characters. */
  readonly hint: string;
  readonly cap: KeyCap;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly usedAt: Date | null;
};

/** Where somebody is signed in. */
export type Session = {
  readonly id: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly ipAddress: string | null;
  readonly userAgent: string | null;
};

/** What an invitation grants to the person who accepts it. */
export type Invitation = {
  readonly id: string;
  /** Null: of anybody who has the link. */
  readonly email: string | null;
  readonly projectId: string | null;
  readonly role: Role | null;
  readonly isAdmin: boolean;
  /** Null for the link of the first owner. */
  readonly invitedBy: string | null;
  readonly expiresAt: Date;
};

/** People, their sessions and keys, and who is invited. Secrets are given as hashes; better-auth signs people in. */
export type People = ReturnType<typeof createPeople>;

export const createPeople = (db: Db) => ({
  /** Whose session that is, by the hash of its token; null if it has ended or the person was disabled. */
  async bySession(
    tokenHash: string,
  ): Promise<{ readonly sessionId: string; readonly person: Person } | null> {
    const row = await db
      .selectFrom('auth.session as s')
      .innerJoin('auth.user as u', 'u.id', 's.userId')
      .select([...PERSON, 's.id as sessionId'])
      .where('s.token', '=', tokenHash)
      .where('s.expiresAt', '>', sql<Date>`now()`)
      .where('u.disabled', '=', false)
      .executeTakeFirst();
    if (row === undefined) return null;
    const { sessionId, ...person } = row;
    return { sessionId, person: personOf(person) };
  },

  /** Whose key that is, with what it may do; null if it has expired or the person was disabled. */
  async byKey(
    hash: string,
  ): Promise<{ readonly keyId: string; readonly person: Person; readonly cap: KeyCap } | null> {
    const row = await db
      .selectFrom('auth.api_keys as k')
      .innerJoin('auth.user as u', 'u.id', 'k.user_id')
      .select([...PERSON, 'k.id as keyId', 'k.role', 'k.project_id'])
      .where('k.hash', '=', hash)
      .where('k.expires_at', '>', sql<Date>`now()`)
      .where('u.disabled', '=', false)
      .executeTakeFirst();
    if (row === undefined) return null;
    const { keyId, role, project_id: projectId, ...person } = row;
    await db
      .updateTable('auth.api_keys')
      .set({ used_at: sql<Date>`now()` })
      .where('id', '=', keyId)
      .where(sql<boolean>`used_at is null or used_at < now() - interval '1 minute'`)
      .execute();
    return { keyId, person: personOf(person), cap: { role, projectId } };
  },

  /** Newest first, without tokens. */
  sessionsOf(userId: string): Promise<readonly Session[]> {
    return db
      .selectFrom('auth.session')
      .select(['id', 'createdAt', 'expiresAt', 'ipAddress', 'userAgent'])
      .where('userId', '=', userId)
      .where('expiresAt', '>', sql<Date>`now()`)
      .orderBy('createdAt', 'desc')
      .orderBy('id')
      .execute();
  },

  /** Ends a session; whether it was theirs and had not ended. */
  async endSession(userId: string, id: string): Promise<boolean> {
    const ended = await db
      .deleteFrom('auth.session')
      .where('userId', '=', userId)
      .where('id', '=', id)
      .executeTakeFirst();
    return ended.numDeletedRows > 0n;
  },

  /** Ends all sessions of somebody, and what a terminal was allowed that has not come for it yet. */
  endSessions: (userId: string): Promise<void> => transact(db, (tx) => signOut(tx, userId)),

  /** Takes back what terminals were allowed that have not come for it yet. */
  endCodes: (userId: string): Promise<void> => forgetCodes(db, userId),

  /**
   * The person whom another system names, added at first sight and renamed as it renames them; null if disabled here.
   * Only the account says who it is: an address is kept to be shown.
   */
  enter(from: {
    readonly providerId: string;
    readonly accountId: string;
    readonly name: string;
    readonly email: string | null;
    readonly groups: readonly string[];
  }): Promise<Person | null> {
    const { providerId, accountId, name, email: address } = from;
    const groups = JSON.stringify(from.groups);
    return transact(db, async (tx) => {
      await lockName(tx, `person ${accountId} of ${providerId}`);
      const known = await tx
        .selectFrom('auth.account as a')
        .innerJoin('auth.user as u', 'u.id', 'a.userId')
        .select(PERSON)
        .where('a.providerId', '=', providerId)
        .where('a.accountId', '=', accountId)
        .executeTakeFirst();
      if (known !== undefined) {
        if (known.name !== name || known.groups !== groups || known.email !== address)
          await tx
            .updateTable('auth.user')
            .set({ name, groups, address })
            .where('id', '=', known.id)
            .execute();
        return known.disabled ? null : personOf({ ...known, name, groups, email: address });
      }
      const row = { id: newId(), name, isAdmin: false, disabled: false, groups };
      await tx
        .insertInto('auth.user')
        .values({ ...row, email: `${row.id}${MADE_UP}`, address, emailVerified: false })
        .execute();
      await tx
        .insertInto('auth.account')
        .values({
          id: newId(),
          accountId,
          providerId,
          userId: row.id,
          password: null,
          updatedAt: sql<Date>`now()`,
        })
        .execute();
      return personOf({ ...row, email: address, twoFactorEnabled: null });
    });
  },

  /**
   * People of a proxy that came before accounts had an issuer become those of the proxy that is configured when this version
   * first opens its door: of an issuer of assertions, or, with null, of plain headers.
   */
  adoptFromProxy(issuer: string | null): Promise<void> {
    return transact(db, async (tx) => {
      const earlier = await tx
        .selectFrom('auth.account')
        .select(['id', 'accountId'])
        .where('providerId', '=', 'proxy of 0.3')
        .forUpdate()
        .execute();
      for (const { id, accountId: subject } of earlier)
        await tx
          .updateTable('auth.account')
          .set(proxyAccount(issuer, subject))
          .where('id', '=', id)
          .execute();
    });
  },

  /** Their id in the other system that names them; null if it does not. */
  async subjectOf(userId: string, provider: string): Promise<string | null> {
    const row = await db
      .selectFrom('auth.account')
      .select('accountId')
      .where('userId', '=', userId)
      .where('providerId', '=', provider)
      .executeTakeFirst();
    return row?.accountId ?? null;
  },

  async hasAdmin(): Promise<boolean> {
    const found = await db
      .selectFrom('auth.user')
      .select('id')
      .where('isAdmin', '=', true)
      .executeTakeFirst();
    return found !== undefined;
  },

  /** By name. */
  async list(): Promise<readonly Person[]> {
    const rows = await db
      .selectFrom('auth.user as u')
      .select(PERSON)
      .orderBy('u.name')
      .orderBy('u.id')
      .execute();
    return rows.map(personOf);
  },

  /**
   * Changes what somebody may do. Who is disabled is signed out, and their keys and assistants are removed.
   * @throws NotFoundError, ConflictError where nobody would be left to administer the installation
   */
  change(
    id: string,
    to: { readonly isAdmin?: boolean | undefined; readonly disabled?: boolean | undefined },
  ): Promise<void> {
    return transact(db, async (tx) => {
      await lockName(tx, 'admins of the installation');
      const set = {
        ...(to.isAdmin !== undefined && { isAdmin: to.isAdmin }),
        ...(to.disabled !== undefined && { disabled: to.disabled }),
      };
      if (Object.keys(set).length === 0) return;
      const before = await tx
        .selectFrom('auth.user')
        .select(['isAdmin', 'disabled'])
        .where('id', '=', id)
        .executeTakeFirst();
      if (before === undefined) throw new NotFoundError(`there is nobody with id ${id}`);
      await tx.updateTable('auth.user').set(set).where('id', '=', id).execute();
      const admin = await tx
        .selectFrom('auth.user')
        .select('id')
        .where('isAdmin', '=', true)
        .where('disabled', '=', false)
        .executeTakeFirst();
      // Where groups name the administrators, none may be here.
      if (admin === undefined && before.isAdmin && !before.disabled)
        throw new ConflictError('somebody must remain who administers the installation');
      if (to.disabled !== true) return;
      await signOut(tx, id);
      await tx.deleteFrom('auth.api_keys').where('user_id', '=', id).execute();
      await tx.deleteFrom('auth.assistants').where('user_id', '=', id).execute();
    });
  },

  async addKey(
    key: Omit<ApiKey, 'id' | 'createdAt' | 'usedAt'> & { readonly userId: string; readonly hash: string },
  ) {
    const { userId, hash, name, hint, cap, expiresAt } = key;
    const id = newId();
    await db
      .insertInto('auth.api_keys')
      .values({
        id,
        user_id: userId,
        hash,
        name,
        hint,
        role: cap.role,
        project_id: cap.projectId,
        expires_at: expiresAt,
        used_at: null,
      })
      .execute();
    return id;
  },

  /** Newest first. */
  async keysOf(userId: string): Promise<readonly ApiKey[]> {
    const rows = await db
      .selectFrom('auth.api_keys')
      .select(['id', 'name', 'hint', 'role', 'project_id', 'created_at', 'expires_at', 'used_at'])
      .where('user_id', '=', userId)
      .orderBy('created_at', 'desc')
      .execute();
    return rows.map(({ role, project_id: projectId, ...row }) => ({
      ...camelKeys(row),
      cap: { role, projectId },
    }));
  },

  async removeKey(userId: string, id: string): Promise<void> {
    const removed = await db
      .deleteFrom('auth.api_keys')
      .where('user_id', '=', userId)
      .where('id', '=', id)
      .executeTakeFirst();
    if (removed.numDeletedRows === 0n) throw new NotFoundError('you have no such key');
  },

  async invite(invitation: Omit<Invitation, 'id'> & { readonly hash: string }): Promise<string> {
    const { hash, email, projectId, role, isAdmin, invitedBy, expiresAt } = invitation;
    const id = newId();
    await db
      .deleteFrom('auth.invitations')
      .where('expires_at', '<', sql<Date>`now()`)
      .execute();
    await db
      .insertInto('auth.invitations')
      .values({
        id,
        hash,
        email,
        project_id: projectId,
        role,
        is_admin: isAdmin,
        invited_by: invitedBy,
        expires_at: expiresAt,
      })
      .execute();
    return id;
  },

  /** Null if it is not valid, or not any more. */
  async invitation(hash: string): Promise<Invitation | null> {
    const row = await db
      .selectFrom('auth.invitations')
      .select(INVITATION)
      .where('hash', '=', hash)
      .where('expires_at', '>', sql<Date>`now()`)
      .executeTakeFirst();
    return row === undefined ? null : camelKeys(row);
  },

  /** Those that nobody followed yet, newest first. */
  async invitations(): Promise<readonly Invitation[]> {
    const rows = await db
      .selectFrom('auth.invitations')
      .select(INVITATION)
      .where('expires_at', '>', sql<Date>`now()`)
      .where('invited_by', 'is not', null)
      .orderBy('created_at', 'desc')
      .execute();
    return rows.map(camelKeys);
  },

  async withdraw(id: string): Promise<void> {
    await db.deleteFrom('auth.invitations').where('id', '=', id).execute();
  },

  /**
   * Makes an account of an invitation, which is then spent. Nothing changes where it fails.
   * @throws NotFoundError for a link that is not valid, ConflictError for an address that has an account
   */
  accept(
    hash: string,
    account: { readonly name: string; readonly email: string; readonly passwordHash: string },
  ): Promise<string> {
    return transact(db, async (tx) => {
      const spent = await tx
        .deleteFrom('auth.invitations')
        .where('hash', '=', hash)
        .where('expires_at', '>', sql<Date>`now()`)
        .returning(INVITATION)
        .executeTakeFirst();
      if (spent === undefined) throw new NotFoundError(LINK_SPENT);
      if (spent.invited_by === null) {
        await lockName(tx, 'admins of the installation');
        const admin = await tx
          .selectFrom('auth.user')
          .select('id')
          .where('isAdmin', '=', true)
          .executeTakeFirst();
        if (admin !== undefined) throw new NotFoundError(LINK_SPENT);
      }
      const id = newId();
      const email = (spent.email ?? account.email).toLowerCase();
      const added = await tx
        .insertInto('auth.user')
        .values({
          id,
          name: account.name,
          email,
          address: email,
          emailVerified: spent.email !== null,
          isAdmin: spent.is_admin,
          disabled: false,
          groups: null,
        })
        .onConflict((conflict) => conflict.column('email').doNothing())
        .executeTakeFirst();
      if (added.numInsertedOrUpdatedRows === 0n)
        throw new ConflictError(`${email} has an account; sign in with it`);
      await tx
        .insertInto('auth.account')
        .values({
          id: newId(),
          accountId: id,
          providerId: 'credential',
          userId: id,
          password: account.passwordHash,
          updatedAt: sql<Date>`now()`,
        })
        .execute();
      if (spent.project_id !== null && spent.role !== null) {
        await tx
          .insertInto('members')
          .values({ project_id: spent.project_id, user_id: id, role: spent.role, added_by: spent.invited_by })
          .execute();
      }
      return email;
    });
  },
});

/** Ends addresses that are made up where better-auth wants a unique one; nobody is invited under such an address. */
export const MADE_UP = '@account.invalid';

/** The account of a subject of an issuer. Neither may be changed, not even in case. */
export const accountOf = (issuer: string, subject: string): string => JSON.stringify([issuer, subject]);

/** The account of somebody whom a proxy names, by assertions of an issuer or, with null, by plain headers. */
export const proxyAccount = (issuer: string | null, subject: string) =>
  issuer === null
    ? { providerId: 'proxy', accountId: subject }
    : { providerId: 'assertion', accountId: accountOf(issuer, subject) };

async function signOut(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('auth.session').where('userId', '=', userId).execute();
  await forgetCodes(tx, userId);
}

async function forgetCodes(db: Db | Tx, userId: string): Promise<void> {
  await sql`delete from auth."deviceCode" where "userId" = ${userId}`.execute(db);
}

const INVITATION = ['id', 'email', 'project_id', 'role', 'is_admin', 'invited_by', 'expires_at'] as const;

/** Unknown, used, expired and withdrawn links look the same. */
export const LINK_SPENT =
  'this link is not valid, or not any more; ask the person who gave it to you for a new one';
