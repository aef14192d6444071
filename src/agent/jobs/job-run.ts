/**
 * Where a worker, which owns a job's life, meets what works on it. A job is a session of kind `JOB`; each of its phases is a
 * turn of that session, run by the common runner and the common loop. Types only.
 *
 * For each phase turn `answer-phase.ts` makes a {@link PhaseRun} and has {@link OpenPhaseKit} make of it what the loop
 * needs: prompt, tools, and what those tools act on. Everything that has to outlive a worker is in the workspace, in the
 * session's log, or is said by {@link PhaseRun.decide}; a kit keeps nothing of its own.
 */
import type { ToolRegistry } from '../tool-registry.ts';
import type { Session, Viewer } from '../../domain/conversation/session.ts';
import type { AttachedDatasource } from '../../domain/jobs/job-datasource.ts';
import type { JobLimits } from '../../domain/jobs/job-limits.ts';
import type { JobBrief, JobPhaseKind, PhaseDecision } from '../../domain/jobs/job.ts';
import type { ResolvedConfig } from '../../experts/expert.ts';

/** A phase of a job, about to be worked on. */
export type PhaseRun = {
  readonly viewer: Viewer;
  readonly session: Session;
  readonly job: JobBrief & {
    readonly config: ResolvedConfig;
    /** Attached at creation, without credentials. */
    readonly datasources: readonly AttachedDatasource[];
    /** What a person said when sending the work back; null for none. */
    readonly reviewNote: string | null;
  };
  readonly phase: {
    /** From 1. */
    readonly number: number;
    readonly kind: JobPhaseKind;
    /** Phases that may follow this one; 0: the job must be finished in it. */
    readonly phasesLeft: number;
    /** True when a worker was lost in this phase: what it had found stands in the model's input already. */
    readonly isResumed: boolean;
    /** The to-dos that the planning phase before it decided on; empty for planning phases. */
    readonly todos: readonly string[];
  };
  readonly limits: JobLimits;
  /**
   * Keeps what the phase decided, in the database, before the tool that says it returns; a later word takes the place of
   * an earlier one. @throws InvalidInputError once the job was cancelled or taken over by another worker.
   */
  decide(decision: PhaseDecision): Promise<void>;
};

/** What the loop works on a phase with. */
export type PhaseKit = {
  /** The system prompt: the expert's instructions, the rules of the phase, what is in the workspace. */
  readonly instructions: string;
  readonly tools: ToolRegistry;
};

/** Makes the kit of a phase; the workspace comes into being with a job's first one. */
export type OpenPhaseKit = (run: PhaseRun) => Promise<PhaseKit>;
