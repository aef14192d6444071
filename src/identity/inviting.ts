/** Who invites people, into which projects, and as what; and who sees which pending invitations. */
import { ForbiddenError } from '../base/errors.ts';
import { mayManage, type Role } from '../domain/members/role.ts';
import type { Access } from '../services/members/access.ts';
import type { Invitation, People } from '../stores/pg/people.ts';
import { callerOf, type Identity } from './identity.ts';

export type InvitingDeps = {
  readonly people: Pick<People, 'invitations'>;
  readonly access: Pick<Access, 'projectsOf'>;
  /** Role of somebody in a project of theirs. */
  readonly roleIn: (identity: Identity, projectId: string) => Promise<Role>;
};

type Asked = Pick<Invitation, 'projectId' | 'role' | 'isAdmin'>;

export const createInviting = ({ people, access, roleIn }: InvitingDeps) => ({
  /** Who manages members of a role invites them. @throws ForbiddenError */
  async requireInviter({ isAdmin, projectId, role }: Asked, identity: Identity): Promise<void> {
    if (isAdmin || projectId === null || role === null)
      throw new ForbiddenError('only administrators of the installation may do this');
    const mine = await roleIn(identity, projectId);
    if (!mayManage(mine, role))
      throw new ForbiddenError(`as ${mine} of the project you cannot invite ${role}s`);
  },

  /** Those that somebody could make: all, or those into projects that they administer. @throws ForbiddenError */
  async invitationsFor(identity: Identity): Promise<readonly Invitation[]> {
    const all = await people.invitations();
    if (identity.isInstallationAdmin) return all;
    const managed = (await access.projectsOf(callerOf(identity))).filter((each) =>
      mayManage(each.role, 'viewer'),
    );
    if (managed.length === 0) throw new ForbiddenError('only admins of a project may do this');
    return all.filter(({ projectId, role }) =>
      managed.some((each) => each.projectId === projectId && role !== null && mayManage(each.role, role)),
    );
  },
});
