/**
 * Makes the history of a turn: what is sent word for word, what stands as a summary, and, where the conversation has
 * outgrown its room, the summary itself, before the model is asked. A summary that fails costs the oldest turns, never
 * the answer.
 */
import type { HistorySummary } from '../../domain/history-summary.ts';
import type { TurnError, Usage } from '../../domain/session.ts';
import type { Logger } from '../../log.ts';
import { redactSecrets } from '../../redaction/redact.ts';
import type { EarlierTurn, SessionStore } from '../../stores/session-store.ts';
import {
  fitSummary,
  historyInput,
  planHistory,
  summaryTokens,
  tokensOf,
  truncateHistory,
  type HistoryPlan,
  type HistoryRoom,
} from './history-plan.ts';
import { contextTooLarge } from '../loop/loop-bounds.ts';
import { ModelError, type Model, type ModelInput } from '../model.ts';
import { dataRule, marked, newDataMark } from '../prompt/data-marks.ts';
import type { PromptSection } from '../prompt/prompt.ts';
import { summarize } from './summarizer.ts';
import type { TurnRun } from '../turn/turn-run.ts';
import { createUsageMeter, type PriceOf } from '../loop/usage-meter.ts';

/** What a turn's history is made with. */
export type TurnHistoryDeps = {
  readonly store: Pick<SessionStore, 'addSummary'>;
  readonly model: Model;
  readonly summaryRules: string;
  readonly limits: HistoryLimits;
  readonly priceOf: PriceOf;
  readonly logger: Logger;
};

/** Bounds of a turn that its history has to fit in, in tokens. */
export type HistoryLimits = {
  /** The context window of the model. */
  readonly contextTokens: number;
  /** Kept free for the model's answer. */
  readonly outputTokens: number;
  /** Of history at most, however large the window: it is sent again with every model call of the turn. */
  readonly historyTokens: number;
  /** Of all model calls of the turn. */
  readonly turnTokens: number;
  readonly summarySeconds: number;
};

/** The history of a turn, and what making it cost. */
export type TurnHistory = {
  readonly input: readonly ModelInput[];
  /** The summary as a part of the prompt; null without one. */
  readonly section: PromptSection | null;
  readonly spent: Usage | null;
  readonly tokensPerEstimate: number;
};

/** What is left of a window is filled to this share, so that tool results have room too. */
const WINDOW_SHARE = 0.8;
/** Turns that are sent word for word at most; fewer than are read of a conversation. */
const MAX_TURNS = 100;
/** Bounds of how far off an estimate can be; beyond them something else was counted. */
const [LEAST_RATIO, MOST_RATIO] = [0.5, 2];

/** Makes the history of a turn whose prompt is `promptText`; a TurnError where even the question alone is too large. */
export async function makeTurnHistory(
  deps: TurnHistoryDeps,
  run: TurnRun,
  earlier: readonly EarlierTurn[],
  promptText: string,
): Promise<TurnHistory | TurnError> {
  const room = roomFor(deps, run, earlier, promptText);
  if ('code' in room) return room;
  if (deps.model.isProgram) return toHistory(truncateHistory(earlier, room), run, room, null);
  const plan = planHistory(earlier, room);
  if (plan.fold.length === 0) return toHistory(plan, run, room, null);
  return foldOldest(deps, run, earlier, plan, room);
}

function roomFor(
  { model, limits }: TurnHistoryDeps,
  { question }: TurnRun,
  earlier: readonly EarlierTurn[],
  promptText: string,
): HistoryRoom | TurnError {
  const tokensPerEstimate = ratioOf(earlier, model.name);
  const fixed = tokensOf(promptText, { tokensPerEstimate }) + tokensOf(question.text, { tokensPerEstimate });
  if (model.isProgram) return { tokens: limits.historyTokens, turns: MAX_TURNS, tokensPerEstimate };
  const free = limits.contextTokens - Math.min(limits.outputTokens, limits.contextTokens / 4) - fixed;
  if (free < 0) return contextTooLarge(limits.contextTokens - Math.floor(free), limits.contextTokens);
  const tokens = Math.min(Math.floor(free * WINDOW_SHARE), limits.historyTokens);
  return { tokens, turns: MAX_TURNS, tokensPerEstimate };
}

