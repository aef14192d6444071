/** Words of jobs: what one is, where it can stand, and what may follow what. Types and one table; no I/O. */
import type { TurnError } from '../conversation/session.ts';
import type { JsonObject } from '../visuals.ts';
import type { InstructionsSource } from './job-instructions.ts';

/** Where a job stands. */
export const JOB_STATUSES = [
  'CREATED',
  'PROCESSING',
  'PENDING_REVIEW',
  'COMPLETED',
  'FAILED',
  'CANCELLED',
] as const;
/** One of {@link JOB_STATUSES}. */
export type JobStatus = (typeof JOB_STATUSES)[number];

/**
 * What may follow what. Work that is sent back, and a job that is tried again, wait in line as a new one does. A completed
 * job is over for good: whoever wants more of it makes another.
 */
const FOLLOWERS: Readonly<Record<JobStatus, readonly JobStatus[]>> = {
  CREATED: ['PROCESSING', 'CANCELLED'],
  PROCESSING: ['COMPLETED', 'PENDING_REVIEW', 'FAILED', 'CANCELLED'],
  PENDING_REVIEW: ['COMPLETED', 'CREATED', 'CANCELLED'],
  COMPLETED: [],
  FAILED: ['CREATED'],
  CANCELLED: ['CREATED'],
};

/** Whether a job that stands at `from` may be moved to `to`. */
export const mayFollow = (from: JobStatus, to: JobStatus): boolean => FOLLOWERS[from].includes(to);

/** The two kinds of phases, in turns: one decides what is to be done next, the other does it. */
export type JobPhaseKind = 'PLANNING' | 'WORKING';

/** What a job was made from; fixed at its creation, whatever becomes of expert, uploads and defaults. */
export type JobBrief = {
  readonly id: string;
  readonly projectId: string;
  readonly viewerId: string;
  /** Its session of kind `JOB`, whose turns are its phases. */
  readonly sessionId: string;
  readonly expertId: string | null;
  /** At most 2,000 characters; the task in one line or a few. */
  readonly description: string;
  /** The text in effect, byte for byte as it was given. */
  readonly instructions: string;
  readonly instructionsSource: InstructionsSource;
  readonly chipId: string | null;
  /** Free facts that came with it, for example a finding that it starts from. Data, never instructions. */
  readonly context: JsonObject | null;
};

/** How a phase ends the work on a job, or goes on with it; said by one of its tools. `reportPath` is a Markdown file. */
export type PhaseDecision =
  | { readonly type: 'work'; readonly todos: readonly string[] }
  | { readonly type: 'finish'; readonly summary: string; readonly reportPath: string | null }
  | { readonly type: 'review'; readonly note: string; readonly reportPath: string | null };

/** A run of the agent over a phase: a turn of the job's session. A phase has several where a worker was lost in it. */
export type PhaseTurn = {
  readonly turnId: string;
  /** Of the phase, from 1, counted on when a job is tried again. */
  readonly phase: number;
  readonly kind: JobPhaseKind;
  /** Null while it has decided nothing. */
  readonly decision: PhaseDecision | null;
};

/** A job with where it stands. */
export type Job = JobBrief & {
  readonly status: JobStatus;
  readonly configOverride: JsonObject | null;
  /** The configuration as it was resolved then. */
  readonly resolvedConfig: JsonObject;
  /** Content hash of the expert at that time; null where there was none. */
  readonly expertHash: string | null;
  /** Why it failed, or the note of whoever cancelled it. */
  readonly error: TurnError | null;
  /** What a person is asked to look at, and what was said when it was sent back. */
  readonly reviewNote: string | null;
  /** How often it was put in line: once, and once more for each retry and each return from review. */
  readonly run: number;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
};
