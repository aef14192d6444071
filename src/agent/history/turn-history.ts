/**
 * Makes the history of a turn: turns sent in full and a summary of those before them, which is written here first if
 * the conversation has outgrown its room. A summary that fails costs the oldest turns, never the answer.
 */
import type { HistorySummary, TurnError, Usage } from '../../domain/conversation/session.ts';
import type { Logger } from '../../base/log.ts';
import { redactSecrets } from '../../base/redaction/redact.ts';
import type { EarlierTurn, SessionStore } from '../../stores/session-store.ts';
import { createUsageMeter, type ChargeOf, type PriceOf } from '../loop/usage-meter.ts';
import { ModelError, type Model, type ModelInput } from '../model.ts';
import { dataMarkOf, dataRule, marked } from '../prompt/data-marks.ts';
import type { PromptSection } from '../prompt/prompt-section.ts';
import type { TurnRun } from '../turn-run.ts';
import {
  fitSummary,
  historyInput,
  planHistory,
  summaryTokens,
  truncateHistory,
  truncatePlan,
  type HistoryPlan,
  type HistoryRoom,
} from './history-plan.ts';
import { withSentInputs } from './joined-sent.ts';
import { summarize } from './summarizer.ts';
import { roomFor, type FixedInput, type HistoryLimits } from './turn-room.ts';

export type TurnHistoryDeps = {
  readonly store: Pick<SessionStore, 'addSummary' | 'sentInputs'>;
  readonly model: Model;
  readonly summaryRules: string;
  readonly limits: HistoryLimits;
  readonly priceOf: PriceOf;
  readonly chargeOf: ChargeOf;
  readonly logger: Logger;
  /** What the server says with the question; a program of ours reads it in its instructions instead. */
  readonly context?: readonly PromptSection[];
};

export type SentHistory = {
  readonly input: readonly ModelInput[];
  /** The summary as a prompt section; null without one. */
  readonly section: PromptSection | null;
};

export type TurnHistory = SentHistory & {
  readonly spent: Usage | null;
  readonly tokensPerEstimate: number;
  /** Fits the history to another model without summarising; null where not even the question fits. */
  refit(model: Model, contextTokens: number): SentHistory | null;
};

/** Returns a TurnError if even the question alone is too large. */
export async function makeTurnHistory(
  deps: TurnHistoryDeps,
  run: TurnRun,
  earlier: readonly EarlierTurn[],
  fixed: FixedInput,
): Promise<TurnHistory | TurnError> {
  const { model, limits } = deps;
  const roomOf = (asked: Model, contextTokens: number): HistoryRoom | TurnError =>
    roomFor(asked, { ...limits, contextTokens }, earlier, {
      ...fixed,
      text: fixed.text + run.question.text,
    });
  const room = roomOf(model, limits.contextTokens);
  if ('code' in room) return room;
  const { plan, spent } = await planTurn(deps, run, await withSent(deps, earlier, room), room);
  const toSent = (planned: HistoryPlan, within: HistoryRoom) => sentOf(planned, deps, run, within);
  return {
    ...toSent(plan, room),
    spent,
    tokensPerEstimate: room.tokensPerEstimate,
    refit(asked, contextTokens) {
      const other = roomOf(asked, contextTokens);
      return 'code' in other ? null : toSent(truncatePlan(plan, other), other);
    },
  };
}

type MadePlan = { readonly plan: HistoryPlan; readonly spent: Usage | null };

async function planTurn(
  deps: TurnHistoryDeps,
  run: TurnRun,
  earlier: readonly EarlierTurn[],
  room: HistoryRoom,
): Promise<MadePlan> {
  if (deps.model.isProgram) return { plan: truncateHistory(earlier, room), spent: null };
  const plan = planHistory(earlier, room);
  return plan.fold.length === 0 ? { plan, spent: null } : foldOldest(deps, run, earlier, plan, room);
}

