/** What a job may use, and what it has used of it. Types only. */
import type { TokenTotals } from '../conversation/session.ts';

/** Bounds of a job; those of a run begin anew when a person tries it again or sends it back. */
export type JobLimits = {
  /** Rounds of tool calls in a phase; then it is asked for its best words and ends. */
  readonly roundsPerPhase: number;
  /** Phases of both kinds in one run. */
  readonly phases: number;
  /** Tokens of all model calls of one run. */
  readonly tokens: number;
  /** From the moment a worker first takes a run. */
  readonly seconds: number;
  /** All files of the workspace together; the workspace refuses what goes beyond it. */
  readonly workspaceBytes: number;
};

/** What a job has used. Tokens are counted when a phase ends; the disk is the workspace's to tell. */
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
