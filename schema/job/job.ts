import type { Job as DomainJob, JobStatus } from '../../src/domain/jobs/job.ts';
import { builder } from '../builder.ts';
import { pageArgs, pageSize, PAGE_SIZE, toConnection } from '../connections.ts';
import { enumOf } from '../enums.ts';
import { existing } from '../existing.ts';
import { InstructionsSourceEnum } from '../expert/expert.ts';
import { keyOf } from '../node-ids.ts';
import { BuilderSession, Chip, Expert, Job, Message, Turn, TurnError } from '../refs.ts';
import { Datasource } from './datasource.ts';

const JobStatusEnum = enumOf<JobStatus>('JobStatus', 'Where a job stands.', {
  CREATED: 'It waits in line.',
  PROCESSING: 'It is being worked on.',
  PENDING_REVIEW: 'It waits for a person: see `reviewJob`.',
  COMPLETED: 'It is done; its report and its files are there.',
  FAILED: 'It could not be done, for the reason in `error`; `retryJob` goes on from what it had.',
  CANCELLED: 'Somebody stopped it; `retryJob` goes on from what it had.',
});

const EffectiveInstructions = builder
  .objectRef<Pick<DomainJob, 'instructions' | 'instructionsSource'>>('EffectiveInstructions')
  .implement({
    description: 'What a job is told.',
    fields: (t) => ({
      text: t.exposeString('instructions', { description: 'The text, byte for byte as it was given.' }),
      source: t.expose('instructionsSource', {
        type: InstructionsSourceEnum,
        description: 'Where it comes from.',
      }),
    }),
  });

builder.node(Job, {
  description:
    'A task for an expert, worked on in the background phase by phase. What it is made from is fixed when it is made. It belongs to one user in one project.',
  id: { resolve: ({ id }) => id },
  loadWithoutCache: (id, { loaders }) => loaders.job.load(id),
  fields: (t) => ({
    description: t.exposeString('description', { description: 'The task in short.' }),
    expert: t.field({
      type: Expert,
      nullable: true,
      description: 'Who works on it; null for none, or when the expert was deleted since.',
      resolve: ({ expertId }, _args, { loaders }) =>
        expertId === null ? null : loaders.expert.load(expertId),
    }),
    status: t.expose('status', { type: JobStatusEnum, description: 'Where it stands.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    startedAt: t.expose('startedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When somebody first worked on it; null until then.',
    }),
    finishedAt: t.expose('finishedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it ended; null until then, and again when it is tried once more.',
    }),
    chip: t.field({
      type: Chip,
      nullable: true,
      description: 'The chip that it is about; null when none was named or it was removed since.',
      resolve: ({ chipId }, _args, { loaders }) => (chipId === null ? null : loaders.chip.load(chipId)),
    }),
    context: t.expose('context', {
      type: 'JSON',
      nullable: true,
      description: 'Facts that came with it; null for none.',
    }),
    effectiveInstructions: t.field({
      type: EffectiveInstructions,
      description: 'What it is told: what was sent, else the upload, else the expert, else the template.',
      resolve: (job) => job,
    }),
    configOverride: t.expose('configOverride', {
      type: 'JSON',
      nullable: true,
      description: 'What was laid over the configuration of the expert; null for nothing.',
    }),
    resolvedConfig: t.expose('resolvedConfig', {
      type: 'JSON',
      description: 'The configuration in effect, as it was resolved when the job was made.',
    }),
    builderSession: t.field({
      type: BuilderSession,
      nullable: true,
      description: 'The builder session that it was made with; null for none, or when it was removed since.',
      resolve: ({ id }, _args, { loaders }) => loaders.builderSessionOfJob.load(id),
    }),
    datasources: t.field({
      type: [Datasource],
      description: 'Databases and files that it may read, as they were when it was made.',
      resolve: async ({ id }, _args, { loaders }) => [...(await loaders.datasourcesOfJob.load(id))],
    }),
    turn: t.field({
      type: Turn,
      nullable: true,
      description: 'Its newest phase; null while nobody has worked on it.',
      resolve: ({ sessionId }, _args, { loaders }) => loaders.newestTurn.load(sessionId),
    }),
    result: t.field({
      type: Message,
      nullable: true,
      description: 'What its last phase says of the result; null until it is done or waits for a review.',
      resolve: async ({ status, sessionId }, _args, { loaders }) => {
        if (status !== 'COMPLETED' && status !== 'PENDING_REVIEW') return null;
        const turn = await loaders.newestTurn.load(sessionId);
        return turn?.answerId ? loaders.message.load(turn.answerId) : null;
      },
    }),
    reviewNote: t.exposeString('reviewNote', {
      nullable: true,
      description: 'What a person is asked to decide, or said when sending it back; null for nothing.',
    }),
    lastSeq: t.int({
      description:
        'Number of its newest event; 0 when there is none. Subscribe to `jobEvents` with it as `afterSeq`.',
      resolve: async ({ sessionId }, _args, { loaders }) =>
        (await existing(loaders.session.load(sessionId), 'session')).lastSeq,
    }),
    error: t.expose('error', { type: TurnError, nullable: true, description: 'Why it failed.' }),
  }),
});

const JobConnection = builder.connectionObject(
  { type: Job, name: 'JobConnection', description: 'A page of jobs.' },
  { name: 'JobEdge', description: 'A job with its cursor.' },
);

builder.queryFields((t) => ({
  job: t.field({
    type: Job,
    nullable: true,
    description: 'One job; null when the viewer has none of that id.',
    args: { id: t.arg.id({ description: 'Id of a Job.' }) },
    resolve: (_root, { id }, { loaders }) => loaders.job.load(keyOf('Job', id)),
  }),
  jobs: t.field({
    type: JobConnection,
    description: "The viewer's jobs, newest first.",
    complexity: ({ first }) => ({ field: 1, multiplier: first ?? PAGE_SIZE }),
    args: {
      ...pageArgs(),
      status: t.arg({
        type: [JobStatusEnum],
        required: false,
        description: 'Only those that stand there; none: all.',
      }),
    },
    resolve: async (_root, { first, after, status }, { services, viewer }) =>
      toConnection(await services.jobs.list(viewer, { first: pageSize(first), after, status }), after),
  }),
}));
