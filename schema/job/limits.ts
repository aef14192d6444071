import type { JobSpending } from '../../src/domain/jobs/job.ts';
import { builder } from '../builder.ts';
import { tokenFields } from '../copilot/usage.ts';
import { existing } from '../existing.ts';
import { Job } from '../refs.ts';

const JobUsage = builder.objectRef<JobSpending['usage']>('JobUsage').implement({
  description: 'Tokens of all finished phases of a job, including earlier runs.',
  fields: (t) => ({
    ...tokenFields(t),
    estimated: t.exposeBoolean('isEstimated', {
      description: 'Whether some tokens are an estimate, because the provider did not report them.',
    }),
  }),
});

type Limit = { readonly used: number; readonly limit: number };

const JobLimit = builder.objectRef<Limit>('JobLimit').implement({
  description: 'Use and limit of one resource.',
  fields: (t) => ({
    used: t.exposeFloat('used', { description: 'Amount used.' }),
    limit: t.exposeFloat('limit', { description: 'Amount allowed.' }),
  }),
});

type Limits = {
  readonly [Name in 'tokens' | 'phases' | 'roundsPerPhase' | 'seconds' | 'workspaceBytes']: Limit;
};

const JobLimits = builder.objectRef<Limits>('JobLimits').implement({
  description: 'Limits of a job. All but the disk start anew when the job is retried or sent back.',
  fields: (t) => ({
    tokens: t.expose('tokens', { type: JobLimit, description: 'Tokens; counted when a phase ends.' }),
    phases: t.expose('phases', { type: JobLimit, description: 'Phases, including planning.' }),
    roundsPerPhase: t.expose('roundsPerPhase', {
      type: JobLimit,
      description: 'Rounds of tool calls per phase; `used` is for the newest phase.',
    }),
    seconds: t.expose('seconds', {
      type: JobLimit,
      description: 'Seconds from its start until it ends or awaits a review.',
    }),
    workspaceBytes: t.expose('workspaceBytes', {
      type: JobLimit,
      description: 'Bytes of all its files, including their history.',
    }),
  }),
});

builder.objectFields(Job, (t) => ({
  usage: t.field({
    type: JobUsage,
    description: 'What it has cost so far.',
    resolve: async ({ id }, _args, { loaders }) =>
      (await existing(loaders.spendingOfJob.load(id), 'job')).usage,
  }),
  limits: t.field({
    type: JobLimits,
    description: 'Its limits, and what its newest run has used.',
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
