import type { Job as DomainJob, JobStatus } from '../../src/domain/jobs/job.ts';
import { builder } from '../builder.ts';
import { connectionOf, pageField, readPage } from '../connections.ts';
import { SessionEvent } from '../copilot/events.ts';
import { afterSeqArg } from '../copilot/sequenced-event.ts';
import { enumOf } from '../enums.ts';
import { existing } from '../existing.ts';
import { InstructionsSourceEnum } from '../expert/expert.ts';
import { opened } from '../opened.ts';
import { keyOf } from '../node-ids.ts';
import { BuilderSession, Chip, Expert, Job, Message, Turn, TurnError } from '../refs.ts';
import { Datasource } from './datasource.ts';

const JobStatusEnum = enumOf<JobStatus>('JobStatus', 'State of a job.', {
  CREATED: 'Queued.',
  PROCESSING: 'Running.',
  PENDING_REVIEW: 'Awaits a review by a person: see `reviewJob`.',
  COMPLETED: 'Finished; its report and files are available.',
  FAILED: 'Failed for the reason in `error`; `retryJob` continues from what it had.',
  CANCELLED: 'Cancelled by a user; `retryJob` continues from what it had.',
});

const EffectiveInstructions = builder
  .objectRef<Pick<DomainJob, 'instructions' | 'instructionsSource'>>('EffectiveInstructions')
  .implement({
    description: 'The instructions of a job.',
    fields: (t) => ({
      text: t.exposeString('instructions', { description: 'The text, byte for byte as given.' }),
      source: t.expose('instructionsSource', {
        type: InstructionsSourceEnum,
        description: 'Where the text comes from.',
      }),
    }),
  });

const ReviewedCall = builder.objectRef<NonNullable<DomainJob['reviewCall']>>('ReviewedCall').implement({
  description:
    'A call of a tool that may change something outside of this server, which a person has to approve.',
  fields: (t) => ({
    server: t.exposeString('server', { description: 'Name of the MCP server that would be called.' }),
    serverTool: t.exposeString('serverTool', { description: 'The tool, by its name at the server.' }),
    arguments: t.expose('arguments', { type: 'JSON', description: 'All arguments, as they would be sent.' }),
    approvedBy: t.exposeString('approvedBy', {
      nullable: true,
      description: 'Id of the person who approved it; null before.',
    }),
  }),
});

builder.node(Job, {
  rule: 'viewer: shared',
  description:
    'A task for an expert, carried out in the background phase by phase. Its inputs are fixed when it is created. It belongs to one user in one project, who may let others read it.',
  id: { resolve: ({ id }) => id },
  loadWithoutCache: async (id, context) => opened('job', await context.loaders.job.load(id), context),
  fields: (t) => ({
    description: t.exposeString('description', { description: 'The task in brief.' }),
    expert: t.field({
      type: Expert,
      nullable: true,
      description: 'The expert that carries it out; null for none, or if deleted since.',
      resolve: ({ expertId }, _args, { loaders }) =>
        expertId === null ? null : loaders.expert.load(expertId),
    }),
    status: t.expose('status', { type: JobStatusEnum, description: 'Its state.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    startedAt: t.expose('startedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When a worker first started it; null until then.',
    }),
    finishedAt: t.expose('finishedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it ended; null until then, and again after a retry.',
    }),
    chip: t.field({
      type: Chip,
      nullable: true,
      description: 'The chip that it is about; null for none, or if removed since.',
      resolve: ({ chipId }, _args, { loaders }) => (chipId === null ? null : loaders.chip.load(chipId)),
    }),
    context: t.expose('context', {
      type: 'JSON',
      nullable: true,
      description: 'Facts that were sent with it; null for none.',
    }),
    effectiveInstructions: t.field({
      type: EffectiveInstructions,
      description: 'Its instructions: those sent, else uploaded, else of the expert, else the template.',
      resolve: (job) => job,
    }),
    configOverride: t.expose('configOverride', {
      type: 'JSON',
      nullable: true,
      description: "What overrides the expert's configuration; null for nothing.",
    }),
    resolvedConfig: t.expose('resolvedConfig', {
      type: 'JSON',
      description: 'The effective configuration, resolved when the job was created.',
    }),
    builderSession: t.field({
      type: BuilderSession,
      nullable: true,
      description: 'The builder session that it was created with; null for none, or if removed since.',
      resolve: ({ id }, _args, { loaders }) => loaders.builderSessionOfJob.load(id),
    }),
    datasources: t.field({
      type: [Datasource],
      description: 'Databases and files that it may read, as configured when it was created.',
      resolve: async ({ id }, _args, { loaders }) => [...(await loaders.datasourcesOfJob.load(id))],
    }),
    turn: t.field({
      type: Turn,
      nullable: true,
      description: 'Its newest phase; null before the first one.',
      resolve: ({ sessionId }, _args, { loaders }) => loaders.newestTurn.load(sessionId),
    }),
    result: t.field({
      type: Message,
      nullable: true,
      description: 'The final message of its last phase; null until it is completed or awaits a review.',
      resolve: async ({ status, sessionId }, _args, { loaders }) => {
        if (status !== 'COMPLETED' && status !== 'PENDING_REVIEW') return null;
        const turn = await loaders.newestTurn.load(sessionId);
        return turn?.answerId ? loaders.message.load(turn.answerId) : null;
      },
    }),
    reviewNote: t.exposeString('reviewNote', {
      nullable: true,
      description: 'The question for the reviewer, or the note with which it was sent back; null for none.',
    }),
    reviewCall: t.field({
      type: ReviewedCall,
      nullable: true,
      description:
        'The call that the reviewer is asked to approve, or approved and the job has not made yet; null for none.',
      resolve: ({ reviewCall }) => reviewCall ?? null,
    }),
    run: t.exposeInt('run', {
      description: 'How often it was queued: 1, plus 1 for each retry and each return from a review.',
    }),
    lastSeq: t.int({
      description: 'Number of its newest event, 0 for none. Subscribe to `jobEvents` with it as `afterSeq`.',
      resolve: async ({ sessionId }, _args, { loaders }) =>
        (await existing(loaders.session.load(sessionId), 'session')).lastSeq,
    }),
    error: t.expose('error', {
      type: TurnError,
      nullable: true,
      description: 'Why it failed; null if it has not.',
    }),
  }),
});

