import { builder } from '../builder.ts';
import { enumOf } from '../enums.ts';
import { objectResult, resultOf } from '../errors.ts';
import { keyOf } from '../node-ids.ts';
import { Job } from '../refs.ts';

const CancelJobInput = builder.inputType('CancelJobInput', {
  description: 'The job to stop.',
  fields: (t) => ({ jobId: t.id({ description: 'Id of a Job.' }) }),
});

const DeleteJobInput = builder.inputType('DeleteJobInput', {
  description: 'The job to delete.',
  fields: (t) => ({ jobId: t.id({ description: 'Id of a Job.' }) }),
});

const DeleteJobPayload = builder.objectRef<{ deletedJobId: string }>('DeleteJobPayload').implement({
  description: 'The job is gone.',
  fields: (t) => ({
    deletedJobId: t.exposeID('deletedJobId', {
      description: 'Id of the former Job, for the caches of clients.',
    }),
  }),
});

const RetryJobInput = builder.inputType('RetryJobInput', {
  description: 'The job to try again.',
  fields: (t) => ({ jobId: t.id({ description: 'Id of a Job.' }) }),
});

const ReviewVerdict = enumOf<'APPROVE' | 'SEND_BACK'>('ReviewVerdict', 'The verdict on a job.', {
  APPROVE: 'The job is completed.',
  SEND_BACK: 'The job continues, following the note.',
});
const ReviewJobInput = builder.inputType('ReviewJobInput', {
  description: 'A verdict on a job that awaits a review.',
  fields: (t) => ({
    jobId: t.id({ description: 'Id of a Job.' }),
    verdict: t.field({ type: ReviewVerdict, description: 'Whether the job is completed.' }),
    note: t.string({
      required: false,
      description:
        'What to do, at most 8,000 characters; required with SEND_BACK, unless a call is approved.',
    }),
    approveCall: t.boolean({
      required: false,
      description:
        'With SEND_BACK: the call in `Job.reviewCall` may be made, once, when the job continues; no note is needed then.',
    }),
    run: t.int({
      required: false,
      description:
        '`Job.run` as the reviewer saw it: a verdict on an earlier question is refused. Without it, the verdict is on the current question.',
    }),
  }),
});

const payload = { field: 'job', type: Job, about: 'The job in its current state.' } as const;
const JOB_ID_PATH = ['input', 'jobId'] as const;

builder.mutationFields((t) => ({
  cancelJob: t.field({
    rule: 'viewer: own',
    audit: 'CHANGE',
    type: objectResult('CancelJob', {
      ...payload,
      description: 'The job has ended.',
      errors: ['NOT_FOUND'],
    }),
    description: 'Stops a job in any state and keeps what it produced. A finished job stays as it is.',
    args: { input: t.arg({ type: CancelJobInput, description: 'The job.' }) },
    resolve: async (_root, { input }, { services, viewer }) => ({
      job: await services.jobs.cancel(viewer, keyOf('Job', input.jobId, JOB_ID_PATH)),
    }),
  }),
  deleteJob: t.field({
    rule: 'viewer: own',
    audit: 'DELETE',
    type: resultOf(DeleteJobPayload, ['INVALID_INPUT', 'NOT_FOUND']),
    description:
      'Deletes a job for good, with its events, results, records and files. An open one is cancelled first; subscriptions end. Deleting again changes nothing.',
    args: { input: t.arg({ type: DeleteJobInput, description: 'The job.' }) },
    resolve: async (_root, { input: { jobId } }, { services, viewer }) => {
      await services.jobs.delete(viewer, keyOf('Job', jobId, JOB_ID_PATH));
      return { deletedJobId: jobId };
    },
  }),
  retryJob: t.field({
    rule: 'editor: own',
    audit: 'SUBMIT',
    type: objectResult('RetryJob', {
      ...payload,
      description: 'The job is queued or already running.',
      errors: ['NOT_FOUND', 'CONFLICT', 'BUDGET_EXCEEDED'],
    }),
    description:
      'Queues a failed or cancelled job again. It continues from what it had, and its limits start anew.',
    args: { input: t.arg({ type: RetryJobInput, description: 'The job.' }) },
    resolve: async (_root, { input }, { services, viewer }) => ({
      job: await services.jobs.retry(viewer, keyOf('Job', input.jobId, JOB_ID_PATH)),
    }),
  }),
  reviewJob: t.field({
    rule: 'editor: own',
    audit: 'SUBMIT',
    type: objectResult('ReviewJob', {
      ...payload,
      description: 'The job is completed or queued again.',
      errors: ['INVALID_INPUT', 'NOT_FOUND', 'CONFLICT'],
    }),
    description: 'Approves a job that is `PENDING_REVIEW`, or sends it back with a note.',
    args: { input: t.arg({ type: ReviewJobInput, description: 'The job and the verdict.' }) },
    resolve: async (_root, { input }, { services, viewer }) => ({
      job: await services.jobs.review(viewer, { ...input, jobId: keyOf('Job', input.jobId, JOB_ID_PATH) }),
    }),
  }),
}));
