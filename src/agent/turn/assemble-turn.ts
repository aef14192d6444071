/**
 * How a turn of any kind is assembled and run: conversations, builder sessions and phases of jobs bring their prompt,
 * tools, limits and history; everything else about a turn is the same for all of them and is here.
 */
import type { PythonSandbox } from '@qpilot/python-sandbox';
import { CalibrationAwayError, UserError } from '../../base/errors.ts';
import type { Settings } from '../../config/settings.ts';
import type { Effort, Turn, TurnError } from '../../domain/conversation/session.ts';
import type { TurnOutcome } from '../../domain/conversation/turn-activity.ts';
import type { CalibrationServices } from '../../services/calibration/calibration-services.ts';
import { createLoaders } from '../../services/loaders/loaders.ts';
import type { Uploads } from '../../services/uploads.ts';
import type { LiveSource } from '../../sources/live/live-source.ts';
import type { EarlierTurn, SessionStore } from '../../stores/session-store.ts';
import { type DataStore, createSessionData } from '../data/session-data.ts';
import { openDatasets, type Datasets } from '../data/datasets.ts';
import { makeTurnHistory, type SentHistory, type TurnHistory } from '../history/turn-history.ts';
import { openTurnLive, type TurnLive } from '../live/turn-live.ts';
import type { LoopLimits, LoopOptions } from '../loop/loop-options.ts';
import { runLoop } from '../loop/loop.ts';
import type { ChargeOf } from '../loop/usage-meter.ts';
import type { Model, ModelImage, ModelInput, Sampling } from '../model.ts';
import { contextIn, instructionsIn, promptText, type PromptSection } from '../prompt/prompt-section.ts';
import type { PromptTexts } from '../prompt/prompt-texts.ts';
import { failedBefore, type AnswerTurn, type TurnRun } from '../turn-run.ts';
import { openTurnWatch, type TurnWatch, type TurnWatchDeps } from '../watch/turn-watch.ts';
import type { Capabilities } from '../models/capabilities.ts';
import { chargeOf, historyLimits, loopLimits, priceOf } from './settings-limits.ts';
import { withPictures } from './turn-pictures.ts';

/** Dependencies of every turn; they live as long as the process. */
export type TurnDeps = TurnWatchDeps & {
  readonly settings: Settings;
  readonly prompts: Pick<PromptTexts, 'summary'>;
  readonly services: CalibrationServices;
  readonly store: SessionStore;
  readonly uploads: Pick<Uploads, 'ofSession' | 'query'>;
  readonly live: LiveSource;
  readonly sandbox: PythonSandbox;
  readonly now: () => Date;
};

/** Resources that are open while one turn is answered. */
export type TurnScope = {
  readonly live: TurnLive;
  readonly watch: TurnWatch;
  /** Uploaded tables of the session. */
  readonly datasets: Datasets;
  /** Results that the session keeps. */
  readonly dataStore: DataStore;
};

/** What differs between turns. */
export type TurnParts = Pick<LoopOptions, 'tools' | 'sampling' | 'withoutTools'> &
  Partial<Pick<LoopOptions, 'answerSchema' | 'checkDocument' | 'preflight' | 'givesResults'>> & {
    readonly model: Model;
    /** Asked when `model` fails for good. */
    readonly fallback: Model | null;
    /** What is known of a model, for its context window and its price. */
    readonly capabilitiesOf: (name: string) => Capabilities;
    /** The prompt beside the conversation. */
    readonly sections: readonly PromptSection[];
    /** Chip that tools use when their arguments name none. */
    readonly chipId: string | null;
    /** Whether the model reads pictures of messages that join the turn; absent: no. */
    readonly seesImages?: boolean;
    /** Whether a person who reads along may be asked about calls; absent: no. */
    readonly asksPeople?: boolean;
    /** Pictures on the newest message. */
    readonly images?: readonly ModelImage[];
    /** Earlier turns of the conversation, or the rounds of this very turn that another worker finished. */
    readonly history:
      { readonly earlier: readonly EarlierTurn[] } | { readonly finishedRounds: readonly ModelInput[] };
    /** Overrides the limits of the settings; absent: no change. */
    readonly adjustLimits?: (limits: LoopLimits) => LoopLimits;
    /** Whether an error thrown by a tool ends the turn, which then rejects with it. Absent: none does. */
    readonly isFatal?: (error: unknown) => boolean;
  };