/** As the provider counted the newest turn that this model answered. */
function ratioOf(earlier: readonly EarlierTurn[], model: string): number {
  const counted = earlier.findLast((turn) => turn.answer?.model === model && turn.tokensPerEstimate !== null);
  return Math.min(MOST_RATIO, Math.max(LEAST_RATIO, counted?.tokensPerEstimate ?? 1));
}

async function foldOldest(
  deps: TurnHistoryDeps,
  run: TurnRun,
  earlier: readonly EarlierTurn[],
  plan: HistoryPlan,
  room: HistoryRoom,
): Promise<TurnHistory> {
  const { emit, signal, session } = run;
  const meter = createUsageMeter(deps.limits.turnTokens, deps.priceOf);
  const messages = 2 * plan.fold.length;
  emit({ type: 'status', phase: 'SUMMARIZING', text: `Summarising ${messages} earlier messages` });
  try {
    const summary = await writeSummary(deps, run, plan, room, meter);
    const through = plan.fold.at(-1)?.turnId ?? '';
    const kept = await deps.store.addSummary(session, {
      throughTurnId: through,
      messageCount: (plan.summary?.messageCount ?? 0) + messages,
      text: summary,
      model: deps.model.name,
    });
    const text = `${messages} earlier messages are summarised`;
    emit({ type: 'status', phase: 'SUMMARIZING', text, summaryId: kept.id });
    return toHistory({ summary: kept, fold: [], send: plan.send }, run, room, meter.total);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ModelError) && !(error instanceof NoTokensError)) throw error;
    deps.logger.warn({ err: error, turnId: run.turn.id }, 'earlier messages could not be summarised');
    const truncated = truncateHistory(earlier, room);
    const text = `Earlier messages could not be summarised (${error.message}); the newest ${2 * truncated.send.length} are used`;
    emit({ type: 'status', phase: 'SUMMARIZING', text });
    return toHistory(truncated, run, room, meter.total);
  } finally {
    if (meter.total !== null) emit({ type: 'usage', usage: meter.total, budgetLeftTokens: meter.leftTokens });
  }
}

/** The tokens for a summary cannot be had. */
class NoTokensError extends Error {}

async function writeSummary(
  { model, summaryRules, limits }: TurnHistoryDeps,
  { session, signal, budget }: TurnRun,
  { summary, fold }: HistoryPlan,
  room: HistoryRoom,
  meter: ReturnType<typeof createUsageMeter>,
): Promise<string> {
  const late = AbortSignal.timeout(limits.summarySeconds * 1000);
  const text = await summarize(summary?.text ?? null, fold, {
    model,
    rules: summaryRules,
    sessionId: session.id,
    // Half of the window holds rules, the summary so far and the new one beside this.
    maxInputTokens: Math.floor(Math.min(limits.contextTokens / 2, limits.turnTokens / 4)),
    maxTokens: summaryTokens(room),
    beforeRequest: async (tokens) => {
      // The answer itself needs the other half.
      const wanted = meter.spentTokens + tokens;
      const granted = Math.min((await budget.hold(wanted)).tokens, limits.turnTokens / 2);
      if (granted < wanted) throw new NoTokensError(`${tokens} tokens for it are more than are left`);
    },
    onSpent: (usage, sent, received) => {
      if (usage === null) meter.addBroken(model.name, sent, received);
      else meter.add(model.name, usage, sent, received);
    },
    modelSilenceMs: limits.summarySeconds * 1000,
    signal: AbortSignal.any([signal, late]),
  }).catch((error: unknown) => {
    signal.throwIfAborted();
    if (!late.aborted) throw error;
    throw new ModelError('UNAVAILABLE', `${model.name} took more than ${limits.summarySeconds} s`, {
      retryable: true,
      cause: error,
    });
  });
  return fitSummary(redactSecrets(text), room);
}

function toHistory(
  { summary, send }: HistoryPlan,
  { question }: TurnRun,
  room: HistoryRoom,
  spent: Usage | null,
): TurnHistory {
  const { tokensPerEstimate } = room;
  const section = summary === null ? null : summarySection(summary, room);
  return { input: historyInput(send, question.text), section, spent, tokensPerEstimate };
}

function summarySection(summary: HistorySummary, room: HistoryRoom): PromptSection {
  const mark = newDataMark();
  const rule = `The first ${summary.messageCount} messages of this conversation are not sent; this is what you noted of them. ${dataRule(mark)}`;
  return { id: 'summary', text: `${rule}\n${marked(mark, fitSummary(summary.text, room))}` };
}
