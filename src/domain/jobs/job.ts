/** Jobs: their data, statuses and allowed transitions, limits, drafts and the source of their instructions. */
import type { TurnError, TokenTotals } from '../conversation/session.ts';
import type { JsonObject } from '../visuals.ts';

/** Status of a job. */
export const JOB_STATUSES = [
  'CREATED',
  'PROCESSING',
  'PENDING_REVIEW',
  'COMPLETED',
  'FAILED',
  'CANCELLED',
] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/** Allowed transitions. A job that is sent back or retried is queued again; a completed one is final. */
const FOLLOWERS: Readonly<Record<JobStatus, readonly JobStatus[]>> = {
  CREATED: ['PROCESSING', 'CANCELLED'],
  PROCESSING: ['COMPLETED', 'PENDING_REVIEW', 'FAILED', 'CANCELLED'],
  PENDING_REVIEW: ['COMPLETED', 'CREATED', 'CANCELLED'],
  COMPLETED: [],
  FAILED: ['CREATED'],
  CANCELLED: ['CREATED'],
};

/** Whether a job may change its status from `from` to `to`. */
export const mayFollow = (from: JobStatus, to: JobStatus): boolean => FOLLOWERS[from].includes(to);

/** The two kinds of phases, in turns: one decides what to do next, the other does it. */
export type JobPhaseKind = 'PLANNING' | 'WORKING';

/** What a job was made from; fixed at its creation, whatever becomes of expert, uploads and defaults. */
export type JobBrief = {
  readonly id: string;
  readonly projectId: string;
  readonly viewerId: string;
  /** Its session of kind `JOB`; the session's turns are the phases. */
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

/** How a phase ends or continues a job, decided by one of its tools. `reportPath` is a Markdown file. */
export type PhaseDecision =
  | { readonly type: 'work'; readonly todos: readonly string[] }
  | { readonly type: 'finish'; readonly summary: string; readonly reportPath: string | null }
  | {
      readonly type: 'review';
      readonly note: string;
      readonly reportPath: string | null;
      /** The call that a person is asked to approve; absent for other questions. */
      readonly call?: Omit<ReviewedCall, 'approvedBy'>;
    };

/** A call that changes something outside, which a person has to approve. */
export type ReviewedCall = {
  /** By our name. */
  readonly tool: string;
  readonly server: string;
  /** By its name at the server. */
  readonly serverTool: string;
  readonly arguments: JsonObject;
  /** Id of the person who approved it; null before. It may then be made once. */
  readonly approvedBy: string | null;
};

/** A run of the agent over a phase: a turn of the job's session. A phase has several where a worker was lost in it. */
export type PhaseTurn = {
  readonly turnId: string;
  /** Of the phase, from 1, counted on when a job is tried again. */
  readonly phase: number;
  readonly kind: JobPhaseKind;
  /** Null while it has decided nothing. */
  readonly decision: PhaseDecision | null;
};

/** A job with its status. */
export type Job = JobBrief & {
  readonly status: JobStatus;
  readonly configOverride: JsonObject | null;
  /** The configuration as it was resolved then. */
  readonly resolvedConfig: JsonObject;
  /** Content hash of the expert at that time; null where there was none. */
  readonly expertHash: string | null;
  /** Why it failed, or the note of the person who cancelled it. */
  readonly error: TurnError | null;
  /** What a person is asked to look at, and the comment with which it was sent back. */
  readonly reviewNote: string | null;
  /** The call that its review is about, or that was approved in it and is not made yet. */
  readonly reviewCall?: ReviewedCall | null;
  /** How often it was queued: once, plus each retry and each return from review. */
  readonly run: number;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
};

/** Highest first; `GENERATED` is used where neither the expert nor the template has any text. */
export const INSTRUCTIONS_SOURCES = ['INLINE', 'UPLOAD', 'EXPERT', 'TEMPLATE', 'GENERATED'] as const;
export type InstructionsSource = (typeof INSTRUCTIONS_SOURCES)[number];

/** The texts by source; null and empty both mean "not given". */
export type InstructionsTexts = Readonly<Record<InstructionsSource, string | null>>;

/** The instructions in effect, byte for byte, and where they come from; null where no source gives any. */
export function effectiveInstructions(
  texts: InstructionsTexts,
): { readonly text: string; readonly source: InstructionsSource } | null {
  for (const source of INSTRUCTIONS_SOURCES) {
    const text = texts[source];
    if (text !== null && text !== '') return { text, source };
  }
  return null;
}

/** Bounds of a job; those of a run restart when a person retries it or sends it back. */
export type JobLimits = {
  /** Rounds of tool calls in a phase; then it is asked for its best words and ends. */
  readonly roundsPerPhase: number;
  /** Phases of both kinds in one run. */
  readonly phases: number;
  /** Tokens of all model calls of one run. */
  readonly tokens: number;
  /** From the moment a worker first takes a run. */
  readonly seconds: number;
  /** All files of the workspace together; the workspace refuses more. */
  readonly workspaceBytes: number;
};

/** What a job has used. Tokens are counted when a phase ends; the workspace reports its disk usage itself. */
export type JobSpending = {
  /** Of all its runs; `isEstimated` where a provider did not count one of the calls. */
  readonly usage: TokenTotals & { readonly isEstimated: boolean };
  /** Of the newest run, against {@link JobLimits}. */
  readonly run: {
    readonly tokens: number;
    readonly phases: number;
    /** From its first worker until it ended, or until now. */
    readonly seconds: number;
    /** Of its newest phase. */
    readonly rounds: number;
  };
};

/** A job that a model proposed and that was not submitted; it fills the form when the user opens it. */
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

/** Days after which an unopened draft is removed. */
export const DRAFT_DAYS = 30;

/** A datasource as it was when the job was created. Address and credentials stay with the server. */
export type AttachedDatasource = {
  /** The id in the server's settings, by which the connection is found. */
  readonly id: string;
  readonly name: string;
  readonly type: 'mongodb' | 'sql' | 'dataset';
  readonly readOnly: boolean;
};
