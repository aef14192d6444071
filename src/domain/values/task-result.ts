import type { JsonObject } from '../visuals.ts';
import type { ParameterValue } from './parameter-value.ts';

/** Life of a calibration task. */
export const TASK_STATUSES = [
  'SCHEDULED',
  'RUNNING',
  'COMPLETED',
  'FAILED',
  'PENDING',
  'SKIPPED',
  'CANCELLED',
] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** One run of a calibration task on one qubit or coupling. */
export type TaskResult = {
  readonly projectId: string;
  readonly chipId: string;
  readonly taskId: string;
  /** Task class, for example `CheckT1`. */
  readonly name: string;
  /** Qubit (`12`), coupling (`4-1`), or empty for tasks of the whole system. */
  readonly qid: string;
  readonly status: TaskStatus;
  readonly executionId: string;
  readonly cooldownId: string | null;
  readonly startAt: Date | null;
  readonly endAt: Date | null;
  readonly elapsedSeconds: number | null;
  readonly message: string;
  readonly inputParameters: readonly ParameterValue[];
  readonly outputParameters: readonly ParameterValue[];
  readonly runParameters: JsonObject;
  readonly qualityMetrics: JsonObject;
  /** Files of its pictures, as the program that wrote the result saw them; for the server only. */
  readonly figurePaths: readonly string[];
  /** What people wrote about it. */
  readonly notes: readonly string[];
  /** Why the importer that wrote it doubts it; null if it does not, and for results of the lab itself. */
  readonly importDoubt: string | null;
  /** Left out of every statistic; stays visible in history. */
  readonly excluded: boolean;
  readonly excludedReason: string | null;
  readonly tags: readonly string[];
};

/** What a list of task results is narrowed by; `from` is inclusive and `to` exclusive, on the start time. */
export type TaskResultFilter = {
  readonly taskName?: string | null;
  readonly qid?: string | null;
  readonly status?: readonly TaskStatus[] | null;
  readonly executionId?: string | null;
  /** All of these. */
  readonly tags?: readonly string[] | null;
  readonly from?: Date | null;
  readonly to?: Date | null;
  /** Default true: history shows what was excluded, marked as such. */
  readonly includeExcluded?: boolean | null;
};

/** Carried by every result that an importer doubts, so that they are found among all others. */
export const IMPORT_DOUBT_TAG = 'import-doubt';
