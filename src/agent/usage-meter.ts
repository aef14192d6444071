import type { Usage } from '../domain/session.ts';
import { estimateTokens } from '../domain/tokens.ts';
import type { ModelUsage } from './model.ts';

/** Cost of one model call in USD, null where the model has no price. */
export type PriceOf = (model: string, usage: ModelUsage) => number | null;

/** Tokens of one turn: what its model calls used and what the next one may need. */
export type UsageMeter = {
  /** Adds a call that sent `newText` on top of everything exchanged before. Without the provider's count it is estimated. */
  add(model: string, counted: ModelUsage | null, newText: string, received: string): void;
  /** Adds an estimate of a call whose stream broke: it is paid for, but what it said is not part of the exchange. */
  addBroken(model: string, newText: string, received: string): void;
  /** Summed over all calls; null before the first. The model is the one asked last; no cost if any call has none. */
  readonly total: Usage | null;
  readonly spentTokens: number;
  readonly leftTokens: number;
  /** Lets the turn spend so many tokens in all, what it spent already included. */
  allow(budgetTokens: number): void;
  /** Input of a call that adds `newText` to everything exchanged so far. */
  nextInputTokens(newText: string): number;
};

/** A meter with `budgetTokens` to spend. */
export function createUsageMeter(budgetTokens: number, priceOf: PriceOf): UsageMeter {
  let allowedTokens = budgetTokens;
  let total: Usage | null = null;
  let exchangedTokens = 0;
  const estimate = (newText: string, received: string): ModelUsage => ({
    inputTokens: exchangedTokens + estimateTokens(newText),
    outputTokens: estimateTokens(received),
    cachedTokens: 0,
  });
  return {
    add(model, counted, newText, received) {
      const usage = counted ?? estimate(newText, received);
      exchangedTokens = usage.inputTokens + usage.outputTokens;
      total = sum(total, model, usage, priceOf(model, usage));
    },
    addBroken(model, newText, received) {
      const usage = estimate(newText, received);
      total = sum(total, model, usage, priceOf(model, usage));
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
    allow(tokens) {
      allowedTokens = tokens;
    },
    nextInputTokens: (newText) => exchangedTokens + estimateTokens(newText),
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
