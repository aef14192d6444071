import { describe, expect, test } from '@jest/globals';
import type { TurnStatus } from '../../../src/domain/conversation/session.ts';
import type { JobLimits } from '../../../src/domain/jobs/job.ts';
import { JOB_STATUSES, mayFollow } from '../../../src/domain/jobs/job.ts';
import type { PhaseDecision } from '../../../src/domain/jobs/job.ts';
import { nextStep, type EndedPhase, type RunState } from '../../../src/agent/jobs/next-phase.ts';

const limits: JobLimits = { roundsPerPhase: 40, phases: 4, tokens: 1_000, seconds: 1_800, workspaceBytes: 1 };
const work: PhaseDecision = { type: 'work', todos: ['look'] };
const finish: PhaseDecision = { type: 'finish', summary: 'done', reportPath: null };

const ended = (
  phase: number,
  kind: EndedPhase['kind'],
  status: TurnStatus = 'COMPLETED',
  decision: PhaseDecision | null = null,
): EndedPhase => ({ turnId: `turn ${phase} ${status}`, phase, kind, status, decision, error: null });

const next = (standing: Partial<RunState>) =>
  nextStep({ turns: [], before: null, phasesBefore: 0, spentTokens: 0, msLeft: 1_000, limits, ...standing });

const phase = (number: number, kind: EndedPhase['kind'], resumes: string | null = null) => ({
  type: 'phase',
  number,
  kind,
  resumes,
});
const failsWith = (code: string) => ({ type: 'fail', error: expect.objectContaining({ code }) });

describe('the next step of a job', () => {
  test.each<[string, Partial<RunState>, object]>([
    ['a new job is planned first', {}, phase(1, 'PLANNING')],
    ['a plan is worked on', { turns: [ended(1, 'PLANNING', 'COMPLETED', work)] }, phase(2, 'WORKING')],
    ['work is followed by planning', { turns: [ended(2, 'WORKING')] }, phase(3, 'PLANNING')],
    ['a plan without a word is asked for again', { turns: [ended(1, 'PLANNING')] }, phase(2, 'PLANNING')],
    [
      'who has no plan twice fails',
      { turns: [ended(1, 'PLANNING'), ended(2, 'PLANNING')] },
      failsWith('NO_PLAN'),
    ],
    [
      'a finished job is complete',
      { turns: [ended(2, 'WORKING', 'COMPLETED', finish)] },
      { type: 'complete' },
    ],
    [
      'a word said before the worker was lost counts',
      { turns: [ended(2, 'WORKING', 'INTERRUPTED', finish)] },
      { type: 'complete' },
    ],
    ['so does a plan', { turns: [ended(1, 'PLANNING', 'INTERRUPTED', work)] }, phase(2, 'WORKING')],
    [
      'a person is asked',
      {
        turns: [ended(2, 'WORKING', 'COMPLETED', { type: 'review', note: 'which chip?', reportPath: null })],
      },
      { type: 'review', note: 'which chip?', call: null },
    ],
    [
      'a phase that was cut off is gone on with',
      { turns: [ended(2, 'WORKING', 'INTERRUPTED')] },
      phase(2, 'WORKING', 'turn 2 INTERRUPTED'),
    ],
    [
      'a phase that failed because the time was up is the limit of the job',
      { turns: [ended(2, 'WORKING', 'FAILED')], msLeft: 0 },
      { type: 'fail', error: expect.objectContaining({ code: 'TIME_LIMIT', retryable: true }) },
    ],
    ['a cancelled phase cancels the job', { turns: [ended(1, 'PLANNING', 'CANCELLED')] }, { type: 'cancel' }],
    ['a failed phase fails the job', { turns: [ended(1, 'PLANNING', 'FAILED')] }, failsWith('FAILED')],
    ['time runs out', { turns: [ended(2, 'WORKING')], msLeft: 0 }, failsWith('TIME_LIMIT')],
    ['tokens run out', { turns: [ended(2, 'WORKING')], spentTokens: 1_000 }, failsWith('TOKEN_LIMIT')],
    ['phases run out', { turns: [ended(4, 'WORKING')] }, failsWith('PHASE_LIMIT')],
    [
      'the last phase may be gone on with',
      { turns: [ended(4, 'WORKING', 'INTERRUPTED')] },
      phase(4, 'WORKING', 'turn 4 INTERRUPTED'),
    ],
    [
      'a job that was finished as its time ran out is finished',
      { turns: [ended(4, 'WORKING', 'COMPLETED', finish)], msLeft: 0, spentTokens: 2_000 },
      { type: 'complete' },
    ],
    [
      'trying again goes on where the run before it failed',
      { before: ended(3, 'PLANNING', 'FAILED'), phasesBefore: 3 },
      phase(3, 'PLANNING', 'turn 3 FAILED'),
    ],
    [
      'phases of the run before do not count',
      { before: ended(4, 'WORKING'), phasesBefore: 4 },
      phase(5, 'PLANNING'),
    ],
  ])('%s', (_what, standing, expected) => {
    expect(next(standing)).toEqual(expected);
  });
});

test('of all changes of status only those of the life cycle are allowed', () => {
  const allowed = JOB_STATUSES.flatMap((from) =>
    JOB_STATUSES.filter((to) => mayFollow(from, to)).map((to) => `${from} ${to}`),
  );
  expect(allowed).toEqual([
    'CREATED PROCESSING',
    'CREATED CANCELLED',
    'PROCESSING PENDING_REVIEW',
    'PROCESSING COMPLETED',
    'PROCESSING FAILED',
    'PROCESSING CANCELLED',
    'PENDING_REVIEW CREATED',
    'PENDING_REVIEW COMPLETED',
    'PENDING_REVIEW CANCELLED',
    'FAILED CREATED',
    'CANCELLED CREATED',
  ]);
});
