import type { Job as DomainJob } from '../../src/domain/jobs/job.ts';
import { ConflictError, InvalidInputError, NotFoundError } from '../../src/base/errors.ts';
import { builder } from '../builder.ts';
import { enumOf } from '../enums.ts';
import { keyOf } from '../node-ids.ts';
import { Job } from '../refs.ts';

type Moved = { readonly job: DomainJob };

const CancelJobInput = builder.inputType('CancelJobInput', {
  description: 'Which job to stop.',
  fields: (t) => ({ jobId: t.id({ description: 'Id of a Job.' }) }),
});
const CancelJobPayload = builder.objectRef<Moved>('CancelJobPayload').implement({
  description: 'The job has ended.',
  fields: (t) => ({ job: t.expose('job', { type: Job, description: 'The job as it stands now.' }) }),
});
const CancelJobResult = builder.errorUnion('CancelJobResult', {
  description: 'What became of a request to stop a job.',
  types: [CancelJobPayload, NotFoundError],
  resolveType: () => CancelJobPayload,
});

const RetryJobInput = builder.inputType('RetryJobInput', {
  description: 'Which job to try again.',
  fields: (t) => ({ jobId: t.id({ description: 'Id of a Job.' }) }),
});
const RetryJobPayload = builder.objectRef<Moved>('RetryJobPayload').implement({
  description: 'The job is in line, or is being worked on already.',
  fields: (t) => ({ job: t.expose('job', { type: Job, description: 'The job as it stands now.' }) }),
});
const RetryJobResult = builder.errorUnion('RetryJobResult', {
  description: 'What became of a request to try a job again.',
  types: [RetryJobPayload, NotFoundError, ConflictError],
  resolveType: () => RetryJobPayload,
});

const ReviewVerdict = enumOf<'APPROVE' | 'SEND_BACK'>('ReviewVerdict', 'What a person says of a job.', {
  APPROVE: 'It is done.',
  SEND_BACK: 'It is to be worked on again, with the note.',
});
const ReviewJobInput = builder.inputType('ReviewJobInput', {
  description: 'What a person says of a job that waits for that.',
  fields: (t) => ({
    jobId: t.id({ description: 'Id of a Job.' }),
    verdict: t.field({ type: ReviewVerdict, description: 'Whether it is done.' }),
    note: t.string({
      required: false,
      description: 'What is to be done, at most 8,000 characters; needed for sending it back.',
    }),
  }),
});
const ReviewJobPayload = builder.objectRef<Moved>('ReviewJobPayload').implement({
  description: 'The job is done, or in line again.',
  fields: (t) => ({ job: t.expose('job', { type: Job, description: 'The job as it stands now.' }) }),
});
const ReviewJobResult = builder.errorUnion('ReviewJobResult', {
  description: 'What became of a review.',
  types: [ReviewJobPayload, InvalidInputError, NotFoundError, ConflictError],
  resolveType: () => ReviewJobPayload,
});

const JOB_ID_PATH = ['input', 'jobId'] as const;

builder.mutationFields((t) => ({
  cancelJob: t.field({
    type: CancelJobResult,
    description: 'Stops a job wherever it stands and keeps what it made. One that is over stays as it is.',
    args: { input: t.arg({ type: CancelJobInput, description: 'Which job.' }) },
    resolve: async (_root, { input }, { services, viewer }) => ({
      job: await services.jobs.cancel(viewer, keyOf('Job', input.jobId, JOB_ID_PATH)),
    }),
  }),
  retryJob: t.field({
    type: RetryJobResult,
    description:
      'Puts a job that failed or was cancelled in line again. It goes on from what it had, with limits that begin anew.',
    args: { input: t.arg({ type: RetryJobInput, description: 'Which job.' }) },
    resolve: async (_root, { input }, { services, viewer }) => ({
      job: await services.jobs.retry(viewer, keyOf('Job', input.jobId, JOB_ID_PATH)),
    }),
  }),
  reviewJob: t.field({
    type: ReviewJobResult,
    description: 'Approves a job that is `PENDING_REVIEW`, or sends it back with a note.',
    args: { input: t.arg({ type: ReviewJobInput, description: 'What is said of which job.' }) },
    resolve: async (_root, { input }, { services, viewer }) => ({
      job: await services.jobs.review(viewer, { ...input, jobId: keyOf('Job', input.jobId, JOB_ID_PATH) }),
    }),
  }),
}));
