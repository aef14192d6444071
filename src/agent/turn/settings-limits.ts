/** Converts settings into the units of loop, history, usage meter and jobs: milliseconds, tokens, dollars, bytes. */
import type { ModelPrice } from '../../config/model-table.ts';
import type { JobSettings, Settings, TurnLimits } from '../../config/settings.ts';
import type { JobLimits } from '../../domain/jobs/job.ts';
import type { HistoryLimits } from '../history/turn-room.ts';
import type { LoopLimits } from '../loop/loop-options.ts';
import type { ModelUsage } from '../model.ts';

/** Characters of a tool result per token of the context window: about a quarter of the window. */
const RESULT_CHARACTERS = 0.75;

/** Bounds of a turn with a context window of this size. */
export function loopLimits(turn: TurnLimits, contextTokens: number): LoopLimits {
  const { toolSeconds, turnSeconds, turnCeilingSeconds, lastAnswerSeconds, modelSilenceSeconds, ...counted } =
    turn;
  return {
    ...counted,
    toolTimeoutMs: toolSeconds * 1000,
    turnTimeoutMs: turnSeconds * 1000,
    turnCeilingMs: turnCeilingSeconds * 1000,
    lastAnswerMs: lastAnswerSeconds * 1000,
    modelSilenceMs: modelSilenceSeconds * 1000,
    contextTokens,
    resultCharacters: Math.min(turn.toolResultCharacters, Math.floor(contextTokens * RESULT_CHARACTERS)),
  };
}

/** History that any turn may be sent, where its settings do not allow less. */
const LEAST_HISTORY = 15_000;

/**
 * What rounds of earlier turns may cost a request, in tokens at the full price. Sending them again is dearer than leaving
 * them out, but the model sees what it answered from, and the cache is kept.
 */
const ROUNDS_COST = 1_500;

/** The same where no price is known, most of all for models of one's own, which keep what they have read and cost time. */
const UNPRICED_ROUNDS = 6_000;

/** Bounds of the history of a turn. It may cost half of the turn's tokens if it is read from the cache in each round. */
export const historyLimits = (
  { copilot, limits }: Pick<Settings, 'copilot' | 'limits'>,
  price: ModelPrice | null,
  contextTokens: number,
): HistoryLimits => ({
  contextTokens,
  outputTokens: limits.turn.outputTokens,
  historyTokens: Math.min(
    copilot.historyTokens,
    Math.max(LEAST_HISTORY, Math.floor(limits.turn.tokens / (2 * limits.turn.rounds * cachedShareOf(price)))),
  ),
  roundTokens: price === null ? UNPRICED_ROUNDS : Math.floor(ROUNDS_COST / cachedShareOf(price)),
  turnTokens: limits.turn.tokens,
  summarySeconds: limits.turn.lastAnswerSeconds,
});

/** Bounds of a job in seconds and bytes. */
export const jobLimits = ({ minutes, megabytes, ...counted }: JobSettings): JobLimits => ({
  ...counted,
  seconds: minutes * 60,
  workspaceBytes: megabytes * 1_000_000,
});

/** Writing to Anthropic's cache, the only one so far that charges for it, costs this much more than reading anew. */
const CACHE_WRITE_SURCHARGE = 1.25;

/** Of input from a cache whose price is unknown: the dearest share that a provider takes. */
const UNKNOWN_CACHED_SHARE = 0.5;

/** The price of cached input as a share of that of fresh input. */
function cachedShareOf(price: ModelPrice | null): number {
  if (price === null || price.input === 0) return UNKNOWN_CACHED_SHARE;
  return Math.min(1, Math.max(0.01, price.cachedInput / price.input));
}

/** The price of input that is written to a cache as a share of that of fresh input. */
const cacheWriteShareOf = (price: ModelPrice | null): number =>
  price?.cacheWrite === undefined || price.input === 0
    ? CACHE_WRITE_SURCHARGE
    : price.cacheWrite / price.input;

/** What a model call is charged to budgets: what a cache gave and took at its share of the price of input, all else whole. */
export function chargeOf(price: ModelPrice | null, usage: ModelUsage): number {
  const { inputTokens, cachedTokens, cacheWriteTokens = 0, outputTokens } = usage;
  const surcharge = (cacheWriteShareOf(price) - 1) * cacheWriteTokens;
  return Math.ceil(inputTokens - (1 - cachedShareOf(price)) * cachedTokens + surcharge + outputTokens);
}

/** Cost of a model call in USD. What was read from a cache and written to it is part of the input, at its own price. */
export function priceOf(price: ModelPrice | null, usage: ModelUsage): number | null {
  if (price === null) return null;
  const { inputTokens, cachedTokens, cacheWriteTokens = 0, outputTokens } = usage;
  const dollars =
    (inputTokens - cachedTokens - cacheWriteTokens) * price.input +
    cachedTokens * price.cachedInput +
    cacheWriteTokens * (price.cacheWrite ?? cacheWriteShareOf(price) * price.input) +
    outputTokens * price.output;
  return dollars / 1_000_000;
}
