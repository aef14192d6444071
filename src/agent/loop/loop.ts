/**
 * The agent loop: asks the model, runs the tools it calls and returns their outputs, until it answers or a limit ends
 * the turn. One loop serves every kind of session. It does no I/O of its own: models, tools and the sink of
 * activities come from the caller, and it knows neither events, rows nor GraphQL.
 */
import type { TurnError } from '../../domain/conversation/session.ts';
import type { TurnOutcome } from '../../domain/conversation/turn-activity.ts';
import { InvalidInputError } from '../../base/errors.ts';
import { openAnswer } from '../answer/answer.ts';
import type { Model, ModelError, ModelInput, ModelRequest, ToolChoice } from '../model.ts';
import type { CallRound } from './call-round.ts';
import { shortened } from './compaction.ts';
import { createDocumentAnswer } from './document-answer.ts';
import { isNearlyFull, lastRequest, overflowError, toolUseLimit, type LoopProgress } from './loop-bounds.ts';
import type { LoopOptions } from './loop-options.ts';
import { createModelSelection, sentTo, type Replacement, type SelectedModel } from './model-selection.ts';
import { runStep, type StepEnd } from './model-step.ts';
import { runPreflight } from './preflight-calls.ts';
import { realWaiting } from './retry-policy.ts';
import { tokensIn, wordsOf, type NewInput } from './sent-tokens.ts';
import { openTurnCalls } from './turn-calls.ts';
import { endFailed, endOutOfTime, endWith, endWithResults } from './turn-ending.ts';
import { openTurnTime } from './turn-time.ts';
import { createTurnVisuals } from '../answer/turn-visuals.ts';
import { createUsageMeter } from './usage-meter.ts';

type LoopState = ReturnType<typeof openLoop>;

function openLoop(options: LoopOptions) {
  const { limits, emit, onBug, onDropped } = options;
  const time = openTurnTime(limits, options.signal, options.clock);
  const visuals = createTurnVisuals(limits.visuals);
  const selection = createModelSelection(options);
  return {
    options,
    answer: openAnswer({ emit, visuals, onDropped, isDocument: options.checkDocument !== undefined }),
    document: options.checkDocument ? createDocumentAnswer(options.checkDocument) : null,
    calls: openTurnCalls({
      registry: options.tools,
      createContext: options.createToolContext,
      limits: { ...limits, onBug, readsWhole: options.model.isProgram === true },
      visuals,
      emit,
      clock: options.clock,
      signal: time.toolSignal,
      holdTime: time.hold,
      ...(options.approve && { approve: options.approve }),
      idSuffix: options.callIdSuffix ?? '',
    }),
    meter: createUsageMeter(limits.tokens, options.priceOf, options),
    time,
    selection,
    /** Input that this turn added: rounds, outputs and requests. */
    added: [] as readonly ModelInput[],
    /** Times that the model could not read a request that should have fitted. */
    tooLarge: 0,
    /** Responses read to their end. */
    steps: 0,
    /** Rounds in which tools were called. */
    toolRounds: 0,
    /** Input that the model has not received yet. */
    unsent: sentTo(selection.current, []),
  };
}

/**
 * Runs one turn to its end. Every tool that was reported as started is reported as finished before this settles.
 * @throws the signal's reason after an abort; InvalidInputError for a forced tool that does not exist.
 */
export async function runLoop(options: LoopOptions): Promise<TurnOutcome> {
  const { tools, forcedTool, signal } = options;
  if (forcedTool !== null && tools.get(forcedTool) === null) {
    const message = `there is no tool ${forcedTool}; there are ${tools.names.join(', ')}`;
    throw new InvalidInputError([{ path: ['forcedTool'], message }]);
  }
  const state = openLoop(options);
  const { calls, time } = state;
  try {
    const ending = await answerTurn(state);
    signal.throwIfAborted();
    return ending;
  } catch (error) {
    await calls.close();
    signal.throwIfAborted();
    const isLate = time.answerSignal.aborted;
    return outcome(state, isLate ? orResults(state, endOutOfTime(state.answer)) : endFailed(error));
  } finally {
    await calls.close();
    time.close();
  }
}

