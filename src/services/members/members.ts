import { z } from 'zod';
import { ConflictError, ForbiddenError } from '../../base/errors.ts';
import type { Viewer } from '../../domain/conversation/session.ts';
import { type Member, mayManage, ROLES, type Role } from '../../domain/members/role.ts';
import type { MemberChange, Members } from '../../stores/pg/members.ts';
import { checkInput } from '../copilot/copilot-input.ts';
import type { StopWork } from './stop-work.ts';

const userId = z.string().trim().min(1).max(200);
const setMemberInput = z.object({ userId, role: z.enum(ROLES) });
const removeMemberInput = z.object({ userId });

export type SetMemberInput = z.input<typeof setMemberInput>;
export type RemoveMemberInput = z.input<typeof removeMemberInput>;

export type MembersDeps = {
  readonly members: Members;
  readonly stopWork: StopWork;
};

/** Members of the viewer's project. */
export type MembersService = ReturnType<typeof createMembersService>;

/** Who is called has at least the role of the field's rule; here is decided whom they may change into what. */
export const createMembersService = ({ members, stopWork }: MembersDeps) => ({
  list: ({ projectId }: Viewer): Promise<readonly Member[]> => members.list(projectId),

  /** Adds a member or changes a role. @throws InvalidInputError, ForbiddenError, ConflictError for the last owner */
  async set(viewer: Viewer, input: SetMemberInput): Promise<readonly Member[]> {
    const member = checkInput(setMemberInput, input);
    await assertManages(members, viewer, member.userId, member.role);
    assertDone(await members.set({ ...member, projectId: viewer.projectId, addedBy: viewer.id }));
    return members.list(viewer.projectId);
  },

  /**
   * Removes a member and stops what runs for them in the project; what they made stays. Removing again stops
   * what is left. @throws as {@link set}
   */
  async remove(viewer: Viewer, input: RemoveMemberInput): Promise<readonly Member[]> {
    const member = checkInput(removeMemberInput, input);
    await assertManages(members, viewer, member.userId, null);
    assertDone(await members.remove(member.userId, viewer.projectId));
    const who = { userId: member.userId, projectId: viewer.projectId };
    await stopWork(who, 'The member was removed from the project.');
    return members.list(viewer.projectId);
  },

  /** Stops what runs for somebody who was disabled, in all projects; what they made stays. */
  stopWorkOf: (id: string): Promise<void> =>
    stopWork({ userId: id, projectId: null }, 'The user was disabled.'),
});

/** Members who are kept in another system: the door knows their roles, and nobody changes them here. */
export function membersOf(system: string): Members {
  const refuse = async (): Promise<never> => {
    throw new ForbiddenError(
      `the members of this installation are those of ${system}; see and change them there`,
    );
  };
  return { roleOf: async () => null, projectsOf: async () => [], list: refuse, set: refuse, remove: refuse };
}

/** Owners manage everybody; admins those who are, and become, viewers or editors. */
async function assertManages(
  members: Members,
  { role, projectId }: Viewer,
  id: string,
  wanted: Role | null,
): Promise<void> {
  const current = await members.roleOf(id, projectId);
  if ([current, wanted].every((each) => each === null || mayManage(role, each))) return;
  throw new ForbiddenError('admins manage viewers and editors; only owners manage admins and owners');
}

function assertDone(change: MemberChange): void {
  if (change === 'DONE') return;
  throw new ConflictError('this is the last owner of the project; make another member an owner first');
}
