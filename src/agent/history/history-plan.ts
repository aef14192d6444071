/**
 * What a model is sent of a conversation. Pure: of the turns of a branch it says which are sent word for word and which
 * are to be summarised. Each message is one or the other, never both, and the newest question is always sent. Answers
 * are sent as their text, without charts; tool calls stay in their turn, so that none is ever sent without its output.
 */
import type { HistorySummary } from '../../domain/conversation/history-summary.ts';
import { estimateTokens } from '../../domain/conversation/tokens.ts';
import { shorten } from '../../domain/text/stored-text.ts';
import type { EarlierTurn } from '../../stores/session-store.ts';
import type { ModelInput } from '../model.ts';

/** How much history there may be. */
export type HistoryRoom = {
  /** Tokens for the summary and the turns that are sent. */
  readonly tokens: number;
  /** Turns that are sent at most, so that a conversation of very short ones does not grow for ever. */
  readonly turns: number;
  /** Tokens that the provider counts for each one of our guesses. */
  readonly tokensPerEstimate: number;
};

/** Which part of a branch is what, oldest first. */
export type HistoryPlan = {
  /** Stands for everything before `fold` and `send`. */
  readonly summary: HistorySummary | null;
  /** To be summarised together with `summary`, before the model is asked. */
  readonly fold: readonly EarlierTurn[];
  readonly send: readonly EarlierTurn[];
};

/** Stands for an answer that never came, so that questions and answers keep alternating. */
const NO_ANSWER = '(This question was not answered.)';
/** What a provider adds to a message: its role and its bounds. */
const TOKENS_A_MESSAGE = 4;
/** After summarising, room for as much again is left, so that not every turn summarises. */
const KEPT_SHARE = 1 / 2;
const SUMMARY_SHARE = 1 / 4;

/** Tokens that a summary may have. */
export const summaryTokens = ({ tokens }: Pick<HistoryRoom, 'tokens'>): number =>
  Math.floor(tokens * SUMMARY_SHARE);

/** Everything while it fits; else the newest turns that fill half of the room, and the others to be summarised. */
export function planHistory(earlier: readonly EarlierTurn[], room: HistoryRoom): HistoryPlan {
  const { summary, open } = sinceSummary(earlier);
  const used = tokensOf(summary?.text ?? '', room) + sum(open.map((turn) => turnTokens(turn, room)));
  if (used <= room.tokens && open.length <= room.turns) return { summary, fold: [], send: open };
  const send = newestWithin(open, room, {
    tokens: Math.floor(room.tokens * KEPT_SHARE),
    turns: Math.floor(room.turns * KEPT_SHARE),
  });
  return { summary, fold: open.slice(0, open.length - send.length), send };
}

/** What is sent where nothing can be summarised: the summary that there is, and the newest turns beside it. */
export function truncateHistory(earlier: readonly EarlierTurn[], room: HistoryRoom): HistoryPlan {
  const { summary, open } = sinceSummary(earlier);
  return truncatePlan({ summary, fold: [], send: open }, room);
}

/** What of a plan fits another room, the newest turns first; nothing more is summarised. */
export function truncatePlan({ summary, send }: HistoryPlan, room: HistoryRoom): HistoryPlan {
  const text = summary === null ? '' : fitSummary(summary.text, room);
  const tokens = room.tokens - tokensOf(text, room);
  return { summary, fold: [], send: newestWithin(send, room, { tokens, turns: room.turns }) };
}

/** The text of a summary within its share of the room. */
export function fitSummary(text: string, room: HistoryRoom): string {
  const limit = summaryTokens(room);
  let fitted = text;
  while (tokensOf(fitted, room) > limit) {
    const share = limit / tokensOf(fitted, room);
    fitted = shorten(fitted, Math.min(fitted.length - 1, Math.floor(fitted.length * share)));
    if (fitted.length <= 1) return '';
  }
  return fitted;
}

/** Turns as a model is sent them, then the question. */
export const historyInput = (send: readonly EarlierTurn[], question: string): readonly ModelInput[] => [
  ...send.flatMap((turn): ModelInput[] => [
    { type: 'user', text: turn.question.text },
    { type: 'assistant', text: answerText(turn) },
  ]),
  { type: 'user', text: question },
];

/** What was answered, in words. */
export const answerText = ({ answer }: EarlierTurn): string =>
  answer === null || answer.text === '' ? NO_ANSWER : answer.text;

/** Tokens of a text as the provider would count them, as far as that is known. */
export const tokensOf = (text: string, { tokensPerEstimate }: Pick<HistoryRoom, 'tokensPerEstimate'>) =>
  Math.ceil(estimateTokens(text) * tokensPerEstimate);

function sinceSummary(earlier: readonly EarlierTurn[]) {
  const at = earlier.findLastIndex((turn) => turn.summary !== null);
  return { summary: earlier[at]?.summary ?? null, open: earlier.slice(at + 1) };
}

function newestWithin(
  turns: readonly EarlierTurn[],
  room: HistoryRoom,
  limit: { readonly tokens: number; readonly turns: number },
): readonly EarlierTurn[] {
  let left = limit.tokens;
  const first = turns.findLastIndex((turn, index) => {
    left -= turnTokens(turn, room);
    return left < 0 || turns.length - index > limit.turns;
  });
  return turns.slice(first + 1);
}

const turnTokens = (turn: EarlierTurn, room: HistoryRoom): number =>
  tokensOf(turn.question.text, room) + tokensOf(answerText(turn), room) + 2 * TOKENS_A_MESSAGE;

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
