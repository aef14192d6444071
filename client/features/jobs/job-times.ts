import type { JobListedFragment, JobStatus } from '../../gql/graphql.ts';

/** Jobs that can still be stopped. */
export const isOpen = (status: JobStatus): boolean =>
  status === 'CREATED' || status === 'PROCESSING' || status === 'PENDING_REVIEW';

/** Jobs that can be tried again. */
export const canRetry = (status: JobStatus): boolean => status === 'FAILED' || status === 'CANCELLED';

/** Seconds that were worked on a job so far, `nowMs` being the reader's clock; null before it began. */
export function workedSeconds(
  { startedAt, finishedAt }: Pick<JobListedFragment, 'startedAt' | 'finishedAt'>,
  nowMs: number,
): number | null {
  if (!startedAt) return null;
  const endMs = finishedAt ? Date.parse(finishedAt) : nowMs;
  return Math.max(0, (endMs - Date.parse(startedAt)) / 1000);
}
