/**
 * Decides what comes next for a job between two turns. It uses only stored facts, so a worker that takes over from
 * another decides the same. Pure.
 */
import type { TurnError, TurnStatus } from '../../domain/conversation/session.ts';
import type { JobLimits, JobPhaseKind, PhaseTurn, ReviewedCall } from '../../domain/jobs/job.ts';

/** An ended turn of the run. */
export type EndedPhase = PhaseTurn & { readonly status: TurnStatus; readonly error: TurnError | null };

/** State of a run between two turns. */
export type RunState = {
  /** The turns of this run, oldest first; those of earlier runs do not count. */
  readonly turns: readonly EndedPhase[];
  /** The last turn of the runs before it; null for a first run. */
  readonly before: EndedPhase | null;
  readonly phasesBefore: number;
  readonly spentTokens: number;
  readonly msLeft: number;
  readonly limits: JobLimits;
};

export type NextStep =
  | {
      readonly type: 'phase';
      readonly number: number;
      readonly kind: JobPhaseKind;
      /** The interrupted turn of this phase that it resumes. */
      readonly resumes: string | null;
    }
  | { readonly type: 'complete' }
  | { readonly type: 'review'; readonly note: string; readonly call: ReviewedCall | null }
  | { readonly type: 'cancel' }
  | { readonly type: 'fail'; readonly error: TurnError };

/** The next step of a running job. A decision takes precedence over a limit that was reached meanwhile. */
export function nextStep(state: RunState): NextStep {
  const last = state.turns.at(-1) ?? null;
  if (last === null)
    return resumedPhase(state) ?? outOfBounds(state) ?? newPhase(state.phasesBefore + 1, 'PLANNING');
  if (last.status === 'CANCELLED') return { type: 'cancel' };
  return (
    decided(last) ??
    (last.status === 'FAILED'
      ? (outOfTime(state) ?? failed(last))
      : (outOfBounds(state) ?? following(state, last)))
  );
}

/** A retry continues the phase that the run before it did not finish. */
function resumedPhase({ before }: RunState): NextStep | null {
  return before === null || before.status === 'COMPLETED' ? null : resume(before);
}

const newPhase = (number: number, kind: JobPhaseKind): NextStep => ({
  type: 'phase',
  number,
  kind,
  resumes: null,
});

const resume = ({ phase: number, kind, turnId: resumes }: EndedPhase): NextStep => ({
  type: 'phase',
  number,
  kind,
  resumes,
});

function decided({ decision }: EndedPhase): NextStep | null {
  if (decision === null) return null;
  switch (decision.type) {
    case 'finish':
      return { type: 'complete' };
    case 'review':
      return {
        type: 'review',
        note: decision.note,
        call: decision.call === undefined ? null : { ...decision.call, approvedBy: null },
      };
    case 'work':
      return null;
    default:
      return decision satisfies never;
  }
}

const failed = ({ error }: EndedPhase): NextStep => ({
  type: 'fail',
  error: error ?? { code: 'FAILED', message: 'the phase failed without saying why', retryable: true },
});

/** What follows a turn that completed or was interrupted. */
function following({ turns }: RunState, last: EndedPhase): NextStep {
  const number = last.phase + 1;
  // A stored plan counts, even if the rest of the turn failed.
  if (last.kind === 'PLANNING' && last.decision !== null) return newPhase(number, 'WORKING');
  if (last.status !== 'COMPLETED') return resume(last);
  if (last.kind === 'WORKING') return newPhase(number, 'PLANNING');
  // A model may forget to state its plan; it is asked once more before the job fails.
  const beforeLast = turns.findLast(({ phase }) => phase < last.phase);
  if (beforeLast?.kind === 'PLANNING') return fail('NO_PLAN', NO_PLAN);
  return newPhase(number, 'PLANNING');
}

const NO_PLAN =
  'two planning phases in a row ended without to-dos, a finished job or a request for review; say in the instructions what is to be done, or choose another model';

function outOfTime({ msLeft, limits }: RunState): NextStep | null {
  if (msLeft > 0) return null;
  return fail('TIME_LIMIT', `the job was not finished within ${Math.round(limits.seconds / 60)} minutes`);
}

function outOfBounds(state: RunState): NextStep | null {
  const { turns, phasesBefore, spentTokens, limits } = state;
  const late = outOfTime(state);
  if (late !== null) return late;
  if (spentTokens >= limits.tokens) {
    return fail('TOKEN_LIMIT', `the job used ${count(spentTokens)} of its ${count(limits.tokens)} tokens`);
  }
  const last = turns.at(-1);
  const isCutOff = last !== undefined && last.status !== 'COMPLETED';
  const phases = last === undefined ? 0 : last.phase - phasesBefore;
  if (!isCutOff && phases >= limits.phases) {
    return fail('PHASE_LIMIT', `the job was not finished within ${limits.phases} phases`);
  }
  return null;
}

/** The files of the job stay; a retry starts with new limits. */
const fail = (code: string, problem: string): NextStep => ({
  type: 'fail',
  error: {
    code,
    message: `${problem}. Its files are kept; try it again to go on from there.`,
    retryable: true,
  },
});

const count = (tokens: number): string => tokens.toLocaleString('en-US');
