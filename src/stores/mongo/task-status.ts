import { TASK_STATUSES, type TaskStatus } from '../../domain/values/task-result.ts';

/** A status as stored, in small letters; one that a later version invents is at least not an ending we know. */
export function readStatus(raw: unknown): TaskStatus {
  return TASK_STATUSES.find((status) => status === String(raw).toUpperCase()) ?? 'PENDING';
}

/** How a status is stored. */
export const storedStatus = (status: TaskStatus): string => status.toLowerCase();
