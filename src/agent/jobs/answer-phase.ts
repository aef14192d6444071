/**
 * What a phase of a job brings as a turn: the prompt and tools of the job, what is left of its limits, and the rounds
 * that a lost worker finished. The runner writes how the turn ends; the worker decides what comes after it.
 */
import type { LoopLimits } from '../loop/loop-options.ts';
import type { Model, ModelInput, Sampling } from '../model.ts';
import type { ModelCatalog } from '../models/catalog.ts';
import { failedBefore, type AnswerTurn, type TurnRun } from '../turn-run.ts';
import { createAnswerer, runAssembled, type TurnDeps, type TurnScope } from '../turn/assemble-turn.ts';
import type { TurnError } from '../../domain/conversation/session.ts';
import type { TokenBudget } from '../../domain/conversation/tokens.ts';
import type { TurnOutcome } from '../../domain/conversation/turn-activity.ts';
import type { JobLimits, PhaseDecision } from '../../domain/jobs/job.ts';
import { DiskFullError, InvalidInputError } from '../../base/errors.ts';
import type { ResolvedConfig } from '../../experts/expert.ts';
import type { Db } from '../../stores/pg/database.ts';
import { readPhaseFacts, type PhaseFacts } from '../../stores/pg/job-phases.ts';
import { useApprovedCall } from '../../stores/pg/job-claims.ts';
import { keepDecision } from '../../stores/pg/job-turns.ts';
import { readStepRecords } from '../../stores/pg/step-records.ts';
import { retryWhileUnavailable } from '../../stores/pg/unavailable.ts';
import type { OpenPhaseKit, PhaseRun } from './phase-kit.ts';
import { resumedInput } from './resumed-input.ts';

/** How long a Postgres that is away is waited for. */
const OUTAGE_MS = 10_000;

/** What answering phases needs; all of it lives as long as the process. */
export type AnswerPhaseDeps = TurnDeps & {
  readonly models: ModelCatalog;
  readonly db: Db;
  readonly openKit: OpenPhaseKit;
  readonly jobLimits: JobLimits;
};

/** The function that answers the turns of jobs, for the runner. */
export const createAnswerPhase = (deps: AnswerPhaseDeps): AnswerTurn =>
  createAnswerer(deps, (run, scope) =>
    answer(deps, run, scope).catch((error: unknown) => {
      if (!(error instanceof DiskFullError)) throw error;
      return failedBefore(run, { code: 'DISK_FULL', message: error.message, retryable: true });
    }),
  );

async function answer(deps: AnswerPhaseDeps, run: TurnRun, scope: TurnScope): Promise<TurnOutcome> {
  const { models, jobLimits } = deps;
  const { session, turn } = run;
  const facts = await retryWhileUnavailable(() => readPhaseFacts(deps.db, turn.id), OUTAGE_MS);
  if (facts === null) throw new Error(`turn ${turn.id} of a job's session is not a phase of that job`);
  const phase = phaseRun(deps, run, facts);
  const model = pickModel(models, turn.model, run);
  const kit = await deps.openKit(phase);
  const { budget, describe } = limitRun(run.budget, jobLimits.tokens, facts.spentTokens);
  const outcome = await runAssembled(deps, { ...run, budget }, scope, {
    model,
    fallback: models.fallbackOf(model.name),
    capabilitiesOf: (name) => models.capabilitiesOf(name),
    sections: kit.sections,
    tools: kit.tools,
    chipId: session.chipId,
    history: { finishedRounds: await resumed(deps, facts, run) },
    sampling: samplingOf(phase.job.config),
    adjustLimits: (limits) => phaseLimits(limits, jobLimits, facts),
    // No model can free disk space, and the job would lose everything it finds from here on.
    isFatal: (error) => error instanceof DiskFullError,
  });
  return { ...outcome, error: describe(outcome.error) };
}

/** The rounds that lost workers finished in this phase. The newest turn that has any includes those of the others. */
async function resumed(
  { db, store }: AnswerPhaseDeps,
  { turns }: PhaseFacts,
  { session, turn }: TurnRun,
): Promise<readonly ModelInput[]> {
  for (const lost of lostTurns(turns, turn.id).toReversed()) {
    const { records } = await retryWhileUnavailable(() => readStepRecords(db, lost), OUTAGE_MS);
    const rounds = resumedInput(records, await store.toolCalls(session.id, lost));
    if (rounds.length > 0) return rounds;
  }
  return [];
}