const JobConnection = connectionOf(Job, 'jobs');

const jobsPage = pageField();

builder.queryFields((t) => ({
  job: t.field({
    rule: 'viewer: shared',
    type: Job,
    nullable: true,
    description: "A job; null unless it is the viewer's or shared with the viewer.",
    args: { id: t.arg.id({ description: 'Id of a Job.' }) },
    resolve: async (_root, { id }, context) =>
      opened('job', await context.loaders.job.load(keyOf('Job', id)), context),
  }),
  jobs: t.field({
    rule: 'viewer: own',
    type: JobConnection,
    description: "The viewer's jobs, newest first.",
    complexity: jobsPage.complexity,
    args: {
      ...jobsPage.args,
      status: t.arg({
        type: [JobStatusEnum],
        required: false,
        description: 'Only jobs in these states; omit it for all.',
      }),
    },
    resolve: (_root, { status, ...args }, { services, viewer }) =>
      readPage(args, (page) => services.jobs.list(viewer, { ...page, status })),
  }),
  sharedJobs: t.field({
    rule: 'viewer: shared',
    type: JobConnection,
    description:
      'Jobs that other members share with the project, or by a link that the viewer opened, newest first.',
    complexity: jobsPage.complexity,
    args: jobsPage.args,
    resolve: (_root, args, { services, viewer }) =>
      readPage(args, (page) => services.jobs.list(viewer, { ...page, whose: 'shared' })),
  }),
}));

builder.subscriptionFields((t) => ({
  jobEvents: t.field({
    rule: 'viewer: shared',
    type: SessionEvent,
    description:
      'Past and future events of a job after a cursor, like `copilotEvents`. Each phase is a turn.',
    args: { jobId: t.arg.id({ description: 'Id of a Job.' }), ...afterSeqArg() },
    subscribe: (_root, { jobId, afterSeq }, { services, viewer, signal, endUnless }) => {
      const key = keyOf('Job', jobId, ['jobId']);
      endUnless(() => services.jobs.assertReadable(viewer, key));
      return services.jobs.follow(viewer, key, afterSeq ?? 0, signal);
    },
    resolve: (event) => event,
  }),
  jobUpdated: t.field({
    rule: 'viewer: own',
    type: Job,
    description: "Any of the viewer's jobs in the project whenever it starts, changes its status, or ends.",
    subscribe: (_root, _args, { services, viewer, signal }) => services.jobs.changes(viewer, signal),
    resolve: (job) => job,
  }),
}));
