import type { JobSpending } from '../../src/domain/jobs/job.ts';
import { builder } from '../builder.ts';
import { tokenFields } from '../copilot/usage.ts';
import { existing } from '../existing.ts';
import { Job } from '../refs.ts';

const JobUsage = builder.objectRef<JobSpending['usage']>('JobUsage').implement({
  description: 'Tokens of all phases of a job that have ended, those of earlier runs included.',
  fields: (t) => ({
    ...tokenFields(t),
    estimated: t.exposeBoolean('isEstimated', {
      description:
        'True where the provider did not count one of the calls, so that part of the tokens is our estimate.',
    }),
  }),
});

type Limit = { readonly used: number; readonly limit: number };

const JobLimit = builder.objectRef<Limit>('JobLimit').implement({
  description: 'One thing of which a job may use so much.',
  fields: (t) => ({
    used: t.exposeFloat('used', { description: 'What it has used.' }),
    limit: t.exposeFloat('limit', { description: 'What it may use.' }),
  }),
});

type Limits = {
  readonly [Name in 'tokens' | 'phases' | 'roundsPerPhase' | 'seconds' | 'workspaceBytes']: Limit;
};

const JobLimits = builder.objectRef<Limits>('JobLimits').implement({
  description:
    'What a job may use. But for the disk, all of it begins anew when the job is tried again or sent back.',
  fields: (t) => ({
    tokens: t.expose('tokens', { type: JobLimit, description: 'Tokens; counted when a phase ends.' }),
    phases: t.expose('phases', { type: JobLimit, description: 'Phases, those of planning included.' }),
    roundsPerPhase: t.expose('roundsPerPhase', {
      type: JobLimit,
      description: 'Rounds of tool calls in a phase; used are those of the newest one.',
    }),
    seconds: t.expose('seconds', {
      type: JobLimit,
      description: 'Seconds since somebody began to work on it, until it ended or waits for a person.',
    }),
    workspaceBytes: t.expose('workspaceBytes', {
      type: JobLimit,
      description: 'Bytes of all its files, their history included.',
    }),
  }),
});

builder.objectFields(Job, (t) => ({
  usage: t.field({
    type: JobUsage,
    description: 'What it cost.',
    resolve: async ({ id }, _args, { loaders }) =>
      (await existing(loaders.spendingOfJob.load(id), 'job')).usage,
  }),
  limits: t.field({
    type: JobLimits,
    description: 'What it may use, and what its newest run has used of it.',
    resolve: async ({ id }, _args, { loaders, services, viewer }): Promise<Limits> => {
      const { limits } = services.jobs;
      const { run } = await existing(loaders.spendingOfJob.load(id), 'job');
      return {
        tokens: { used: run.tokens, limit: limits.tokens },
        phases: { used: run.phases, limit: limits.phases },
        roundsPerPhase: { used: run.rounds, limit: limits.roundsPerPhase },
        seconds: { used: run.seconds, limit: limits.seconds },
        workspaceBytes: {
          used: await services.jobFiles.usedBytes(viewer, id),
          limit: limits.workspaceBytes,
        },
      };
    },
  }),
}));
