import type { BuilderSessionStatus, EditState } from '../../src/domain/conversation/builder-session.ts';
import { InvalidInputError } from '../../src/base/errors.ts';
import type { ProposedChanges } from '../../src/services/builder/builder.ts';
import type { EditOutcome } from '../../src/services/builder/followed-edits.ts';
import { builder } from '../builder.ts';
import { connectionOf, pageField, readPage } from '../connections.ts';
import { SessionEvent } from '../copilot/events.ts';
import { MessageConnection, MESSAGES_PAGE_SIZE } from '../copilot/message-connection.ts';
import { afterSeqArg } from '../copilot/sequenced-event.ts';
import { enumOf } from '../enums.ts';
import { keyOf } from '../node-ids.ts';
import { BuilderSession, Expert, Job, Turn } from '../refs.ts';
import { ArtifactKindEnum } from './artifact-event.ts';
import { ArtifactRevision, Artifacts } from './artifacts.ts';
import { ArtifactDiff } from './diff.ts';

const BuilderSessionStatusEnum = enumOf<BuilderSessionStatus>(
  'BuilderSessionStatus',
  'State of a builder session.',
  {
    OPEN: 'Its artifacts can be changed.',
    LINKED: 'A job was created with it; `reopenBuilderSession` makes it editable again.',
    ABANDONED: 'Untouched for a day. A message reopens it until it is removed.',
  },
);

const ArtifactRevisionConnection = connectionOf(ArtifactRevision, 'revisions, newest first');

const ArtifactProposal = builder.objectRef<ProposedChanges>('ArtifactProposal').implement({
  rule: 'viewer: own',
  description: 'Changes proposed by the builder that await a decision: see `resolveArtifactHunks`.',
  fields: (t) => ({
    turn: t.field({
      type: Turn,
      nullable: true,
      description: 'The newest turn that changed it; null when deleted since.',
      resolve: ({ turnId }, _args, { loaders }) => loaders.turn.load(turnId),
    }),
    artifacts: t.expose('artifacts', {
      type: Artifacts,
      description: 'The artifacts with all proposed changes.',
    }),
    diff: t.expose('diff', { type: ArtifactDiff, description: 'The proposed changes, part by part.' }),
  }),
});

const BuilderEditStateEnum = enumOf<EditState>('BuilderEditState', 'What became of an edit of the builder.', {
  APPLIED: 'It is in the artifacts.',
  PROPOSED: 'Some of it awaits a decision.',
  ACCEPTED: 'It was proposed and accepted, and is in the artifacts.',
  REJECTED: 'It was proposed and rejected.',
  PARTLY: 'Some of it is in the artifacts, and some is not: it was rejected, undone or replaced.',
  UNDONE: 'Nothing of it is in the artifacts: the user undid its turn, or went back to before it.',
  REPLACED: 'Nothing of it is in the artifacts: a later edit took its place.',
});

const BuilderEdit = builder.objectRef<EditOutcome>('BuilderEdit').implement({
  rule: 'viewer: own',
  description: 'An edit by the builder that changed an artifact or proposed to, and what became of it.',
  fields: (t) => ({
    callId: t.exposeString('callId', { description: 'Its tool call, as in `ArtifactEvent.callId`.' }),
    turn: t.field({
      type: Turn,
      nullable: true,
      description: 'Its turn; null when deleted since.',
      resolve: ({ turnId }, _args, { loaders }) => loaders.turn.load(turnId),
    }),
    artifact: t.expose('artifact', { type: ArtifactKindEnum, description: 'The artifact that it is about.' }),
    state: t.expose('state', { type: BuilderEditStateEnum, description: 'What became of it.' }),
  }),
});