async function foldOldest(
  deps: TurnHistoryDeps,
  run: TurnRun,
  earlier: readonly EarlierTurn[],
  plan: HistoryPlan,
  room: HistoryRoom,
): Promise<MadePlan> {
  const { emit, signal, session } = run;
  const meter = createUsageMeter(deps.limits.turnTokens, deps.priceOf, {
    spent: null,
    tokensPerEstimate: 1,
    chargeOf: deps.chargeOf,
  });
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
    return { plan: { summary: kept, fold: [], send: plan.send }, spent: meter.total };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ModelError) && !(error instanceof NoTokensError)) throw error;
    deps.logger.warn({ err: error, turnId: run.turn.id }, 'earlier messages could not be summarised');
    const truncated = truncateHistory(earlier, room);
    const text = `Earlier messages could not be summarised (${error.message}); the newest ${2 * truncated.send.length} are used`;
    emit({ type: 'status', phase: 'SUMMARIZING', text });
    return { plan: truncated, spent: meter.total };
  } finally {
    if (meter.total !== null) emit({ type: 'usage', usage: meter.total, budgetLeftTokens: meter.leftTokens });
  }
}

/** There are not enough tokens left for a summary. */
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
    // The other half of the window is for the rules, the summary so far and the new one.
    maxInputTokens: Math.floor(Math.min(limits.contextTokens / 2, limits.turnTokens / 4)),
    maxTokens: summaryTokens(room),
    beforeRequest: async (tokens) => {
      // The other half is for the answer.
      const wanted = meter.spentTokens + tokens;
      const granted = Math.min((await budget.hold(wanted)).tokens, limits.turnTokens / 2);
      if (granted < wanted) throw new NoTokensError(`${tokens} tokens for it are more than are left`);
    },
    onSpent: (usage, text, received) => {
      const sent = { text, imageTokens: 0 };
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

/** Turns whose rounds are read; they are left out in steps of half as many. */
const MOST_SENT = 40;

/** The newest turns with what their models were sent, where there is room for it. */
async function withSent(
  { store }: TurnHistoryDeps,
  earlier: readonly EarlierTurn[],
  { roundTokens = 0 }: HistoryRoom,
): Promise<readonly EarlierTurn[]> {
  if (roundTokens === 0) return earlier;
  const step = MOST_SENT / 2;
  const from = Math.max(0, Math.floor(earlier.length / step) * step - step);
  const sent = await store.sentInputs(earlier.slice(from).map(({ turnId }) => turnId));
  return withSentInputs(earlier, sent);
}

function sentOf(
  { summary, send }: HistoryPlan,
  { context = [] }: TurnHistoryDeps,
  { question: { text } }: TurnRun,
  room: HistoryRoom,
): SentHistory {
  const section = summary === null ? null : summarySection(summary, room);
  if (context.length === 0) return { input: historyInput(send, text), section };
  const history = historyInput(send, text, room);
  const question: ModelInput = { type: 'user', text, context: notSaid(context, history) };
  return { input: [...history.slice(0, -1), question], section };
}

/** The context without what an earlier message says already. */
function notSaid(
  context: readonly PromptSection[],
  history: readonly ModelInput[],
): readonly PromptSection[] {
  const said = new Map(
    history.flatMap((entry) =>
      entry.type === 'user' ? (entry.context ?? []).map(({ id, text }) => [id, text] as const) : [],
    ),
  );
  return context.filter(({ id, text, changes }) => changes === 'ALWAYS' || said.get(id) !== text);
}

function summarySection(summary: HistorySummary, room: HistoryRoom): PromptSection {
  const mark = dataMarkOf(summary.id);
  const rule = `The first ${summary.messageCount} messages of this conversation are not sent; this is what you noted of them. ${dataRule(mark)}`;
  return { id: 'summary', text: `${rule}\n${marked(mark, fitSummary(summary.text, room))}` };
}