async function answerTurn(state: LoopState): Promise<TurnOutcome> {
  await runPreflightOf(state);
  let noAnswer = false;
  for (;;) {
    let progress = await holdTokens(state);
    if (isNearlyFull(progress) && shortenOutputs(state, false)) progress = await holdTokens(state);
    if (toolUseLimit(progress) === null && (await joinInput(state))) progress = await holdTokens(state);
    const tooLarge = overflowError(progress);
    if (tooLarge !== null) return outcome(state, orResults(state, tooLarge));
    const lastReason = toolUseLimit(progress) ?? (noAnswer ? 'your last response held no answer' : null);
    if (lastReason !== null) addInput(state, { type: 'user', text: lastRequest(lastReason) });

    const round = lastReason === null ? state.calls.openRound(state.toolRounds + 1) : null;
    const step = await takeStep(state, round);
    const { reason } = step;
    const calls = round?.calls ?? [];
    const ending = () => endWith(reason, state.answer, state.calls.summaries);
    const settled = calls.length === 0 ? state.document?.settle(reason, state.answer) : null;
    if (settled && 'error' in settled) return outcome(state, settled.error);
    if (settled) {
      const { items, model } = step;
      const { stepWords: text } = state.answer;
      addInput(state, { type: 'round', provider: model.provider, items, text, calls: [] });
      addInput(state, { type: 'user', text: settled.request });
      continue;
    }
    if (reason === 'refused' || reason === 'filtered') return outcome(state, ending());
    if (lastReason !== null) return outcome(state, orResults(state, ending()));
    if (calls.length > 0 && round !== null) {
      const { provider } = step.model;
      addInput(state, { type: 'round', provider, items: step.items, text: state.answer.stepWords, calls });
      addInput(state, ...(await round.ended()).map(({ input }) => input));
      state.toolRounds += 1;
      state.options.signal.throwIfAborted();
      continue;
    }
    const hasResults = state.toolRounds > 0 || state.options.preflight !== null;
    const { isStepBlank, strippedInStep } = state.answer;
    noAnswer = isStepBlank && strippedInStep === 0 && reason !== 'length' && hasResults;
    if (!noAnswer) return outcome(state, ending());
  }
}

/**
 * Adds what came while the last round ran. A program, which reads one question only, is not given any: it is answered
 * in a turn of its own.
 */
async function joinInput(state: LoopState): Promise<boolean> {
  const { options, selection, toolRounds } = state;
  if (toolRounds === 0 || selection.current.model.isProgram) return false;
  const joined = (await options.joinInput?.()) ?? [];
  addInput(state, ...joined);
  return joined.length > 0;
}

const orResults = ({ options, answer, calls }: LoopState, error: TurnError | null): TurnError | null =>
  options.givesResults ? endWithResults(error, answer, calls.results) : error;

/** Replaces older outputs, or `all`, by their summaries; whether that saved anything. */
function shortenOutputs(state: LoopState, all: boolean): boolean {
  const short = shortened(state.added, all);
  if (short === null) return false;
  state.added = short;
  sendAnew(state);
  return true;
}

/** What the model was sent before has changed, so all of it counts as new. */
function sendAnew(state: LoopState): void {
  state.unsent = sentTo(state.selection.current, state.added);
  state.meter.forgetExchange();
}

/** Makes room after a model could not read a request; false where there is none to make. */
function makeRoom(state: LoopState): boolean {
  const { selection, added } = state;
  state.tooLarge += 1;
  const sent = tokensIn(sentTo(selection.current, added));
  const isShorter = (state.tooLarge === 1 && shortenOutputs(state, false)) || shortenOutputs(state, true);
  // The window is smaller than the settings say, or the tokens are more than estimated.
  const isSmaller = selection.shrinkHistory(Math.min(selection.current.contextTokens, sent) / 2);
  if (isSmaller) sendAnew(state);
  return isShorter || isSmaller;
}

async function runPreflightOf(state: LoopState): Promise<void> {
  const { options, answer, calls } = state;
  const { preflight, emit, signal } = options;
  if (preflight === null) return;
  // A document holds no words of the server.
  const addParagraph = state.document === null ? answer.addParagraph : () => undefined;
  const added = await runPreflight(preflight, { calls, emit, signal, addParagraph });
  addInput(state, ...added);
}

