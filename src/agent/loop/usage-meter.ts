import type { Usage } from '../../domain/conversation/session.ts';
import { estimateTokens } from '../../domain/conversation/tokens.ts';
import type { ModelUsage } from '../model.ts';
import type { NewInput } from './sent-tokens.ts';

/** Cost of one model call in USD, null where the model has no price. */
export type PriceOf = (model: string, usage: ModelUsage) => number | null;

/** What a model call is charged to budgets, in tokens: what is cached costs less than a whole one. */
export type ChargeOf = (model: string, usage: ModelUsage) => number;

const wholeCharge: ChargeOf = (_model, { inputTokens, outputTokens }) => inputTokens + outputTokens;

type MeterStart = {
  /** Already spent for the turn on something outside of its exchange; null for nothing. */
  readonly spent: Usage | null;
  /** Ratio of the provider's token count to our estimate; 1 where it is not known. */
  readonly tokensPerEstimate: number;
  /** Absent: every token counts whole. */
  readonly chargeOf?: ChargeOf;
};

/** Counts the tokens of one turn: those its model calls used, and those the next one may need. */
export function createUsageMeter(
  budgetTokens: number,
  priceOf: PriceOf,
  start: MeterStart = { spent: null, tokensPerEstimate: 1 },
) {
  let allowedTokens = budgetTokens;
  let total = start.spent;
  let exchangedTokens = 0;
  /** Input of the last call that came from a cache: as much of it is there for the next one. */
  let cachedTokens = 0;
  const { chargeOf = wholeCharge } = start;
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
      ...sum(before, model, usage, { costUsd: priceOf(model, usage), charged: chargeOf(model, usage) }),
      ...(isEstimate || before?.estimated ? { estimated: true } : {}),
    };
  };
  return {
    /** Adds a call that sent `sent` after everything exchanged before. Without the provider's count it is estimated. */
    add(model: string, counted: ModelUsage | null, sent: NewInput, received: string): void {
      const usage = counted ?? estimate(sent, received);
      if (counted !== null && exchangedTokens === 0 && counted.inputTokens > 0) {
        tokensPerEstimate = counted.inputTokens / Math.max(1, estimateTokens(sent.text));
      }
      exchangedTokens = usage.inputTokens + usage.outputTokens;
      cachedTokens = usage.cachedTokens;
      spend(model, usage, counted === null);
    },
    /** Adds an estimate for a call whose stream broke: it is billed, but its text is not part of the exchange. */
    addBroken(model: string, sent: NewInput, received: string): void {
      spend(model, estimate(sent, received), true);
    },
    /** Sum of all calls; null before the first. Without a cost if any call has none, estimated if any call is. */
    get total() {
      return total;
    },
    /** What all calls were charged. */
    get spentTokens() {
      return chargedOf(total);
    },
    get leftTokens() {
      return allowedTokens - chargedOf(total);
    },
    /** Another model is asked from now on, to which everything exchanged is new. */
    forgetExchange(): void {
      exchangedTokens = 0;
      cachedTokens = 0;
      tokensPerEstimate = null;
    },
    /** Lets the turn spend this many tokens in all, including what it has spent. */
    allow(tokens: number): void {
      allowedTokens = tokens;
    },
    /** The provider's count of the first request relative to our estimate; null while it is not known. */
    get tokensPerEstimate() {
      return tokensPerEstimate;
    },
    /** Input of a call that adds to everything exchanged so far. */
    nextInputTokens: ({ text, imageTokens }: NewInput): number => exchangedTokens + guess(text) + imageTokens,
    /** What input of this size is charged: by the next call, and by one behind that, which reads it once more. */
    chargesOf(model: string, inputTokens: number): { readonly next: number; readonly again: number } {
      const charge = (cached: number) =>
        chargeOf(model, { inputTokens, outputTokens: 0, cachedTokens: cached });
      const next = charge(Math.min(cachedTokens, inputTokens));
      return { next, again: cachedTokens === 0 ? next : charge(inputTokens) };
    },
  };
}

const chargedOf = (usage: Usage | null): number => usage?.chargedTokens ?? usage?.totalTokens ?? 0;

function sum(
  before: Usage | null,
  model: string,
  usage: ModelUsage,
  { costUsd, charged }: { readonly costUsd: number | null; readonly charged: number },
): Usage {
  const inputTokens = (before?.inputTokens ?? 0) + usage.inputTokens;
  const outputTokens = (before?.outputTokens ?? 0) + usage.outputTokens;
  const totalTokens = inputTokens + outputTokens;
  const chargedTokens = chargedOf(before) + charged;
  const costBefore = before === null ? 0 : before.costUsd;
  return {
    inputTokens,
    outputTokens,
    cachedTokens: (before?.cachedTokens ?? 0) + usage.cachedTokens,
    totalTokens,
    ...(chargedTokens === totalTokens ? {} : { chargedTokens }),
    model,
    costUsd: costBefore === null || costUsd === null ? null : costBefore + costUsd,
  };
}
