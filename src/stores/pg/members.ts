import { type Member, ROLES, type Role } from '../../domain/members/role.ts';
import { type Db, transact, type Tx } from './database.ts';
import { lockName } from './named-lock.ts';
import { camelKeys } from './row-keys.ts';

/** What became of a change; `LAST_OWNER`: nothing, since the project would be left without an owner. */
export type MemberChange = 'DONE' | 'LAST_OWNER';

/** Who belongs to which project, and as what. */
export type Members = ReturnType<typeof createMembers>;

/** Members in Postgres. They decide nothing but that a project with an owner keeps one. */
export const createMembers = (db: Db) => ({
  /** Null for people who are not members. */
  async roleOf(userId: string, projectId: string): Promise<Role | null> {
    const row = await db
      .selectFrom('members')
      .select('role')
      .where('project_id', '=', projectId)
      .where('user_id', '=', userId)
      .executeTakeFirst();
    return row?.role ?? null;
  },

  /** By project id. */
  async projectsOf(userId: string): Promise<readonly { readonly projectId: string; readonly role: Role }[]> {
    const rows = await db
      .selectFrom('members')
      .select(['project_id', 'role'])
      .where('user_id', '=', userId)
      .orderBy('project_id')
      .execute();
    return rows.map(camelKeys);
  },

  /** Greatest role first, then by user id. */
  async list(projectId: string): Promise<readonly Member[]> {
    const rows = await db
      .selectFrom('members')
      .selectAll()
      .where('project_id', '=', projectId)
      .orderBy('user_id')
      .execute();
    return rows.map(camelKeys).toSorted((a, b) => ROLES.indexOf(b.role) - ROLES.indexOf(a.role));
  },

  /** Adds a member, or gives one another role. `added_by` and `added_at` remain those of the first time. */
  set(member: Omit<Member, 'addedAt'>): Promise<MemberChange> {
    const { projectId, userId, role, addedBy } = member;
    return change(db, projectId, async (tx) => {
      if (role !== 'owner' && (await isLastOwner(tx, projectId, userId))) return 'LAST_OWNER';
      await tx
        .insertInto('members')
        .values({ project_id: projectId, user_id: userId, role, added_by: addedBy })
        .onConflict((conflict) => conflict.columns(['project_id', 'user_id']).doUpdateSet({ role }))
        .execute();
      return 'DONE';
    });
  },

  /** Removes a member; done, too, where there is none. */
  remove(userId: string, projectId: string): Promise<MemberChange> {
    return change(db, projectId, async (tx) => {
      if (await isLastOwner(tx, projectId, userId)) return 'LAST_OWNER';
      await tx
        .deleteFrom('members')
        .where('project_id', '=', projectId)
        .where('user_id', '=', userId)
        .execute();
      // Links that they opened: a member who comes back opens them anew.
      await tx
        .deleteFrom('board_readers')
        .where('project_id', '=', projectId)
        .where('user_id', '=', userId)
        .execute();
      await tx
        .deleteFrom('session_readers')
        .where('user_id', '=', userId)
        .where('session_id', 'in', (sessions) =>
          sessions.selectFrom('sessions').select('id').where('project_id', '=', projectId),
        )
        .execute();
      return 'DONE';
    });
  },
});

/** One change of a project's members after another: two owners who remove each other at once leave one. */
const change = (db: Db, projectId: string, work: (tx: Tx) => Promise<MemberChange>): Promise<MemberChange> =>
  transact(db, async (tx) => {
    await lockName(tx, `members of ${projectId}`);
    return work(tx);
  });

async function isLastOwner(tx: Tx, projectId: string, userId: string): Promise<boolean> {
  const owners = await tx
    .selectFrom('members')
    .select('user_id')
    .where('project_id', '=', projectId)
    .where('role', '=', 'owner')
    .execute();
  return owners.length === 1 && owners[0]?.user_id === userId;
}
