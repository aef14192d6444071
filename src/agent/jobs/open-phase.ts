/** The step between two turns of a job, in one transaction: decides what comes next and stores it. */
import { backgroundViewer, type Turn, type Viewer } from '../../domain/conversation/session.ts';
import type { JobLimits } from '../../domain/jobs/job.ts';
import { languageOfJob, type WrittenLanguage } from '../../domain/text/language.ts';
import { type Db, transact } from '../../stores/pg/database.ts';
import { endJob, lockClaimed, type HeldJob, type JobClaim, type JobEnd } from '../../stores/pg/job-claims.ts';
import { insertPhaseTurn, listPhaseTurns, type StoredPhaseTurn } from '../../stores/pg/job-turns.ts';
import { lockSession } from '../../stores/pg/sessions.ts';
import { insertTurn, type Lease, type StartedTurn } from '../../stores/pg/turn-start.ts';
import { openTurns } from '../../stores/pg/turns.ts';
import { nextStep, type NextStep, type RunState } from './next-phase.ts';

export type Opened =
  | {
      readonly type: 'run';
      readonly started: StartedTurn;
      readonly viewer: Viewer;
      readonly expertId: string | null;
    }
  /** Another worker may still be running the phase. */
  | { readonly type: 'wait'; readonly turn: Turn; readonly lastSeq: number }
  /** The job has ended, or another worker has it. */
  | { readonly type: 'over' };

/** Stores the next phase as a running turn of the owner of `lease`, or ends the job. */
export function openPhase(db: Db, claim: JobClaim, limits: JobLimits, lease: Lease): Promise<Opened> {
  return transact(db, async (tx) => {
    const held = await lockClaimed(tx, claim);
    const session = held && (await lockSession(tx, held.job.sessionId));
    if (!session) return { type: 'over' };
    const [open] = await openTurns(tx, session.id);
    if (open !== undefined) return { type: 'wait', turn: open, lastSeq: session.lastSeq };
    const turns = await listPhaseTurns(tx, claim.jobId);
    const step = nextStep(stateOf(held, turns, limits));
    if (step.type !== 'phase') {
      await endJob(tx, held.job, endOf(step));
      return { type: 'over' };
    }
    const { viewerId, projectId, expertId, run } = held.job;
    const viewer = backgroundViewer(viewerId, projectId, session.kind);
    const { turn, question } = await insertTurn(tx, viewer, session, {
      question: { type: 'new', text: QUESTIONS[step.kind][languageOf(held)](step.number) },
      clientMessageId: `job ${claim.jobId}, turn ${turns.length + 1}`,
      model: modelOf(held),
      replaces: null,
      effort: null,
      answerSchema: null,
      disputedId: null,
      place: { type: 'run', lease },
      traceparent: null,
    });
    await insertPhaseTurn(tx, claim.jobId, { turnId: turn.id, run, phase: step.number, kind: step.kind });
    return { type: 'run', started: { session, turn, question, traceparent: null }, viewer, expertId };
  });
}

const stateOf = (
  { job, phasesBefore, spentTokens, msLeft }: HeldJob,
  turns: readonly StoredPhaseTurn[],
  limits: JobLimits,
): RunState => ({
  turns: turns.filter(({ run }) => run === job.run),
  before: turns.findLast(({ run }) => run < job.run) ?? null,
  phasesBefore,
  spentTokens,
  msLeft: msLeft ?? 0,
  limits,
});

function endOf(step: Exclude<NextStep, { type: 'phase' }>): JobEnd {
  switch (step.type) {
    case 'complete':
      return { status: 'COMPLETED', error: null };
    case 'review':
      return { status: 'PENDING_REVIEW', error: null, reviewNote: step.note, reviewCall: step.call };
    case 'cancel':
      return { status: 'CANCELLED', error: null };
    case 'fail':
      return { status: 'FAILED', error: step.error };
    default:
      return step satisfies never;
  }
}

/** The configured model; null for the default of this server. */
function modelOf({ job }: HeldJob): string | null {
  const { llm } = job.resolvedConfig;
  const model = typeof llm === 'object' && llm !== null && 'model' in llm ? llm['model'] : null;
  return typeof model === 'string' ? model : null;
}

/** The language that the user wrote in; an expert's instructions do not count. */
function languageOf({ job }: HeldJob): WrittenLanguage {
  const { description, instructions, instructionsSource: source, reviewNote } = job;
  const isOwn = source === 'INLINE' || source === 'UPLOAD';
  return languageOfJob([description, ...(isOwn ? [instructions] : []), reviewNote ?? '']);
}

/** The question of a phase's turn as readers of the log see it; the model's task is in its prompt. */
const QUESTIONS = {
  PLANNING: {
    en: (number: number) => `Phase ${number}: plan what comes next, or finish.`,
    ja: (number: number) => `フェーズ${number}: 次にすることを計画するか、終了する。`,
  },
  WORKING: {
    en: (number: number) => `Phase ${number}: work on the to-dos.`,
    ja: (number: number) => `フェーズ${number}: 作業を行う。`,
  },
} as const;
