import type { TaskStatus } from '../../gql/graphql.ts';

/** Outcomes to choose from, the frequent ones first. */
export const TASK_STATUSES = [
  'COMPLETED',
  'FAILED',
  'RUNNING',
  'CANCELLED',
  'SKIPPED',
  'PENDING',
  'SCHEDULED',
] as const satisfies readonly TaskStatus[];