builder.node(BuilderSession, {
  rule: 'viewer: own',
  description:
    'A conversation that writes the instructions, settings and description of a job. It belongs to one user in one project.',
  id: { resolve: ({ id }) => id },
  loadWithoutCache: (id, { loaders }) => loaders.builderSession.load(id),
  fields: (t) => ({
    title: t.exposeString('title', { description: 'Taken from its first message.' }),
    expert: t.field({
      type: Expert,
      nullable: true,
      description: 'The expert that the job is based on; null for none, or if deleted since.',
      resolve: ({ expertId }, _args, { loaders }) =>
        expertId === null ? null : loaders.expert.load(expertId),
    }),
    job: t.field({
      type: Job,
      nullable: true,
      description: 'The newest job created with it; null for none.',
      resolve: ({ jobId }, _args, { loaders }) => (jobId === null ? null : loaders.job.load(jobId)),
    }),
    status: t.expose('status', { type: BuilderSessionStatusEnum, description: 'Its state.' }),
    strict: t.exposeBoolean('strict', {
      description: 'Whether edits of a text that occurs several times are refused.',
    }),
    review: t.exposeBoolean('review', {
      description: 'Whether changes by the builder become proposals first.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it began.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was last written to.' }),
    artifacts: t.field({
      type: Artifacts,
      description: 'The current artifacts.',
      resolve: (session, _args, { loaders }) => loaders.artifacts.load(session),
    }),
    revision: t.exposeInt('revision', {
      description: 'Number of the newest revision; 0 before the first one. Send it as `baseRevision`.',
    }),
    proposal: t.field({
      type: ArtifactProposal,
      nullable: true,
      description: 'The pending proposal; null for none.',
      resolve: (session, _args, { services }) => services.builder.proposal(session),
    }),
    edits: t.field({
      type: [BuilderEdit],
      description: 'The newest 200 edits by the builder that changed something or proposed to, newest first.',
      resolve: async (session, _args, { services }) => [...(await services.builder.edits(session))],
    }),
    revisions: t.field({
      type: ArtifactRevisionConnection,
      description: 'Every state of the artifacts, newest first.',
      ...pageField(),
      resolve: (session, page, { services }) =>
        readPage(page, (request) => services.builder.revisions(session, request)),
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
      ...pageField({ size: MESSAGES_PAGE_SIZE }),
      resolve: ({ id }, page, { services, viewer }) =>
        readPage(page, (request) => services.copilot.messages(viewer, id, request), MESSAGES_PAGE_SIZE),
    }),
    activeTurn: t.field({
      type: Turn,
      nullable: true,
      description: 'The running turn, which blocks other changes; null for an idle session.',
      resolve: ({ id }, _args, { loaders }) => loaders.activeTurn.load(id),
    }),
    lastSeq: t.exposeInt('lastSeq', {
      description: 'Number of its newest event; 0 when there is none. Subscribe with it as `afterSeq`.',
    }),
    summary: t.exposeString('summary', {
      nullable: true,
      description:
        'A summary of its older messages, written by the model; null while all messages are sent in full.',
    }),
  }),
});

const BuilderSessionConnection = connectionOf(BuilderSession, 'builder sessions');

builder.queryField('builderSessions', (t) =>
  t.field({
    rule: 'viewer: own',
    type: BuilderSessionConnection,
    description: "The viewer's builder sessions with at least one message, most recently written first.",
    ...pageField(),
    resolve: (_root, page, { services, viewer }) =>
      readPage(page, (request) => services.builder.list(viewer, request)),
  }),
);

builder.queryField('builderSession', (t) =>
  t.field({
    rule: 'viewer: own',
    type: BuilderSession,
    nullable: true,
    description: 'A builder session, by its id or by a job created with it; null if unknown.',
    args: {
      id: t.arg.id({ required: false, description: 'Id of a BuilderSession.' }),
      jobId: t.arg.id({ required: false, description: 'Id of a Job.' }),
    },
    resolve: (_root, { id, jobId }, { loaders }) => {
      if (id && !jobId) return loaders.builderSession.load(keyOf('BuilderSession', id));
      if (jobId && !id) return loaders.builderSessionOfJob.load(keyOf('Job', jobId, ['jobId']));
      throw InvalidInputError.at(['id'], 'give either id or jobId');
    },
  }),
);

builder.subscriptionField('builderEvents', (t) =>
  t.field({
    rule: 'viewer: own',
    type: SessionEvent,
    description: 'Past and future events of a builder session after a cursor, like `copilotEvents`.',
    args: { sessionId: t.arg.id({ description: 'Id of a BuilderSession.' }), ...afterSeqArg() },
    subscribe: (_root, { sessionId, afterSeq }, { services, viewer, signal }) =>
      services.copilot.follow(
        viewer,
        keyOf('BuilderSession', sessionId, ['sessionId']),
        afterSeq ?? 0,
        signal,
      ),
    resolve: (event) => event,
  }),
);
