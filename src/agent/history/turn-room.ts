/** Computes the room that a turn has for history, given everything else that its model is sent. Pure. */
import type { TurnError } from '../../domain/conversation/session.ts';
import type { EarlierTurn } from '../../stores/session-store.ts';
import { contextTooLarge } from '../loop/loop-bounds.ts';
import { imageTokensOf } from '../loop/sent-tokens.ts';
import type { Model, ModelImage } from '../model.ts';
import { tokensOf, type HistoryRoom } from './history-plan.ts';

/** Bounds of the history of a turn, in tokens. */
export type HistoryLimits = {
  /** The context window of the model. */
  readonly contextTokens: number;
  /** Reserved for the model's answer. */
  readonly outputTokens: number;
  /** Limit of history, however large the window: it is sent again with every model call of the turn. */
  readonly historyTokens: number;
  /** Limit of the contexts and rounds of earlier turns; absent: none are sent. */
  readonly roundTokens?: number;
  /** Of all model calls of the turn. */
  readonly turnTokens: number;
  readonly summarySeconds: number;
};

/** Everything in a request besides the history. */
export type FixedInput = { readonly text: string; readonly images: readonly ModelImage[] };

/** Share of the free window that history may fill; the rest is for tool results. */
const WINDOW_SHARE = 0.8;
/** Most turns sent in full; fewer than are read of a conversation. */
const MAX_TURNS = 100;
/** Plausible bounds of the ratio; a value outside of them counted something else. */
const [LEAST_RATIO, MOST_RATIO] = [0.5, 2];

/** The room for `earlier` in a request to this model; a TurnError if not even the rest fits. */
export function roomFor(
  model: Model,
  limits: HistoryLimits,
  earlier: readonly EarlierTurn[],
  { text, images }: FixedInput,
): HistoryRoom | TurnError {
  const tokensPerEstimate = ratioOf(earlier, model.name);
  if (model.isProgram)
    return { tokens: limits.historyTokens, roundTokens: 0, turns: MAX_TURNS, tokensPerEstimate };
  const fixed = tokensOf(text, { tokensPerEstimate }) + imageTokensOf(model, images);
  const free = limits.contextTokens - Math.min(limits.outputTokens, limits.contextTokens / 4) - fixed;
  if (free < 0) return contextTooLarge(limits.contextTokens - Math.floor(free), limits.contextTokens);
  const shared = Math.floor(free * WINDOW_SHARE);
  const tokens = Math.min(shared, limits.historyTokens);
  const roundTokens = Math.min(shared - tokens, limits.roundTokens ?? 0);
  return { tokens, roundTokens, turns: MAX_TURNS, tokensPerEstimate };
}

/** From the provider's count of the newest turn that this model answered. */
function ratioOf(earlier: readonly EarlierTurn[], model: string): number {
  const counted = earlier.findLast((turn) => turn.answer?.model === model && turn.tokensPerEstimate !== null);
  return Math.min(MOST_RATIO, Math.max(LEAST_RATIO, counted?.tokensPerEstimate ?? 1));
}
