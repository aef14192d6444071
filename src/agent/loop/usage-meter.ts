import type { Usage } from '../../domain/conversation/session.ts';
import { estimateTokens } from '../../domain/conversation/tokens.ts';
import type { ModelUsage } from '../model.ts';
import type { NewInput } from './sent-tokens.ts';

/** Cost of one model call in USD, null where the model has no price. */
export type PriceOf = (model: string, usage: ModelUsage) => number | null;

/** Tokens of one turn: what its model calls used and what the next one may need. */
export type UsageMeter = {
  /** Adds a call that sent `sent` on top of everything exchanged before. Without the provider's count it is estimated. */
  add(model: string, counted: ModelUsage | null, sent: NewInput, received: string): void;
  /** Adds an estimate of a call whose stream broke: it is paid for, but what it said is not part of the exchange. */
  addBroken(model: string, sent: NewInput, received: string): void;
  /**
   * Summed over all calls; null before the first. The model is the one asked last; no cost if any call has none, and
   * estimated if any call is.
   */
  readonly total: Usage | null;
  readonly spentTokens: number;
  readonly leftTokens: number;
  /** Tokens that the provider counted for each one that was guessed of the first request; null while that is not known. */
  readonly tokensPerEstimate: number | null;
  /** Another model is asked from now on, to which everything exchanged is new. */
  forgetExchange(): void;
  /** Lets the turn spend so many tokens in all, what it spent already included. */
  allow(budgetTokens: number): void;
  /** Input of a call that adds `sent` to everything exchanged so far. */
  nextInputTokens(sent: NewInput): number;
};

/** What a meter begins with. */
export type MeterStart = {
  /** Spent for the turn before, on something that is not part of its exchange; null for nothing. */
  readonly spent: Usage | null;
  /** Tokens that the provider counts for each one that is guessed; 1 where that is not known. */
  readonly tokensPerEstimate: number;
};

/** A meter with `budgetTokens` to spend. */
export function createUsageMeter(
  budgetTokens: number,
  priceOf: PriceOf,
  start: MeterStart = { spent: null, tokensPerEstimate: 1 },
): UsageMeter {
  let allowedTokens = budgetTokens;
  let total = start.spent;
  let exchangedTokens = 0;
  let tokensPerEstimate: number | null = null;
  const guess = (text: string): number => Math.ceil(estimateTokens(text) * start.tokensPerEstimate);
  const estimate = (sent: NewInput, received: string): ModelUsage => ({
    inputTokens: exchangedTokens + guess(sent.text) + sent.imageTokens,
    outputTokens: guess(received),
    cachedTokens: 0,
  });
  const spend = (model: string, usage: ModelUsage, isEstimate: boolean): void => {
    const before = total;
    total = {
      ...sum(before, model, usage, priceOf(model, usage)),
      ...(isEstimate || before?.estimated ? { estimated: true } : {}),
    };
  };
  return {
    add(model, counted, sent, received) {
      const usage = counted ?? estimate(sent, received);
      if (counted !== null && exchangedTokens === 0 && counted.inputTokens > 0) {
        tokensPerEstimate = counted.inputTokens / Math.max(1, estimateTokens(sent.text));
      }
      exchangedTokens = usage.inputTokens + usage.outputTokens;
      spend(model, usage, counted === null);
    },
    addBroken(model, sent, received) {
      spend(model, estimate(sent, received), true);
    },
    get total() {
      return total;
    },
    get spentTokens() {
      return total?.totalTokens ?? 0;
    },
    get leftTokens() {
      return allowedTokens - (total?.totalTokens ?? 0);
    },
    forgetExchange() {
      exchangedTokens = 0;
      tokensPerEstimate = null;
    },
    allow(tokens) {
      allowedTokens = tokens;
    },
    get tokensPerEstimate() {
      return tokensPerEstimate;
    },
    nextInputTokens: ({ text, imageTokens }) => exchangedTokens + guess(text) + imageTokens,
  };
}

function sum(before: Usage | null, model: string, usage: ModelUsage, costUsd: number | null): Usage {
  const inputTokens = (before?.inputTokens ?? 0) + usage.inputTokens;
  const outputTokens = (before?.outputTokens ?? 0) + usage.outputTokens;
  const costBefore = before === null ? 0 : before.costUsd;
  return {
    inputTokens,
    outputTokens,
    cachedTokens: (before?.cachedTokens ?? 0) + usage.cachedTokens,
    totalTokens: inputTokens + outputTokens,
    model,
    costUsd: costBefore === null || costUsd === null ? null : costBefore + costUsd,
  };
}
