/** Who else may read a conversation or a job, and opening what a link shares. */
import type { Session } from '../../src/domain/conversation/session.ts';
import { sharedPage } from '../../src/domain/members/pages.ts';
import type { Visibility } from '../../src/domain/members/sharing.ts';
import { builder } from '../builder.ts';
import type { GraphQLContext } from '../context.ts';
import { enumOf } from '../enums.ts';
import { objectResult, resultOf } from '../errors.ts';
import { existing } from '../existing.ts';
import { keyOf } from '../node-ids.ts';
import type { Opened } from '../../src/services/sharing/sharing.ts';
import { Board, CopilotSession, Job, User } from '../refs.ts';

/** Who may read what somebody made. */
export const VisibilityEnum = enumOf<Visibility>(
  'Visibility',
  'Who may read a conversation, an answer or a job.',
  {
    PRIVATE: 'Its owner alone.',
    PROJECT: 'All members of the project.',
    LINK: 'Members of the project who open its link.',
  },
);

User.implement({
  description: 'Somebody of this installation.',
  fields: (t) => ({
    userId: t.exposeID('userId', { description: 'Id of the user, as `Viewer.id` has it.' }),
    name: t.exposeString('name', { description: 'Name of the user; the id where no name is known.' }),
  }),
});

type Types = typeof builder.$inferSchemaTypes;

/** Fields of what can be shared; `sessionOf` finds the session that holds the sharing. */
const sharingFields = <Shared extends { readonly viewerId: string }>(
  t: PothosSchemaTypes.ObjectFieldBuilder<Types, Shared>,
  sessionOf: (shared: Shared, context: GraphQLContext) => Session | Promise<Session>,
) => ({
  visibility: t.field({
    type: VisibilityEnum,
    description: 'Who may read it.',
    resolve: async (shared, _args, context) => (await sessionOf(shared, context)).visibility,
  }),
  sharedBy: t.field({
    type: User,
    nullable: true,
    description: "Its owner, where that is not the viewer; null for the viewer's own.",
    resolve: ({ viewerId }, _args, { loaders, viewer }) =>
      viewerId === viewer.id ? null : loaders.user.load(viewerId),
  }),
  shareLink: t.string({
    nullable: true,
    description:
      'Path of the page that opens it, for its owner to hand on; null unless it is shared by link.',
    resolve: async (shared, _args, context) => {
      if (shared.viewerId !== context.viewer.id) return null;
      const { shareKey } = await sessionOf(shared, context);
      return shareKey === null ? null : sharedPage(context.viewer.projectId, shareKey);
    },
  }),
});

builder.objectFields(CopilotSession, (t) => sharingFields(t, (session) => session));
builder.objectFields(Job, (t) =>
  sharingFields(t, ({ sessionId }, { loaders }) => existing(loaders.session.load(sessionId), 'job')),
);

const ShareSessionInput = builder.inputType('ShareSessionInput', {
  description: 'A conversation and who may read it.',
  fields: (t) => ({
    sessionId: t.id({ description: 'Id of a CopilotSession.' }),
    visibility: t.field({ type: VisibilityEnum, description: 'Who may read it besides its owner.' }),
  }),
});

const ShareJobInput = builder.inputType('ShareJobInput', {
  description: 'A job and who may read it.',
  fields: (t) => ({
    jobId: t.id({ description: 'Id of a Job.' }),
    visibility: t.field({ type: VisibilityEnum, description: 'Who may read it besides its owner.' }),
  }),
});

const OpenSharedInput = builder.inputType('OpenSharedInput', {
  description: 'A link.',
  fields: (t) => ({ key: t.string({ description: 'The last part of the path in `shareLink`.' }) }),
});