/** Earlier turns of the same phase, oldest first. */
function lostTurns(turns: PhaseFacts['turns'], turnId: string): readonly string[] {
  const own = turns.find((each) => each.turnId === turnId);
  return turns.flatMap((each) => (each.phase === own?.phase && each !== own ? [each.turnId] : []));
}

function phaseRun(
  { db, jobLimits: limits }: AnswerPhaseDeps,
  { viewer, session, turn }: TurnRun,
  { job, datasources, turns, phasesBefore }: PhaseFacts,
): PhaseRun {
  const own = turns.find(({ turnId }) => turnId === turn.id);
  if (own === undefined) throw new Error(`turn ${turn.id} is not among the turns of its job`);
  const planned = turns.findLast(({ phase, decision }) => phase < own.phase && decision?.type === 'work');
  const todos = own.kind === 'WORKING' && planned?.decision?.type === 'work' ? planned.decision.todos : [];
  return {
    viewer,
    session,
    // The snapshot that `resolveJobConfig` made when the job was created.
    job: { ...job, config: job.resolvedConfig as ResolvedConfig, datasources },
    phase: {
      number: own.phase,
      kind: own.kind,
      phasesLeft: Math.max(0, limits.phases - (own.phase - phasesBefore)),
      isResumed: lostTurns(turns, turn.id).length > 0,
      todos,
    },
    limits,
    useApproval: (call) => useApprovedCall(db, { jobId: job.id, turnId: turn.id }, call),
    async decide(decision: PhaseDecision, report: string | null = null) {
      if (await keepDecision(db, turn.id, decision, report)) return;
      const message = 'this phase has ended: the job was cancelled, or another worker has it';
      throw new InvalidInputError([{ path: [], message }]);
    },
  };
}

const samplingOf = ({ llm: { temperature, reasoning_level } }: ResolvedConfig): Sampling => ({
  temperature,
  reasoning: reasoning_level === 'none' ? null : reasoning_level,
});

/** The configured model if this server offers it, else the default one, with a status event. */
function pickModel(models: ModelCatalog, wanted: string | null, { emit }: TurnRun): Model {
  const isOffered =
    wanted === null || models.options().some(({ name, available }) => available && name === wanted);
  const model = models.resolve(isOffered ? wanted : null);
  if (!isOffered) {
    const text = `The model ${wanted} has no provider here; ${model.name} is used instead.`;
    emit({ type: 'status', phase: 'THINKING', text });
  }
  return model;
}

/** A phase has its own number of rounds and what is left of the run's time; its tokens are bounded by the budget. */
function phaseLimits(limits: LoopLimits, jobLimits: JobLimits, { msLeft }: PhaseFacts): LoopLimits {
  // The last answer of a phase takes part of the run's time, too.
  const lastAnswerMs = Math.min(limits.lastAnswerMs, msLeft / 4);
  const turnTimeoutMs = Math.max(1, msLeft - lastAnswerMs);
  return {
    ...limits,
    lastAnswerMs,
    rounds: jobLimits.roundsPerPhase,
    tokens: Number.MAX_SAFE_INTEGER,
    turnTimeoutMs,
    turnCeilingMs: turnTimeoutMs,
    toolCalls: {},
  };
}

/** Adds the token limit of a run, part of which its earlier phases spent, to the budgets of user and project. */
function limitRun(others: TokenBudget, limit: number, spent: number) {
  const left = Math.max(0, limit - spent);
  let isBound = false;
  const count = (tokens: number): string => tokens.toLocaleString('en-US');
  const bound = `the phases before used ${count(spent)} of the ${count(limit)} tokens of this job; try it again to go on from there with as many anew`;
  return {
    budget: {
      async hold(tokens: number) {
        const grant = await others.hold(tokens);
        isBound = left <= grant.tokens;
        return isBound ? { tokens: left, bound } : grant;
      },
    },
    /** Names the job's own limit in the error of a phase that reached it. */
    describe: (error: TurnError | null): TurnError | null =>
      isBound && error?.code === 'BUDGET_EXCEEDED'
        ? { ...error, code: 'TOKEN_LIMIT', retryable: true }
        : error,
  };
}
