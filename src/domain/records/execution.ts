import type { TaskStatus } from '../values/task-result.ts';

/** One run of a calibration workflow: many task results belong to it. */
export type Execution = {
  readonly projectId: string;
  readonly chipId: string;
  /** `20260224-003`: the day and a number. */
  readonly executionId: string;
  readonly name: string;
  readonly status: TaskStatus;
  readonly tags: readonly string[];
  readonly startAt: Date | null;
  readonly endAt: Date | null;
  readonly elapsedSeconds: number | null;
  readonly message: string;
};

/** What a list of executions is narrowed by; `from` is inclusive and `to` exclusive, on the start time. */
export type ExecutionFilter = {
  readonly status?: readonly TaskStatus[] | null;
  /** All of these. */
  readonly tags?: readonly string[] | null;
  readonly from?: Date | null;
  readonly to?: Date | null;
};
