import type { Job as DomainJob } from '../../src/domain/jobs/job.ts';
import {
  ConflictError,
  InvalidInputError,
  NotFoundError,
  RateLimitedError,
  SessionLinkedError,
  TurnInProgressError,
} from '../../src/base/errors.ts';
import { builder } from '../builder.ts';
import { keyOf } from '../node-ids.ts';
import { Job } from '../refs.ts';

const CreateJobInput = builder.inputType('CreateJobInput', {
  description: 'A job to be made.',
  fields: (t) => ({
    description: t.string({ description: 'The task in short: 1 to 2,000 characters, not blank.' }),
    expertId: t.string({
      required: false,
      description: 'Who is to work on it, a name of `experts`; none: the defaults alone.',
    }),
    instructions: t.string({
      required: false,
      description:
        'What it is told, at most 200,000 bytes, kept byte for byte; none or empty: the upload, else what was written with the builder, else those of the expert.',
    }),
    instructionsUploadId: t.id({
      required: false,
      description: 'Id of an Upload of kind TEXT: instructions in a file.',
    }),
    configOverride: t.field({
      type: 'JSON',
      required: false,
      description:
        "What differs from the expert's configuration, at most 64 kB: lists as a whole, null for what is to be left out.",
    }),
    configUploadId: t.id({
      required: false,
      description:
        'Id of an Upload of kind TEXT: YAML over the configuration of the expert, below `configOverride`.',
    }),
    datasourceIds: t.idList({ required: false, description: 'Ids of `datasources` that it may read.' }),
    builderSessionId: t.id({
      required: false,
      description: 'Id of the BuilderSession that it is made with, which no other job was made with.',
    }),
    chipId: t.string({ required: false, description: 'The chip that it is about.' }),
    context: t.field({
      type: 'JSON',
      required: false,
      description: 'An object of facts that it starts from, for example a finding; at most 64 kB.',
    }),
    idempotencyKey: t.string({
      description:
        'Made by the client, for example a UUID: asking again with the same key answers with the same job.',
    }),
  }),
});

const CreateJobPayload = builder.objectRef<{ readonly job: DomainJob }>('CreateJobPayload').implement({
  description: 'The job was made and waits in line.',
  fields: (t) => ({ job: t.expose('job', { type: Job, description: 'The job.' }) }),
});

const CreateJobResult = builder.errorUnion('CreateJobResult', {
  description: 'What became of a request for a job. Unless it was made, nothing was changed.',
  types: [
    CreateJobPayload,
    InvalidInputError,
    NotFoundError,
    ConflictError,
    RateLimitedError,
    TurnInProgressError,
    SessionLinkedError,
  ],
  resolveType: () => CreateJobPayload,
});

builder.mutationField('createJob', (t) =>
  t.field({
    type: CreateJobResult,
    description:
      'Makes a job and puts it in line. Returns at once; follow it by `jobEvents` and `jobUpdated`.',
    args: { input: t.arg({ type: CreateJobInput, description: 'The job.' }) },
    resolve: async (_root, { input }, { services, viewer }) => {
      const key = (type: 'Upload' | 'BuilderSession', id: string | null | undefined, name: string) =>
        id ? keyOf(type, id, ['input', name]) : null;
      const job = await services.jobs.create(viewer, {
        ...input,
        instructionsUploadId: key('Upload', input.instructionsUploadId, 'instructionsUploadId'),
        configUploadId: key('Upload', input.configUploadId, 'configUploadId'),
        builderSessionId: key('BuilderSession', input.builderSessionId, 'builderSessionId'),
      });
      return { job };
    },
  }),
);
