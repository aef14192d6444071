import type { BuilderSessionStatus } from '../../src/domain/conversation/builder-session.ts';
import { InvalidInputError } from '../../src/base/errors.ts';
import type { ProposedChanges } from '../../src/services/builder/builder.ts';
import { builder } from '../builder.ts';
import { pageArgs, pageSize, PAGE_SIZE, toConnection } from '../connections.ts';
import { MessageConnection, MESSAGES_PAGE_SIZE } from '../copilot/message-connection.ts';
import { enumOf } from '../enums.ts';
import { keyOf } from '../node-ids.ts';
import { BuilderSession, Expert, Job, Turn } from '../refs.ts';
import { ArtifactRevision, Artifacts } from './artifacts.ts';
import { ArtifactDiff } from './diff.ts';

const BuilderSessionStatusEnum = enumOf<BuilderSessionStatus>(
  'BuilderSessionStatus',
  'Where a builder session stands.',
  {
    OPEN: 'Its artifacts can be changed.',
    LINKED: 'A job was made with it; `reopenBuilderSession` lets it be changed again.',
    ABANDONED: 'Nobody touched it for a day. A message opens it again, until it is removed.',
  },
);

const ArtifactRevisionConnection = builder.connectionObject(
  {
    type: ArtifactRevision,
    name: 'ArtifactRevisionConnection',
    description: 'A page of revisions, newest first.',
  },
  { name: 'ArtifactRevisionEdge', description: 'A revision with its cursor.' },
);

const ArtifactProposal = builder.objectRef<ProposedChanges>('ArtifactProposal').implement({
  description: 'What the builder would change, waiting for the user: see `resolveArtifactHunks`.',
  fields: (t) => ({
    turn: t.field({
      type: Turn,
      nullable: true,
      description: 'The newest turn that wrote in it.',
      resolve: ({ turnId }, _args, { loaders }) => loaders.turn.load(turnId),
    }),
    artifacts: t.expose('artifacts', {
      type: Artifacts,
      description: 'The artifacts with all that is proposed.',
    }),
    diff: t.expose('diff', { type: ArtifactDiff, description: 'What it would change, part by part.' }),
  }),
});

builder.node(BuilderSession, {
  description:
    'A conversation that writes the instructions, settings and description of a job. It belongs to one user in one project.',
  id: { resolve: ({ id }) => id },
  loadWithoutCache: (id, { loaders }) => loaders.builderSession.load(id),
  fields: (t) => ({
    title: t.exposeString('title', { description: 'From its first message.' }),
    expert: t.field({
      type: Expert,
      nullable: true,
      description: 'The expert that the job is based on; null for none, or when it was deleted since.',
      resolve: ({ expertId }, _args, { loaders }) =>
        expertId === null ? null : loaders.expert.load(expertId),
    }),
    job: t.field({
      type: Job,
      nullable: true,
      description: 'The newest job that was made with it; null for none.',
      resolve: ({ jobId }, _args, { loaders }) => (jobId === null ? null : loaders.job.load(jobId)),
    }),
    status: t.expose('status', { type: BuilderSessionStatusEnum, description: 'Where it stands.' }),
    strict: t.exposeBoolean('strict', {
      description: 'Whether an edit whose text stands more than once is refused.',
    }),
    review: t.exposeBoolean('review', { description: 'Whether changes of the builder are proposals first.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it began.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was last written to.' }),
    artifacts: t.field({
      type: Artifacts,
      description: 'As they stand now.',
      resolve: (session, _args, { loaders }) => loaders.artifacts.load(session),
    }),
    revision: t.exposeInt('revision', {
      description:
        'Number of the newest artifacts; 0 while nobody has written any. Send it as `baseRevision`.',
    }),
    proposal: t.field({
      type: ArtifactProposal,
      nullable: true,
      description: 'What waits for the user; null for nothing.',
      resolve: (session, _args, { services }) => services.builder.proposal(session),
    }),
    revisions: t.field({
      type: ArtifactRevisionConnection,
      description: 'Every state of the artifacts, newest first.',
      complexity: ({ first }) => ({ field: 1, multiplier: first ?? PAGE_SIZE }),
      args: {
        ...pageArgs(),
      },
      resolve: async (session, { first, after }, { services }) =>
        toConnection(await services.builder.revisions(session, { first: pageSize(first), after }), after),
    }),
    artifactDiff: t.field({
      type: ArtifactDiff,
      description: 'What differs between two revisions; revision 0 is empty.',
      args: {
        from: t.arg.int({ description: 'The older revision.' }),
        to: t.arg.int({ description: 'The newer revision.' }),
      },
      resolve: (session, { from, to }, { services }) => services.builder.diff(session, from, to),
    }),
    messages: t.field({
      type: MessageConnection,
      description: 'Its messages, newest first.',
      complexity: ({ first }) => ({ field: 1, multiplier: first ?? MESSAGES_PAGE_SIZE }),
      args: {
        ...pageArgs({ size: MESSAGES_PAGE_SIZE }),
      },
      resolve: async ({ id }, { first, after }, { services, viewer }) => {
        const page = { first: pageSize(first, MESSAGES_PAGE_SIZE), after, throughTurnId: null };
        return toConnection(await services.copilot.messages(viewer, id, page), after);
      },
    }),
    activeTurn: t.field({
      type: Turn,
      nullable: true,
      description: 'The turn that writes now: nobody else can until it ends. Null when the session is idle.',
      resolve: ({ id }, _args, { loaders }) => loaders.activeTurn.load(id),
    }),
    lastSeq: t.exposeInt('lastSeq', {
      description: 'Number of its newest event; 0 when there is none. Subscribe with it as `afterSeq`.',
    }),
    summary: t.exposeString('summary', {
      nullable: true,
      description: 'Of its older messages, in the words of the model; null where all are sent as they are.',
    }),
  }),
});

const BuilderSessionConnection = builder.connectionObject(
  {
    type: BuilderSession,
    name: 'BuilderSessionConnection',
    description: 'A page of builder sessions.',
  },
  { name: 'BuilderSessionEdge', description: 'A builder session with its cursor.' },
);

builder.queryField('builderSessions', (t) =>
  t.field({
    type: BuilderSessionConnection,
    description:
      "The viewer's builder sessions in which something was said, the one that was written to last first.",
    complexity: ({ first }) => ({ field: 1, multiplier: first ?? PAGE_SIZE }),
    args: {
      ...pageArgs(),
    },
    resolve: async (_root, { first, after }, { services, viewer }) =>
      toConnection(await services.builder.list(viewer, { first: pageSize(first), after }), after),
  }),
);

builder.queryField('builderSession', (t) =>
  t.field({
    type: BuilderSession,
    nullable: true,
    description: 'One builder session, by its id or by a job that was made with it; null for an unknown one.',
    args: {
      id: t.arg.id({ required: false, description: 'Id of a BuilderSession.' }),
      jobId: t.arg.id({ required: false, description: 'Id of a Job.' }),
    },
    resolve: (_root, { id, jobId }, { loaders }) => {
      if (id && !jobId) return loaders.builderSession.load(keyOf('BuilderSession', id));
      if (jobId && !id) return loaders.builderSessionOfJob.load(keyOf('Job', jobId, ['jobId']));
      throw new InvalidInputError([{ path: ['id'], message: 'give either id or jobId' }]);
    },
  }),
);
