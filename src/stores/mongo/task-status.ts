import { TASK_STATUSES, type TaskStatus } from '../../domain/values/task-result.ts';

/** A stored status, in lower case; one that a later version adds counts as pending. */
export function readStatus(raw: unknown): TaskStatus {
  return TASK_STATUSES.find((status) => status === String(raw).toUpperCase()) ?? 'PENDING';
}

/** How a status is stored. */
export const storedStatus = (status: TaskStatus): string => status.toLowerCase();
