import type { JobLimits } from '../../domain/jobs/job-limits.ts';
import type { JobSettings } from '../../config/settings.ts';

/** Limits of a job in the units in which they are counted. */
export const jobLimits = ({
  roundsPerPhase,
  phases,
  tokens,
  minutes,
  megabytes,
}: JobSettings): JobLimits => ({
  roundsPerPhase,
  phases,
  tokens,
  seconds: minutes * 60,
  workspaceBytes: megabytes * 1_000_000,
});
