/** Members of the project of a request, and who may change them. */
import { type Member as DomainMember, ROLES, type Role } from '../src/domain/members/role.ts';
import { builder } from './builder.ts';
import { enumOf } from './enums.ts';
import { objectResult } from './errors.ts';

/** As `Viewer.role` has them, which is text. */
const RoleEnum = enumOf<Uppercase<Role>>(
  'Role',
  'What a member may do; each may do what those before it may.',
  {
    VIEWER: 'Reads the data of the project and asks the copilot.',
    EDITOR: 'Also runs jobs, and saves experts.',
    ADMIN: 'Also manages viewers and editors, and changes all experts.',
    OWNER: 'Also manages admins and owners.',
  },
);

const toEnum = (role: Role): Uppercase<Role> => role.toUpperCase() as Uppercase<Role>;
const ofEnum = (role: Uppercase<Role>): Role => ROLES.find((each) => toEnum(each) === role) ?? 'viewer';

const Member = builder.objectRef<DomainMember>('Member').implement({
  rule: 'viewer: project',
  description: 'A member of the project of the request.',
  fields: (t) => ({
    userId: t.exposeID('userId', { description: 'Id of the user.' }),
    name: t.string({
      description: 'Name of the user; the id where no name is known.',
      resolve: async ({ userId }, _args, { loaders }) => (await loaders.user.load(userId)).name,
    }),
    role: t.field({ type: RoleEnum, description: 'The role.', resolve: ({ role }) => toEnum(role) }),
    addedBy: t.exposeString('addedBy', {
      nullable: true,
      description: 'Id of the user who added the member; null for those whom sign-in added.',
    }),
    addedAt: t.expose('addedAt', { type: 'DateTime', description: 'When the member was added.' }),
  }),
});

const SetMemberInput = builder.inputType('SetMemberInput', {
  description: 'A member and the role.',
  fields: (t) => ({
    userId: t.id({ description: 'Id of a user, as `Viewer.id` has it.' }),
    role: t.field({ type: RoleEnum, description: 'The role.' }),
  }),
});

const RemoveMemberInput = builder.inputType('RemoveMemberInput', {
  description: 'The member to remove.',
  fields: (t) => ({ userId: t.id({ description: 'Id of a user, as `Viewer.id` has it.' }) }),
});

const ProjectMembers = builder.objectRef<readonly DomainMember[]>('ProjectMembers').implement({
  description: 'All members of the project.',
  fields: (t) => ({
    all: t.field({
      type: [Member],
      description: 'Greatest role first.',
      resolve: (members) => [...members],
    }),
  }),
});

const outcome = {
  field: 'members',
  type: ProjectMembers,
  about: 'The members of the project now.',
  errors: ['INVALID_INPUT', 'FORBIDDEN', 'CONFLICT'],
} as const;

builder.queryField('members', (t) =>
  t.field({
    rule: 'viewer: project',
    type: [Member],
    description: 'Members of the project, greatest role first.',
    resolve: async (_root, _args, { services, viewer }) => [...(await services.members.list(viewer))],
  }),
);

builder.mutationFields((t) => ({
  setMember: t.field({
    rule: 'admin: project',
    audit: 'ADMINISTER',
    type: objectResult('SetMember', { ...outcome, description: 'The member has the role.' }),
    description:
      'Adds a user to the project or changes the role of a member. Admins add and change viewers and editors, owners all. The last owner stays one.',
    args: { input: t.arg({ type: SetMemberInput, description: 'The member.' }) },
    resolve: async (_root, { input: { userId, role } }, { services, viewer }) => ({
      members: await services.members.set(viewer, { userId, role: ofEnum(role) }),
    }),
  }),
  removeMember: t.field({
    rule: 'admin: project',
    audit: 'ADMINISTER',
    type: objectResult('RemoveMember', { ...outcome, description: 'The user is no member.' }),
    description:
      'Removes a member from the project: as an admin viewers and editors, as an owner all but the last owner. Their running jobs and answers are stopped; what they made stays.',
    args: { input: t.arg({ type: RemoveMemberInput, description: 'The member.' }) },
    resolve: async (_root, { input }, { services, viewer }) => ({
      members: await services.members.remove(viewer, input),
    }),
  }),
}));