/**
 * The function that answers turns by `answer`, with the turn's scope open around it. A rejection that the user can act
 * on ends the turn as failed; an abort and a bug stay rejections.
 */
export function createAnswerer(
  deps: TurnDeps,
  answer: (run: TurnRun, scope: TurnScope) => Promise<TurnOutcome>,
): AnswerTurn {
  return async (run) => {
    const { session, question, emit, signal } = run;
    const live = openTurnLive({ source: deps.live, question: question.text, emit, signal });
    const watch = openTurnWatch(deps, run.turn);
    try {
      const datasets = await openDatasets(deps.uploads, run);
      const dataStore = createSessionData(deps.store.data, session.id);
      return await answer(run, { live, watch, datasets, dataStore });
    } catch (error) {
      signal.throwIfAborted();
      const isAway = error instanceof CalibrationAwayError;
      if (!isAway && !(error instanceof UserError)) throw error;
      return failedBefore(run, { code: error.code, message: error.message, retryable: isAway });
    } finally {
      live.close();
      await watch.close();
    }
  };
}

/** Earlier turns that are read; how many of them are sent, and how many are summarised, depends on their length. */
const HISTORY_TURNS = 200;

/** The random end of a turn's id, which keeps calls of a session apart in their recorded ids. */
const CALL_ID_TURN_LENGTH = 12;

/** The turns before this one in its branch, oldest first. */
export const earlierTurns = ({ store }: Pick<TurnDeps, 'store'>, { turn }: TurnRun) =>
  store.earlierTurns(turn, HISTORY_TURNS);

/** Assembles a turn and runs it to its end. */
export async function runAssembled(
  deps: TurnDeps,
  run: TurnRun,
  scope: TurnScope,
  parts: TurnParts,
): Promise<TurnOutcome> {
  const { settings, services, sandbox, logger, now } = deps;
  const { viewer, session, turn, budget, emit } = run;
  const { watch, ...open } = scope;
  const { model, fallback, tools, answerSchema = null, preflight = null, withoutTools } = parts;
  const sampling = parts.sampling ?? samplingOf(turn);
  const contextTokens = model.isProgram
    ? Number.MAX_SAFE_INTEGER
    : parts.capabilitiesOf(model.name).contextTokens;
  const history = await historyOf(deps, run, scope, { ...parts, contextTokens });
  if ('code' in history) return failedBefore(run, history);
  // Programs of ours read everything in their instructions: no provider's cache is behind them.
  const told = model.isProgram ? promptText(parts.sections) : instructionsIn(parts.sections);
  const fitted = ({ section, input }: SentHistory) => ({
    instructions: section === null ? told : `${told}\n\n${section.text}`,
    input: withPictures(input, parts.images ?? []),
  });
  const { refit } = history;
  const limits = loopLimits(settings.limits.turn, contextTokens);
  const fatal = new AbortController();
  return runLoop({
    ...fitted(history),
    model: watch.watched(model, 'ANSWER'),
    fallback: fallback && watch.watched(fallback, 'ANSWER'),
    ...(refit && {
      refit(other, window = parts.capabilitiesOf(other.name).contextTokens) {
        const sent = refit(other, window);
        return sent && { ...fitted(sent), contextTokens: window };
      },
    }),
    tools,
    createToolContext: () => ({
      ...open,
      chipId: parts.chipId,
      services,
      sandbox,
      now,
      viewer,
      loaders: createLoaders(services, viewer),
      progress: (text) => emit({ type: 'status', phase: 'CALLING_TOOLS', text }),
    }),
    preflight,
    joinInput: () => joinInput(deps, run, parts),
    ...(parts.asksPeople && run.approve && { approve: run.approve }),
    answerSchema,
    ...(parts.checkDocument && { checkDocument: parts.checkDocument }),
    ...(sampling && { sampling }),
    ...(withoutTools !== undefined && { withoutTools }),
    spent: history.spent,
    tokensPerEstimate: history.tokensPerEstimate,
    limits: parts.adjustLimits?.(limits) ?? limits,
    forcedTool: null,
    sessionId: session.id,
    callIdSuffix: `@${turn.id.slice(-CALL_ID_TURN_LENGTH)}`,
    budget,
    ...countingOf(parts),
    givesResults: parts.givesResults ?? false,
    emit,
    signal: AbortSignal.any([run.signal, fatal.signal]),
    clock: () => performance.now(),
    onBug(error, tool) {
      if (parts.isFatal?.(error)) fatal.abort(error);
      else logger.error({ err: error, tool, turnId: turn.id }, 'a tool failed');
    },
    onDropped: (what) => logger.warn({ what, turnId: turn.id }, 'a part of an answer is not shown'),
  });
}

