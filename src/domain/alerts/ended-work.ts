/** Payload of webhooks about ended turns and jobs: ids, times, status and usage, but no text that anybody wrote. */
import type { SessionKind, TokenTotals, TurnStatus } from '../conversation/session.ts';
import type { JobStatus } from '../jobs/job.ts';

/** Shared by both; times as JSON has them. */
type Ended = {
  readonly conversationId: string;
  /** Of the error; its words stay in the house. */
  readonly errorCode: string | null;
  /** Null where none was asked. */
  readonly model: string | null;
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly finishedAt: string;
  /** Null where no model was asked. */
  readonly usage: TokenTotals | null;
};

export type EndedTurn = Ended & {
  readonly turnId: string;
  readonly kind: SessionKind;
  readonly status: TurnStatus;
};

/** A run that ended or awaits a review; times and usage are of all runs of the job. */
export type EndedJob = Ended & {
  readonly jobId: string;
  readonly run: number;
  readonly status: JobStatus;
  readonly expertId: string | null;
  readonly chipId: string | null;
};

export type EndedWork = EndedTurn | EndedJob;

export const isEndedJob = (ended: EndedWork): ended is EndedJob => 'jobId' in ended;
