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

export const historyLimits = ({ copilot, limits }: Settings, contextTokens: number): HistoryLimits => ({
  contextTokens,
  outputTokens: limits.turn.outputTokens,
  historyTokens: copilot.historyTokens,
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

/** Cost of a model call in USD. What was read from a cache and written to it is part of the input, at its own price. */
export function priceOf(price: ModelPrice | null, usage: ModelUsage): number | null {
  if (price === null) return null;
  const { inputTokens, cachedTokens, cacheWriteTokens = 0, outputTokens } = usage;
  const dollars =
    (inputTokens - cachedTokens - cacheWriteTokens) * price.input +
    cachedTokens * price.cachedInput +
    cacheWriteTokens * (price.cacheWrite ?? CACHE_WRITE_SURCHARGE * price.input) +
    outputTokens * price.output;
  return dollars / 1_000_000;
}
