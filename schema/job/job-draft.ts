import { z } from 'zod';
import { DRAFT_DAYS, type JobDraft as DomainJobDraft } from '../../src/domain/jobs/job.ts';
import { builder } from '../builder.ts';
import { keyOf } from '../node-ids.ts';
import { Chip, Expert, ToolCall } from '../refs.ts';

/** A proposed job. */
const JobDraft = builder.objectRef<DomainJobDraft>('JobDraft');

builder.node(JobDraft, {
  rule: 'viewer: own',
  description:
    'A job proposed by the copilot. Nothing runs until the user opens it in the form and submits it with `createJob`.',
  id: { resolve: ({ id }) => id },
  loadWithoutCache: async (id, { services, viewer }) =>
    (await services.jobDrafts.byIds(viewer, [id]))[0] ?? null,
  fields: (t) => ({
    expert: t.field({
      type: Expert,
      nullable: true,
      description: 'The expert that would carry it out; null if deleted since.',
      resolve: ({ expertId }, _args, { loaders }) => loaders.expert.load(expertId),
    }),
    description: t.exposeString('description', { description: 'The task.' }),
    instructions: t.exposeString('instructions', {
      nullable: true,
      description: "Proposed instructions; null for the expert's own.",
    }),
    configOverride: t.expose('configOverride', {
      type: 'JSON',
      nullable: true,
      description: "Overrides of the expert's configuration; null for none.",
    }),
    chip: t.field({
      type: Chip,
      nullable: true,
      description: 'The chip that it is about; null for none, or if removed since.',
      resolve: ({ chipId }, _args, { loaders }) => (chipId === null ? null : loaders.chip.load(chipId)),
    }),
    context: t.expose('context', {
      type: 'JSON',
      description: 'Facts to start from, such as a finding of the conversation.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was proposed.' }),
  }),
});

builder.queryField('jobDraft', (t) =>
  t.field({
    rule: 'viewer: own',
    type: JobDraft,
    nullable: true,
    description: `A proposed job for the form; null if the viewer does not have it. Unopened drafts are removed after ${DRAFT_DAYS} days.`,
    args: { id: t.arg.id({ description: 'Id of a JobDraft.' }) },
    resolve: (_root, { id }, { services, viewer }) => services.jobDrafts.open(viewer, keyOf('JobDraft', id)),
  }),
);

const proposal = z.object({ data: z.object({ draft_id: z.string() }) });

builder.objectField(ToolCall, 'jobDraft', (t) =>
  t.field({
    type: JobDraft,
    nullable: true,
    description: 'The job that this call proposed; null for other calls, and if removed since.',
    resolve: async ({ tool, resultJson }, _args, { services, viewer }) => {
      if (tool !== 'propose_job' || resultJson === null) return null;
      const { draft_id } = proposal.parse(JSON.parse(resultJson)).data;
      return (await services.jobDrafts.byIds(viewer, [draft_id]))[0] ?? null;
    },
  }),
);