const REASONING = { LOW: 'low', MEDIUM: 'medium', HIGH: 'high' } as const satisfies Record<Effort, string>;

/** The effort that the message asked for; null leaves it to the model. */
const samplingOf = ({ effort }: Pick<Turn, 'effort'>): Sampling | null =>
  effort && { temperature: null, reasoning: REASONING[effort] };

/** What a model call costs, and what it is charged to budgets. */
const countingOf = ({
  capabilitiesOf,
}: TurnParts): Pick<LoopOptions, 'priceOf'> & { chargeOf: ChargeOf } => ({
  priceOf: (name, usage) => priceOf(capabilitiesOf(name).price, usage),
  chargeOf: (name, usage) => chargeOf(capabilitiesOf(name).price, usage),
});

/** What the user added while the turn runs. */
async function joinInput(
  { store }: Pick<TurnDeps, 'store'>,
  { session, joinMessages }: TurnRun,
  { seesImages = false }: TurnParts,
): Promise<readonly ModelInput[]> {
  const messages = (await joinMessages?.()) ?? [];
  return Promise.all(
    messages.map(async ({ id, text }): Promise<ModelInput> => {
      const images = await store.pictures(session.id, id);
      if (images.length === 0) return { type: 'user', text };
      return seesImages ? { type: 'user', text, images } : { type: 'user', text: `${text}\n\n${UNSEEN}` };
    }),
  );
}

const UNSEEN = '[Pictures came with this message that you cannot see; say so.]';

/** What the model is sent before this turn's own rounds; a TurnError where even the question alone is too large. */
async function historyOf(
  { settings, prompts, store, logger }: TurnDeps,
  run: TurnRun,
  { watch }: TurnScope,
  parts: TurnParts & { readonly contextTokens: number },
): Promise<(Omit<TurnHistory, 'refit'> & Partial<Pick<TurnHistory, 'refit'>>) | TurnError> {
  const { history, model, tools, sections, answerSchema = null, images = [], contextTokens } = parts;
  const context = model.isProgram ? [] : contextIn(sections);
  if ('finishedRounds' in history) {
    const question = {
      type: 'user',
      text: run.question.text,
      ...(context.length > 0 && { context }),
    } as const;
    const input = [question, ...history.finishedRounds];
    return { input, section: null, spent: null, tokensPerEstimate: 1 };
  }
  const deps = {
    store,
    model: watch.watched(model, 'SUMMARY'),
    summaryRules: prompts.summary,
    limits: historyLimits(settings, parts.capabilitiesOf(model.name).price, contextTokens),
    ...countingOf(parts),
    logger,
    context,
  };
  const text = promptText(sections) + JSON.stringify([tools.schemas, answerSchema]);
  return makeTurnHistory(deps, run, history.earlier, { text, images });
}