const OpenSharedPayload = builder.objectRef<Opened>('OpenSharedPayload').implement({
  rule: 'viewer: shared',
  description: 'The viewer may read this until it is shared otherwise. One of the three is there.',
  fields: (t) => ({
    session: t.field({
      type: CopilotSession,
      nullable: true,
      description: 'The conversation.',
      resolve: ({ session }) => (session?.kind === 'COPILOT' ? session : null),
    }),
    job: t.field({
      type: Job,
      nullable: true,
      description: 'The job.',
      resolve: ({ session }, _args, { loaders }) =>
        session === null ? null : loaders.jobOfSession.load(session.id),
    }),
    board: t.field({
      type: Board,
      nullable: true,
      description: 'The board.',
      resolve: ({ board }) => board,
    }),
  }),
});

const HandOverJobInput = builder.inputType('HandOverJobInput', {
  description: 'A job and its next owner.',
  fields: (t) => ({
    jobId: t.id({ description: 'Id of a Job.' }),
    userId: t.id({ description: 'Id of a member who may run jobs, as `Member.userId` has it.' }),
  }),
});

const HandOverJobPayload = builder
  .objectRef<{ readonly handedOverJobId: string }>('HandOverJobPayload')
  .implement({
    description: 'The job belongs to the other member.',
    fields: (t) => ({
      handedOverJobId: t.exposeID('handedOverJobId', {
        description: 'Id of the Job, which the viewer may read no more unless it is shared.',
      }),
    }),
  });

builder.mutationFields((t) => ({
  shareSession: t.field({
    rule: 'viewer: own',
    audit: 'CHANGE',
    type: objectResult('ShareSession', {
      field: 'session',
      type: CopilotSession,
      about: 'The conversation.',
      description: 'Who may read it has changed.',
      errors: ['INVALID_INPUT', 'NOT_FOUND'],
    }),
    description:
      'Shares a conversation, or makes it private again: others then cannot read it, and their subscriptions end within 10 seconds. A link that ended is never valid again.',
    args: { input: t.arg({ type: ShareSessionInput, description: 'The conversation.' }) },
    resolve: async (_root, { input: { sessionId, visibility } }, { services, viewer }) => {
      const id = keyOf('CopilotSession', sessionId, ['input', 'sessionId']);
      return { session: await services.sharing.shareSession(viewer, { id, visibility }) };
    },
  }),
  shareJob: t.field({
    rule: 'viewer: own',
    audit: 'CHANGE',
    type: objectResult('ShareJob', {
      field: 'job',
      type: Job,
      about: 'The job.',
      description: 'Who may read it has changed.',
      errors: ['INVALID_INPUT', 'NOT_FOUND'],
    }),
    description: 'Shares a job with its files, or makes it private again, like `shareSession`.',
    args: { input: t.arg({ type: ShareJobInput, description: 'The job.' }) },
    resolve: async (_root, { input: { jobId, visibility } }, { services, viewer }) => {
      const id = keyOf('Job', jobId, ['input', 'jobId']);
      return { job: await services.sharing.shareJob(viewer, { id, visibility }) };
    },
  }),
  openShared: t.field({
    rule: 'viewer: shared',
    audit: 'VIEW',
    type: resultOf(OpenSharedPayload, ['INVALID_INPUT', 'NOT_FOUND']),
    description:
      'Opens a link: from then on the viewer may read what it shares. Nobody else sees who opened it.',
    args: { input: t.arg({ type: OpenSharedInput, description: 'The link.' }) },
    resolve: (_root, { input }, { services, viewer }) => services.sharing.open(viewer, input),
  }),
  handOverJob: t.field({
    rule: 'editor: own',
    audit: 'CHANGE',
    type: resultOf(HandOverJobPayload, ['INVALID_INPUT', 'NOT_FOUND']),
    description:
      'Gives a job, running or not, to another member who may run jobs. It goes on; what it spends from then on is theirs, and only they may change it. Who may read it stays: a private job is private to them.',
    args: { input: t.arg({ type: HandOverJobInput, description: 'The job and its next owner.' }) },
    resolve: async (_root, { input: { jobId, userId } }, { services, viewer }) => {
      await services.jobs.handOver(viewer, { jobId: keyOf('Job', jobId, ['input', 'jobId']), userId });
      return { handedOverJobId: jobId };
    },
  }),
}));
