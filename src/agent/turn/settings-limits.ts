/** The settings as the loop, the history and the usage meter count: milliseconds, tokens of the model's window, dollars. */
import type { JobSettings, ModelSettings, Settings, TurnLimits } from '../../config/settings.ts';
import type { JobLimits } from '../../domain/jobs/job-limits.ts';
import type { HistoryLimits } from '../history/turn-room.ts';
import type { LoopLimits } from '../loop/loop-options.ts';
import type { ModelUsage } from '../model.ts';

/** Characters of a tool result for each token of the window: a quarter of it, or so. */
const RESULT_CHARACTERS = 0.75;

/** Bounds of a turn on a model of this window. A result takes no more than a part of the window. */
export function loopLimits(turn: TurnLimits, contextTokens: number): LoopLimits {
  return {
    rounds: turn.rounds,
    callsPerRound: turn.callsPerRound,
    identicalCalls: turn.identicalCalls,
    visuals: turn.visuals,
    toolCalls: turn.toolCalls,
    toolTimeoutMs: turn.toolSeconds * 1000,
    turnTimeoutMs: turn.turnSeconds * 1000,
    lastAnswerMs: turn.lastAnswerSeconds * 1000,
    modelSilenceMs: turn.modelSilenceSeconds * 1000,
    stepTries: turn.stepTries,
    tokens: turn.tokens,
    outputTokens: turn.outputTokens,
    contextTokens,
    resultCharacters: Math.min(turn.toolResultCharacters, Math.floor(contextTokens * RESULT_CHARACTERS)),
  };
}

/** Bounds of the history of a turn on a model of this window. */
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

/** Cost of a model call in USD. Cached input is part of the input and has its own price. */
export function priceOf(models: readonly ModelSettings[], name: string, usage: ModelUsage): number | null {
  const price = models.find((model) => model.name === name)?.price;
  if (price == null) return null;
  const freshTokens = usage.inputTokens - usage.cachedTokens;
  const dollars =
    freshTokens * price.input + usage.cachedTokens * price.cachedInput + usage.outputTokens * price.output;
  return dollars / 1_000_000;
}
