/**
 * Answers one phase of a job: the same loop as chat, with the prompt and the tools of the job, on what is left of its limits. How
 * its end is written is the runner's business, what comes after it the worker's.
 */
import { createSessionData } from '../agent/data/session-data.ts';
import { openDatasets } from '../agent/data/datasets.ts';
import type { LoopLimits } from '../agent/loop/loop-options.ts';
import { runLoop } from '../agent/loop/loop.ts';
import type { Model, ModelInput, Sampling } from '../agent/model.ts';
import type { ModelCatalog } from '../agent/models/catalog.ts';
import type { AnswerTurnDeps } from '../agent/turn/answer-turn.ts';
import { loopParts } from '../agent/turn/loop-parts.ts';
import { loopLimits } from '../agent/turn/settings-limits.ts';
import { framedAnswer, type TurnFrame } from '../agent/turn/turn-frame.ts';
import type { AnswerTurn, TurnRun } from '../agent/turn/turn-run.ts';
import type { PhaseDecision } from '../domain/job.ts';
import type { JobLimits } from '../domain/job-limits.ts';
import type { TurnOutcome } from '../domain/turn-activity.ts';
import { InvalidInputError } from '../errors.ts';
import type { ResolvedConfig } from '../experts/expert.ts';
import type { Db } from '../stores/pg/database.ts';
import { readPhaseFacts, type PhaseFacts } from '../stores/pg/job-phases.ts';
import { keepDecision } from '../stores/pg/job-turns.ts';
import { readStepRecords } from '../stores/pg/step-records.ts';
import type { OpenPhaseKit, PhaseRun } from './job-run.ts';
import { resumedInput } from './resumed-input.ts';

/** What answering phases needs: all that chat needs, and what jobs are worked on with. */
export type AnswerPhaseDeps = Omit<AnswerTurnDeps, 'tools' | 'prompts' | 'knowledge' | 'figures'> & {
  readonly db: Db;
  readonly openKit: OpenPhaseKit;
  readonly jobLimits: JobLimits;
};

/** The function that answers the turns of jobs, for the runner. */
export const createAnswerPhase = (deps: AnswerPhaseDeps): AnswerTurn =>
  framedAnswer(deps, (run, frame) => answer(deps, run, frame));

async function answer(deps: AnswerPhaseDeps, run: TurnRun, { live, watch }: TurnFrame): Promise<TurnOutcome> {
  const { services, store, now } = deps;
  const { session, turn } = run;
  const facts = await readPhaseFacts(deps.db, turn.id);
  if (facts === null) throw new Error(`turn ${turn.id} of a job's session is no phase of it`);
  const phase = phaseRun(deps, run, facts);
  const model = pickModel(deps.models, turn.model, run);
  const fallback = deps.models.fallbackOf(model.name);
  const kit = await deps.openKit(phase);
  const datasets = await openDatasets(deps.uploads, session);
  const contextTokens = model.isProgram ? Number.MAX_SAFE_INTEGER : deps.models.contextTokensOf(model.name);
  return runLoop({
    model: watch.watched(model, 'ANSWER'),
    fallback: fallback && watch.watched(fallback, 'ANSWER'),
    tools: kit.tools,
    ...loopParts(deps, run, {
      chipId: session.chipId,
      services,
      sandbox: deps.sandbox,
      dataStore: createSessionData(store.data, session.id),
      datasets,
      live,
      now,
      ...kit.toolParts,
    }),
    instructions: kit.instructions,
    answerSchema: null,
    sampling: samplingOf(phase.job.config),
    input: [{ type: 'user', text: run.question.text }, ...(await resumed(deps, facts, run))],
    spent: null,
    tokensPerEstimate: 1,
    opening: null,
    limits: phaseLimits(deps, facts, contextTokens),
  });
}

/** The rounds that an earlier turn of this phase finished before its worker was lost. */
async function resumed(
  { db, store }: AnswerPhaseDeps,
  { turns }: PhaseFacts,
  { session, turn }: TurnRun,
): Promise<readonly ModelInput[]> {
  const lost = lostTurn(turns, turn.id);
  if (lost === null) return [];
  const { records } = await readStepRecords(db, lost);
  return resumedInput(records, await store.toolCalls(session.id, lost));
}

/** The turn before this one where it is of the same phase. */
function lostTurn(turns: PhaseFacts['turns'], turnId: string): string | null {
  const at = turns.findIndex((each) => each.turnId === turnId);
  const [before, own] = [turns[at - 1], turns[at]];
  return before !== undefined && before.phase === own?.phase ? before.turnId : null;
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
    // A snapshot is what `resolveJobConfig` made when the job was created.
    job: { ...job, config: job.resolvedConfig as ResolvedConfig, datasources },
    phase: {
      number: own.phase,
      kind: own.kind,
      phasesLeft: Math.max(0, limits.phases - (own.phase - phasesBefore)),
      isResumed: lostTurn(turns, turn.id) !== null,
      todos,
    },
    limits,
    async decide(decision: PhaseDecision) {
      if (await keepDecision(db, turn.id, decision)) return;
      const message = 'this phase has ended: the job was cancelled, or another worker has it';
      throw new InvalidInputError([{ path: [], message }]);
    },
  };
}

const samplingOf = ({ llm: { temperature, reasoning_level } }: ResolvedConfig): Sampling => ({
  temperature,
  reasoning: reasoning_level === 'none' ? null : reasoning_level,
});

/** A model of this server that the configuration names, else the default one, which is said. */
function pickModel(models: ModelCatalog, asked: string | null, { emit }: TurnRun): Model {
  const isOffered =
    asked === null || models.options().some(({ name, available }) => available && name === asked);
  const model = models.resolve(isOffered ? asked : null);
  if (!isOffered) {
    const text = `The model ${asked} has no provider here; ${model.name} works in its place.`;
    emit({ type: 'status', phase: 'THINKING', text });
  }
  return model;
}

/** A phase has the rounds of a phase, and whatever is left of the run's tokens and time. */
function phaseLimits(
  { settings, jobLimits }: AnswerPhaseDeps,
  { spentTokens, msLeft }: PhaseFacts,
  contextTokens: number,
): LoopLimits {
  return {
    ...loopLimits(settings.limits.turn, contextTokens),
    rounds: jobLimits.roundsPerPhase,
    tokens: Math.max(0, jobLimits.tokens - spentTokens),
    turnTimeoutMs: Math.max(1, msLeft),
    toolCalls: {},
  };
}
