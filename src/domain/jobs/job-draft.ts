import type { JsonObject } from '../visuals.ts';

/** A job that a model proposed and nobody has submitted: what the form is filled with when the user opens it. */
export type JobDraft = {
  readonly id: string;
  readonly projectId: string;
  readonly viewerId: string;
  readonly expertId: string;
  readonly description: string;
  /** Null: those of the expert. */
  readonly instructions: string | null;
  /** To be laid over the expert's configuration; null for nothing. */
  readonly configOverride: JsonObject | null;
  readonly chipId: string | null;
  /** What the job starts from, such as the finding of the conversation. Data, never instructions. */
  readonly context: JsonObject;
  readonly createdAt: Date;
};

/** Days after which a draft that nobody opened is removed. */
export const DRAFT_DAYS = 30;
