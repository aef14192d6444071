import type { JobSettings } from '../settings.ts';
import type { JobLimits } from '../domain/job-limits.ts';

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
