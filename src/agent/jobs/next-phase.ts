/**
 * What comes next for a job: the one rule that its worker follows between two turns, and the one that a worker follows who
 * takes over from another. It looks at nothing but what is stored, so both come to the same. Pure.
 */
import type { TurnError, TurnStatus } from '../../domain/conversation/session.ts';
import type { JobLimits } from '../../domain/jobs/job-limits.ts';
import type { JobPhaseKind, PhaseTurn } from '../../domain/jobs/job.ts';

/** A turn of the run, which has ended. */
export type EndedPhase = PhaseTurn & { readonly status: TurnStatus; readonly error: TurnError | null };

/** Where a run of a job stands between two turns. */
export type RunStanding = {
  /** The turns of this run, oldest first; those of earlier runs do not count. */
  readonly turns: readonly EndedPhase[];
  /** The last turn of the runs before it; null for a first run. */
  readonly before: EndedPhase | null;
  readonly phasesBefore: number;
  readonly spentTokens: number;
  readonly msLeft: number;
  readonly limits: JobLimits;
};

/** What is to be done. */
export type NextStep =
  | {
      readonly type: 'phase';
      readonly number: number;
      readonly kind: JobPhaseKind;
      /** The turn that it goes on from, where the work on this phase was cut off. */
      readonly resumes: string | null;
    }
  | { readonly type: 'complete' }
  | { readonly type: 'review'; readonly note: string }
  | { readonly type: 'cancel' }
  | { readonly type: 'fail'; readonly error: TurnError };

/** The next step of a job that is being worked on. What was decided counts before any limit that was met meanwhile. */
export function nextStep(standing: RunStanding): NextStep {
  const last = standing.turns.at(-1) ?? null;
  if (last === null) return beginning(standing) ?? outOfBounds(standing) ?? firstPhase(standing);
  if (last.status === 'CANCELLED') return { type: 'cancel' };
  return (
    decided(last) ??
    (last.status === 'FAILED'
      ? (outOfTime(standing) ?? failed(last))
      : (outOfBounds(standing) ?? following(standing, last)))
  );
}

/** A run that is tried again goes on in the phase that the one before it did not finish. */
function beginning({ before }: RunStanding): NextStep | null {
  return before === null || before.status === 'COMPLETED' ? null : again(before);
}

const firstPhase = ({ phasesBefore }: RunStanding): NextStep => ({
  type: 'phase',
  number: phasesBefore + 1,
  kind: 'PLANNING',
  resumes: null,
});

const again = ({ phase, kind, turnId }: EndedPhase): NextStep => ({
  type: 'phase',
  number: phase,
  kind,
  resumes: turnId,
});

function decided({ decision }: EndedPhase): NextStep | null {
  if (decision === null) return null;
  switch (decision.type) {
    case 'finish':
      return { type: 'complete' };
    case 'review':
      return { type: 'review', note: decision.note };
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

/** What follows a turn that came to its end, or that was cut off. */
function following({ turns }: RunStanding, last: EndedPhase): NextStep {
  const number = last.phase + 1;
  // A plan that was kept is a plan, whatever became of the words behind it.
  if (last.kind === 'PLANNING' && last.decision !== null) {
    return { type: 'phase', number, kind: 'WORKING', resumes: null };
  }
  if (last.status !== 'COMPLETED') return again(last);
  if (last.kind === 'WORKING') return { type: 'phase', number, kind: 'PLANNING', resumes: null };
  // A model may forget to say what it wants done. It is asked once more; who forgets it again has no plan.
  const beforeLast = turns.findLast(({ phase }) => phase < last.phase);
  if (beforeLast?.kind === 'PLANNING') return fail('NO_PLAN', NO_PLAN);
  return { type: 'phase', number, kind: 'PLANNING', resumes: null };
}

const NO_PLAN =
  'two planning phases in a row ended without to-dos, a finished job or a request for review; say in the instructions what there is to be done, or choose another model';

function outOfTime({ msLeft, limits }: RunStanding): NextStep | null {
  if (msLeft > 0) return null;
  return fail('TIME_LIMIT', `the job was not finished within ${Math.round(limits.seconds / 60)} minutes`);
}

function outOfBounds(standing: RunStanding): NextStep | null {
  const { turns, phasesBefore, spentTokens, limits } = standing;
  const late = outOfTime(standing);
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

/** What it made so far stays; a person may try it again, which begins with limits of its own. */
const fail = (code: string, problem: string): NextStep => ({
  type: 'fail',
  error: {
    code,
    message: `${problem}. Its files are kept; try it again to go on from there.`,
    retryable: true,
  },
});

const count = (tokens: number): string => tokens.toLocaleString('en-US');
