/** Decides when a turn has to end: whether the next model call fits, and why it must be the last one. Pure. */
import type { TurnError } from '../../domain/conversation/session.ts';

/** State of a turn before its next model call. */
export type LoopProgress = {
  /** Estimated input of the next call. */
  readonly needTokens: number;
  /** What that input is charged, less than it has tokens where much of it is cached. */
  readonly needCharge: number;
  /** What a last call without tools would be charged on top. */
  readonly lastCharge: number;
  readonly spentTokens: number;
  readonly leftTokens: number;
  /** Describes the budget that allows less than the turn's own limit; null for none. */
  readonly bound: string | null;
  /** Rounds in which tools were called. */
  readonly toolRounds: number;
  /** Whether the same call was made too often. */
  readonly repeated: boolean;
  readonly timeIsUp: boolean;
  readonly limits: {
    readonly rounds: number;
    readonly identicalCalls: number;
    readonly tokens: number;
    readonly contextTokens: number;
  };
};

/** Share of a context window above which no more tools are offered: their results would not fit. */
const FULL_CONTEXT = 0.8;

/** Why the next call cannot be made at all; null if it can. */
export function overflowError(progress: LoopProgress): TurnError | null {
  const { needTokens, leftTokens, limits, bound, spentTokens } = progress;
  if (needTokens > limits.contextTokens) return contextTooLarge(needTokens, limits.contextTokens);
  if (progress.needCharge <= leftTokens) return null;
  const used = `this turn used ${spentTokens} of its ${limits.tokens} tokens`;
  const message = `the next model call would need about ${progress.needCharge} tokens: ${bound ?? used}`;
  return { code: 'BUDGET_EXCEEDED', message, retryable: false };
}

/** The error of a request that is larger than the model's context window. */
export const contextTooLarge = (needTokens: number, contextTokens: number): TurnError => ({
  code: 'CONTEXT_TOO_LARGE',
  message: `the next model call would need about ${needTokens} tokens, and the context window of the model has ${contextTokens}; ask for less at once, or choose a model with a larger window`,
  retryable: false,
});

/**
 * The limit that ends tool use, in words for the model, or null. A call must leave room for a last one without tools,
 * which reads the same input again: from the cache, where the provider has one.
 */
export function toolUseLimit(progress: LoopProgress): string | null {
  const { limits, needCharge, lastCharge, leftTokens, toolRounds } = progress;
  if (toolRounds >= limits.rounds) return `the limit of ${limits.rounds} rounds of tool calls is reached`;
  if (progress.repeated) return `the same tool call came more than ${limits.identicalCalls} times`;
  if (progress.timeIsUp) return 'the time for this turn is up';
  if (needCharge + lastCharge > leftTokens) return 'the token budget is nearly used up';
  return toolRounds > 0 && isNearlyFull(progress) ? 'your context window is nearly full' : null;
}

/** Whether the window has too little room left for the results of another round. */
export const isNearlyFull = ({ needTokens, limits }: LoopProgress): boolean =>
  needTokens > FULL_CONTEXT * limits.contextTokens;

/** How {@link lastRequest} begins: what follows is of the server, not of the user. */
export const LAST_REQUEST = 'Answer now, without tools: ';

/** Asks a model for its last answer. */
export const lastRequest = (reason: string): string =>
  `${LAST_REQUEST}${reason}. Give the best answer that the results above allow, and say what is missing.`;
