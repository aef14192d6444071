/** How much history a turn has room for, beside everything else that its model is sent. Pure. */
import type { TurnError } from '../../domain/conversation/session.ts';
import type { EarlierTurn } from '../../stores/session-store.ts';
import { contextTooLarge } from '../loop/loop-bounds.ts';
import { imageTokensOf } from '../loop/sent-tokens.ts';
import type { Model, ModelImage } from '../model.ts';
import { tokensOf, type HistoryRoom } from './history-plan.ts';

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

/** All that a request holds beside the history: its words, and pictures. */
export type Beside = { readonly text: string; readonly images: readonly ModelImage[] };

/** What is left of a window is filled to this share, so that tool results have room too. */
const WINDOW_SHARE = 0.8;
/** Turns that are sent word for word at most; fewer than are read of a conversation. */
const MAX_TURNS = 100;
/** Bounds of how far off an estimate can be; beyond them something else was counted. */
const [LEAST_RATIO, MOST_RATIO] = [0.5, 2];

/** The room for `earlier` in a request to this model; a TurnError where there is none even without them. */
export function roomFor(
  model: Model,
  limits: HistoryLimits,
  earlier: readonly EarlierTurn[],
  { text, images }: Beside,
): HistoryRoom | TurnError {
  const tokensPerEstimate = ratioOf(earlier, model.name);
  if (model.isProgram) return { tokens: limits.historyTokens, turns: MAX_TURNS, tokensPerEstimate };
  const fixed = tokensOf(text, { tokensPerEstimate }) + imageTokensOf(model, images);
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