/** Reserves what the next model call may need; the budget with the least left then bounds the turn. */
async function holdTokens({ meter, calls, time, options, ...state }: LoopState): Promise<LoopProgress> {
  const { limits, budget } = options;
  const needTokens = meter.nextInputTokens(state.unsent);
  const { next, again } = meter.chargesOf(state.selection.current.model.name, needTokens);
  const { tokens, bound } = await budget.hold(meter.spentTokens + next + limits.outputTokens);
  meter.allow(Math.min(limits.tokens, tokens));
  return {
    needTokens,
    needCharge: next,
    lastCharge: again,
    spentTokens: meter.spentTokens,
    leftTokens: meter.leftTokens,
    bound: tokens < limits.tokens ? bound : null,
    toolRounds: state.toolRounds,
    repeated: calls.repeated,
    timeIsUp: time.isUp,
    limits: { ...limits, contextTokens: state.selection.current.contextTokens },
  };
}

/** Asks the model once and counts what it used. */
async function takeStep(state: LoopState, round: CallRound | null): Promise<StepEnd> {
  const { options, answer, meter, time } = state;
  const { emit, limits } = options;
  emit({ type: 'status', phase: 'THINKING', text: round === null ? 'Concluding' : 'Thinking' });
  const toAsk = (each: SelectedModel) => ({
    model: each.model,
    request: nextRequest(state, each, round !== null),
  });
  const received = () => answer.stepWords + JSON.stringify(round?.calls ?? []);
  const onBroken = ({ name, isProgram }: Model): void => {
    if (!isProgram) meter.addBroken(name, state.unsent, received());
  };
  const step = await runStep({
    ask: toAsk(state.selection.current),
    replace(error) {
      const next = replaceModel(state, error);
      return next && { ...toAsk(next.selected), words: next.words };
    },
    hasFallback: () => state.selection.hasFallback,
    msLeft: time.msLeft,
    waiting: options.waiting ?? realWaiting,
    // A turn with results asks for its answer in other words.
    mayBeEmpty: round === null || state.toolRounds > 0 || options.preflight !== null,
    round,
    answer,
    emit,
    onBroken,
    onProgress: time.progress,
    clock: options.clock,
    limits,
    signal: time.answerSignal,
  }).catch((error: unknown) => {
    if (time.answerSignal.aborted) onBroken(state.selection.current.model);
    emitUsage(state);
    throw error;
  });
  state.steps += 1;
  meter.add(step.model.name, step.usage, state.unsent, received());
  state.unsent = NOTHING;
  emitUsage(state);
  return step;
}

const NOTHING: NewInput = { text: '', imageTokens: 0 };

function replaceModel(state: LoopState, error: ModelError): Replacement | null {
  if (error.code === 'CONTEXT_TOO_LARGE' && makeRoom(state)) {
    return { selected: state.selection.current, words: 'it is asked again with less of what came before' };
  }
  const next = state.selection.replace(error, state.added);
  if (next === null) return null;
  sendAnew(state);
  return next;
}

function emitUsage({ meter, options }: LoopState): void {
  if (meter.total === null) return;
  options.emit({ type: 'usage', usage: meter.total, budgetLeftTokens: Math.max(0, meter.leftTokens) });
}

function nextRequest(
  { options, added, steps }: LoopState,
  { instructions, input, tools }: SelectedModel,
  mayCall: boolean,
): ModelRequest {
  const { answerSchema, sampling, forcedTool, sessionId } = options;
  const choice: ToolChoice = steps === 0 && forcedTool !== null ? { tool: forcedTool } : 'auto';
  return {
    instructions,
    input: [...input, ...added],
    tools,
    toolChoice: mayCall && tools.length > 0 ? choice : 'none',
    ...(answerSchema && { answerSchema }),
    ...(sampling && { sampling }),
    sessionId,
  };
}

function addInput(state: LoopState, ...entries: readonly ModelInput[]): void {
  state.added = [...state.added, ...entries];
  // The model's own output is in the usage that it reported.
  const words = wordsOf(entries.filter(({ type }) => type !== 'round'));
  state.unsent = { ...state.unsent, text: state.unsent.text + words };
}

function outcome(
  { answer, selection, meter, steps, options }: LoopState,
  error: TurnError | null,
): TurnOutcome {
  // Pictures are counted too coarsely to learn a ratio from.
  const measured = options.input.some((entry) => 'images' in entry) ? null : meter.tokensPerEstimate;
  return {
    status: error === null ? 'COMPLETED' : 'FAILED',
    model: selection.current.model.name,
    usage: meter.total,
    rounds: steps,
    error,
    assessment: error === null ? answer.assessment : null,
    strippedTables: answer.strippedTables,
    ...(measured !== null && { tokensPerEstimate: measured }),
  };
}
