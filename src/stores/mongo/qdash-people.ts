/** Users, tokens and memberships of a QDash deployment, read and never written. */
import { ObjectId, type Db, type Document, type Filter } from 'mongodb';
import type { Role } from '../../domain/members/role.ts';
import { boundedDb } from './bounded-db.ts';
import { reportingOutages } from './outages.ts';

/** A user of QDash who is not disabled there. */
export type QdashPerson = {
  /** The `_id` of the user, which stays when a name or a version of QDash changes. */
  readonly subject: string;
  readonly name: string;
  /** Whether they administer that deployment. */
  readonly isAdmin: boolean;
  /** Projects that they own, or are active members of. */
  readonly roles: readonly { readonly projectId: string; readonly role: Role }[];
};

/** Roles as QDash writes them. Ours have one more between its last two. */
const ROLE_OF: Readonly<Record<string, Role>> = { viewer: 'viewer', editor: 'editor', owner: 'owner' };

const USER = {
  user_id: 1,
  username: 1,
  display_name: 1,
  full_name: 1,
  disabled: 1,
  system_role: 1,
} as const;

/** Reads of people; they reject with a CalibrationAwayError while MongoDB is away. */
export type QdashPeople = ReturnType<typeof createQdashPeople>;

export function createQdashPeople(unbounded: Db) {
  const db = boundedDb(unbounded);
  const people = {
    /** The person of an access token; null if there is none, or if they are disabled. */
    byToken: (token: string): Promise<QdashPerson | null> => find({ access_token: token }),
    /** The user as of now; null once they are gone or disabled. */
    bySubject: async (subject: string): Promise<QdashPerson | null> =>
      ObjectId.isValid(subject) ? find({ _id: new ObjectId(subject) }) : null,
    /** Whether anybody could come in, and may be read. */
    async hasUsers(): Promise<boolean> {
      const [users] = await Promise.all(
        ['user', 'project_membership'].map((name) =>
          db
            .collection(name)
            .find({}, { projection: { _id: 1 } })
            .limit(1)
            .toArray(),
        ),
      );
      return users !== undefined && users.length > 0;
    },
  };
  async function find(filter: Filter<Document>): Promise<QdashPerson | null> {
    const [user] = await db.collection('user').find(filter, { projection: USER }).limit(1).toArray();
    // Whatever else than false a deployment may have written.
    if (user === undefined || (user['disabled'] ?? false) !== false) return null;
    const username = text(user['username']);
    if (username === null) return null;
    return {
      subject: String(user['_id']),
      name: text(user['display_name']) ?? text(user['full_name']) ?? username,
      isAdmin: user['system_role'] === 'admin',
      roles: await rolesOf(username, text(user['user_id'])),
    };
  }
  /**
   * A current QDash knows members and owners by user id, an older one by name. A name is not read where there are ids: who
   * gets the name of somebody that was deleted does not get their projects.
   */
  async function rolesOf(username: string, userId: string | null): Promise<QdashPerson['roles']> {
    const [whose, owned] =
      userId === null
        ? [
            { username, user_id: null },
            { owner_username: username, owner_user_id: null },
          ]
        : [{ user_id: userId }, { owner_user_id: userId }];
    const [members, projects] = await Promise.all([
      db
        .collection('project_membership')
        .find({ ...whose, status: 'active' }, { projection: { project_id: 1, role: 1 } })
        .toArray(),
      db
        .collection('project')
        .find(owned, { projection: { project_id: 1 } })
        .toArray(),
    ]);
    const rows = [...members, ...projects.map((project): Document => ({ ...project, role: 'owner' }))];
    return rows.flatMap((row) => {
      const [projectId, name] = [text(row['project_id']), text(row['role'])];
      const role = name !== null && Object.hasOwn(ROLE_OF, name) ? ROLE_OF[name] : undefined;
      return projectId === null || role === undefined ? [] : [{ projectId, role }];
    });
  }
  return reportingOutages(people);
}

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
